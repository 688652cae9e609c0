#include "capstan/solve/gradient.hpp"

#include <gtest/gtest.h>

#include "solve/random_problems.hpp"

namespace capstan {
namespace {

using namespace testing_support;

TEST(Gradient, EveryContactIsProjectedOnItsOwn) {
  Eigen::VectorXd x(9);
  x << 2, 1, 0, -3, 1, 1, 0, 2, 0;  // inside; in the polar cone; half way up to (1, 1, 0)
  project_contacts(3, x);
  Eigen::VectorXd expected(9);
  expected << 2, 1, 0, 0, 0, 0, 1, 1, 0;
  EXPECT_LT((x - expected).norm(), 1e-15);
}

TEST(Gradient, DeSaxceAddsTheSlidingSpeedToTheNormal) {
  Eigen::VectorXd y(4);
  y << -1, 3, 0.5, -2;
  EXPECT_LT((de_saxce_contacts(2, y) - Eigen::Vector4d(2, 3, 2.5, -2)).norm(), 1e-15);
}

TEST(Gradient, TheSweepLeavesASolutionAlone) {
  const ContactProblem problem = delassus_problem(3, 3, 6, 24, coulomb_laws(6));
  const Solution solution = solve_with("newton_fb", problem, 1e-12);
  ASSERT_EQ(solution.report.status, Status::converged);
  const CanonicalProblem canonical(problem, serial_executor());
  const Eigen::VectorXd x = canonical.canonical_from_impulse(solution.r);
  Eigen::VectorXd swept = x;
  ProjectedSweep sweep(canonical);
  sweep(swept);
  EXPECT_LT((swept - x).norm(), 1e-10 * x.norm());
  swept.setZero();
  sweep(swept);
  EXPECT_GT((swept - x).norm(), 0.01 * x.norm());  // and nothing else
}

class GradientSolves : public testing::TestWithParam<std::string> {};

TEST_P(GradientSolves, OneContactThatSticksSlidesOrOpensAsComputedByHand) {
  // W = I, mu = 0.5. Stick: r = -b. Slide: u_N = 0 gives r_N = 1, r_T = -0.5 along the slip. Open: r = 0.
  const auto problem = [](Eigen::Vector3d b) {
    return ContactProblem::from_delassus(BlockMatrix::from_dense(Eigen::Matrix3d::Identity(), 3), b,
                                         coulomb_laws(1));
  };
  EXPECT_LT((solve_with(GetParam(), problem({-1, 0.2, -0.3})).r - Eigen::Vector3d(1, -0.2, 0.3)).norm(),
            1e-7);
  EXPECT_LT((solve_with(GetParam(), problem({-1, 3, 4})).r - Eigen::Vector3d(1, -0.3, -0.4)).norm(), 1e-7);
  EXPECT_EQ(solve_with(GetParam(), problem({1, 3, 4})).r.norm(), 0);
}

TEST_P(GradientSolves, RandomProblemsInEveryDimension) {
  for (int d = 2; d <= 4; ++d)
    for (unsigned seed = 1; seed <= 10; ++seed) {
      const Solution solution = solve_with(GetParam(), delassus_problem(seed, d, 6, 8 * d, coulomb_laws(6)));
      EXPECT_LE(solution.report.certificate.error, 1e-8) << "dimension " << d << ", seed " << seed;
    }
}

TEST_P(GradientSolves, SingularProblemsWithMoreContactsThanFreedoms) {
  int solved = 0;
  for (unsigned seed = 1; seed <= 10; ++seed)
    solved += solve_with(GetParam(), delassus_problem(seed, 3, 8, 12, coulomb_laws(8)), 1e-6).report.status ==
              Status::converged;
  EXPECT_GE(solved, 9);
}

TEST_P(GradientSolves, BodiesWithMixedLaws) {
  for (int d = 2; d <= 4; ++d)
    for (unsigned seed = 1; seed <= 5; ++seed) {
      const Solution solution = solve_with(GetParam(), bodies_problem(seed, d, 6, 8, mixed_laws(d, 8)));
      EXPECT_LE(solution.report.certificate.error, 1e-8) << "dimension " << d << ", seed " << seed;
    }
}

TEST_P(GradientSolves, ToTheAnswerOfNewtonWhereItIsUnique) {
  // Little friction and a regular W: the answer is unique, so all methods must agree on it.
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const ContactProblem problem = delassus_problem(seed, 3, 6, 30, coulomb_laws(6, 0.05));
    const Eigen::VectorXd newton = solve_with("newton_fb", problem, 1e-12).r;
    EXPECT_LT((solve_with(GetParam(), problem, 1e-10).r - newton).norm(), 1e-7 * newton.norm());
  }
}

TEST_P(GradientSolves, AnExactFirstGuessInNoIteration) {
  expect_no_iteration_from_its_own_answer(GetParam());
}

TEST_P(GradientSolves, NastyInputsWithoutNanAndWithAnHonestStatus) {
  expect_honest_on_nasty_problems(GetParam());
}

TEST_P(GradientSolves, WithTheSameIterationsInOtherUnits) {
  // W / 1000 is every mass times 1000; the canonical variables do not see it.
  const ContactProblem problem = delassus_problem(4, 3, 6, 24, coulomb_laws(6));
  const ContactProblem heavy = ContactProblem::from_delassus(
      BlockMatrix::from_dense(problem.W().dense() / 1024, 3), problem.b(), problem.laws());
  EXPECT_EQ(solve_with(GetParam(), problem).report.iterations,
            solve_with(GetParam(), heavy).report.iterations);
}

INSTANTIATE_TEST_SUITE_P(All, GradientSolves, testing::Values("spg", "apgd", "nncg", "anderson"));

}  // namespace
}  // namespace capstan
