#include <gtest/gtest.h>

#include "capstan/solve/lemke.hpp"
#include "solve/random_problems.hpp"

namespace capstan {
namespace {

using namespace testing_support;

const auto kAlways = [](int) { return true; };

TEST(Lemke, SolvesRandomPositiveProblems) {
  NormalRandom random(1);
  for (int k = 0; k < 50; ++k) {
    const Eigen::MatrixXd A = random.matrix(12, 12);
    const LinearComplementarityProblem problem{A * A.transpose(), random.vector(12)};
    const LemkeResult result = solve_lemke(problem, kAlways);
    ASSERT_TRUE(result.solved);
    const Eigen::VectorXd w = problem.M * result.z + problem.q;
    EXPECT_GE(result.z.minCoeff(), 0);
    EXPECT_GE(w.minCoeff(), -1e-9);
    EXPECT_LT(result.z.cwiseProduct(w).cwiseAbs().maxCoeff(), 1e-8);
  }
}

TEST(Lemke, FindsTheSolutionOfAProblemDoneByHand) {
  // w = [2 1; 1 2] z + (-5, -6): both z positive, z = (4/3, 7/3).
  const LinearComplementarityProblem problem{(Eigen::Matrix2d() << 2, 1, 1, 2).finished(),
                                             Eigen::Vector2d(-5, -6)};
  const LemkeResult result = solve_lemke(problem, kAlways);
  ASSERT_TRUE(result.solved);
  EXPECT_LT((result.z - Eigen::Vector2d(4.0 / 3, 7.0 / 3)).norm(), 1e-14);
}

TEST(Lemke, SaysWhenThereIsNoSolution) {
  // w = 0 z - 1 can never be >= 0.
  const LinearComplementarityProblem problem{Eigen::MatrixXd::Zero(1, 1), -Eigen::VectorXd::Ones(1)};
  EXPECT_FALSE(solve_lemke(problem, kAlways).solved);
}

TEST(Lemke, DoesNotCycleWhereEverythingTies) {
  // M = 1 1^T of rank one and equal q: every ratio test is a tie.
  const LinearComplementarityProblem problem{Eigen::MatrixXd::Ones(8, 8), -Eigen::VectorXd::Ones(8)};
  const LemkeResult result = solve_lemke(problem, [](int pivots) { return pivots < 200; });
  ASSERT_TRUE(result.solved);
  EXPECT_NEAR(result.z.sum(), 1, 1e-12);
}

TEST(Lemke, StopsWhenTold) {
  NormalRandom random(2);
  const Eigen::MatrixXd A = random.matrix(12, 12);
  const LinearComplementarityProblem problem{A * A.transpose(), -Eigen::VectorXd::Ones(12)};
  const LemkeResult result = solve_lemke(problem, [](int pivots) { return pivots < 3; });
  EXPECT_FALSE(result.solved);
  EXPECT_EQ(result.pivots, 3);
}

TEST(Lemke, FacetsAreUnitVectorsThatCancelInPairs) {
  for (int axes = 1; axes <= 3; ++axes)
    for (const int count : {4, 8, 16}) {
      const Eigen::MatrixXd directions = facet_directions(axes, count);
      EXPECT_LT((directions.colwise().norm().array() - 1).abs().maxCoeff(), 1e-14);
      EXPECT_LT(directions.rowwise().sum().norm(), 1e-13);
      EXPECT_GT((directions * directions.transpose()).determinant(), 0.1);  // they span
    }
}

class PivotingSolves : public testing::TestWithParam<std::string> {};

TEST_P(PivotingSolves, PlaneProblemsExactly) {
  for (unsigned seed = 1; seed <= 15; ++seed) {
    EXPECT_LE(
        solve_with(GetParam(), delassus_problem(seed, 2, 6, 16, coulomb_laws(6))).report.certificate.error,
        1e-8);
    EXPECT_LE(
        solve_with(GetParam(), bodies_problem(seed, 2, 6, 8, mixed_laws(2, 8))).report.certificate.error,
        1e-8);
  }
}

TEST_P(PivotingSolves, FrictionlessProblemsInSpaceExactly) {
  const std::vector<ContactLaw> laws(8, ContactLaw::frictionless());
  for (unsigned seed = 1; seed <= 10; ++seed)
    EXPECT_LE(solve_with(GetParam(), delassus_problem(seed, 3, 8, 30, laws)).report.certificate.error, 1e-8);
}

TEST_P(PivotingSolves, SpaceProblemsApproximatelyAndSaysSo) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const Solution solution = solve_with(GetParam(), delassus_problem(seed, 3, 6, 24, coulomb_laws(6)), 1e-8);
    EXPECT_EQ(solution.report.status, Status::stalled);
    EXPECT_GT(solution.report.certificate.error, 1e-4);
    EXPECT_LT(solution.report.certificate.error, 0.3);
  }
}

TEST_P(PivotingSolves, AnExactFirstGuessInNoIteration) {
  const ContactProblem problem = bodies_problem(1, 3, 6, 8, mixed_laws(3, 8));
  const Eigen::VectorXd exact = solve_with("newton_fb", problem).r;
  SolveOptions options;
  options.solver = GetParam();
  const Solution solution = solve(problem, exact, options);
  EXPECT_EQ(solution.report.iterations, 0);
  EXPECT_EQ(solution.report.status, Status::converged);
}

TEST_P(PivotingSolves, NastyInputsWithoutNanAndWithAnHonestStatus) {
  expect_honest_on_nasty_problems(GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, PivotingSolves, testing::Values("lemke4", "lemke", "lemke16", "pivot"));

TEST(Pivoting, MoreFacetsMeanASmallerError) {
  // The inscribed pyramid of k facets misses the cone by 1 - cos(pi/k): 0.29, 0.08, 0.02.
  double error4 = 0, error8 = 0, error16 = 0;
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const ContactProblem problem = delassus_problem(seed, 3, 6, 24, coulomb_laws(6));
    error4 += solve_with("lemke4", problem).report.certificate.error;
    error8 += solve_with("lemke", problem).report.certificate.error;
    error16 += solve_with("lemke16", problem).report.certificate.error;
  }
  EXPECT_LT(error8, 0.8 * error4);
  EXPECT_LT(error16, 0.8 * error8);
}

TEST(Pivoting, LemkeRefusesATableauThatIsTooLarge) {
  const int n = 125;  // 125 contacts of 10 unknowns
  const Solution solution = solve_with("lemke", bodies_problem(1, 3, 40, n, coulomb_laws(n)));
  EXPECT_EQ(solution.report.status, Status::stalled);
  EXPECT_EQ(solution.report.iterations, 0);
  EXPECT_EQ(solution.r.norm(), 0);
}

TEST(Pivoting, TheBoxIsTheDiagonalSliderSqrt2TooStrong) {
  // W = I, mu = 0.5, slip along the diagonal of the box: each axis takes its own limit 0.5.
  const ContactProblem problem = ContactProblem::from_delassus(
      BlockMatrix::from_dense(Eigen::Matrix3d::Identity(), 3), Eigen::Vector3d(-1, 3, 3), coulomb_laws(1));
  EXPECT_LT((solve_with("pivot", problem).r - Eigen::Vector3d(1, -0.5, -0.5)).norm(), 1e-9);
}

}  // namespace
}  // namespace capstan
