#include <gtest/gtest.h>

#include "capstan/solve/ncp_newton.hpp"
#include "capstan/solve/newton_iteration.hpp"
#include "capstan/solve/newton_system.hpp"
#include "solve/random_problems.hpp"

namespace capstan {
namespace {

using namespace testing_support;

const std::vector<std::string> kNewtons{"newton_ac", "newton_fb", "ncp_newton"};

using SystemOf = NonsmoothSystem (*)(const CanonicalProblem&);
NonsmoothSystem sharp_ncp_system(const CanonicalProblem& problem) { return ncp_system(problem, {0, 1}); }
const std::vector<SystemOf> kSystems{alart_curnier_system, fischer_burmeister_system, sharp_ncp_system};

/// f(z) with y = W x(z) + b.
Eigen::VectorXd value(const CanonicalProblem& problem, const NonsmoothSystem& system,
                      const Eigen::VectorXd& z) {
  Eigen::VectorXd y;
  problem.velocity(impulse_of(z, system.unknowns, problem.dimension()), y);
  Linearisation at;
  system.linearise(z, y, at);
  return at.f;
}

/// The assembled J against central differences of f.
double jacobian_defect(const CanonicalProblem& problem, const NonsmoothSystem& system,
                       const Eigen::VectorXd& z) {
  Eigen::VectorXd y;
  problem.velocity(impulse_of(z, system.unknowns, problem.dimension()), y);
  Linearisation at;
  system.linearise(z, y, at);
  NewtonMatrix J(problem.W(), system.unknowns);
  J.assemble(at.df_dz, at.df_dy);
  const Eigen::MatrixXd dense = J.matrix();
  const double h = 1e-6;
  double worst = 0;
  for (int j = 0; j < z.size(); ++j) {
    const Eigen::VectorXd e = h * Eigen::VectorXd::Unit(z.size(), j);
    const Eigen::VectorXd numeric = (value(problem, system, z + e) - value(problem, system, z - e)) / (2 * h);
    worst = std::max(worst, (numeric - dense.col(j)).cwiseAbs().maxCoeff());
  }
  return worst;
}

TEST(Newton, TheAssembledJacobianMatchesFiniteDifferencesAtRandomPoints) {
  for (int d = 2; d <= 4; ++d) {
    const CanonicalProblem problem(delassus_problem(5, d, 4, 3 * d, coulomb_laws(4)), serial_executor());
    for (const SystemOf make : kSystems) {
      const NonsmoothSystem system = make(problem);
      NormalRandom random(11);
      for (int k = 0; k < 20; ++k) {
        Eigen::VectorXd z = random.vector(4 * system.unknowns);
        EXPECT_LT(jacobian_defect(problem, system, z), 1e-5) << "dimension " << d << ", point " << k;
      }
    }
  }
}

TEST(Newton, TheNcpJacobianMatchesFiniteDifferencesWhereAContactSticksOrSlides) {
  // x_N > 0, s -> 0+ (stick) and x on the boundary of the cone with s > 0 (slide): smooth points of f.
  const CanonicalProblem problem(delassus_problem(5, 3, 1, 6, coulomb_laws(1)), serial_executor());
  const NonsmoothSystem system = sharp_ncp_system(problem);
  EXPECT_LT(jacobian_defect(problem, system, Eigen::Vector4d(2, 0.3, -0.4, 1e-3)), 1e-5);
  EXPECT_LT(jacobian_defect(problem, system, Eigen::Vector4d(2, 1.2, 1.6, 0.7)), 1e-5);
  EXPECT_LT(jacobian_defect(problem, system, Eigen::Vector4d(1e-3, 1e-4, -3e-4, 0.7)),
            2e-3);  // curvature 1/x_N
}

TEST(Newton, TheJacobianIsFiniteAndRegularAtTheOrigin) {
  // x = 0 is where every cold solve begins.
  for (int d = 2; d <= 4; ++d) {
    const CanonicalProblem problem(delassus_problem(5, d, 3, 3 * d, coulomb_laws(3)), serial_executor());
    for (const SystemOf make : kSystems) {
      const NonsmoothSystem system = make(problem);
      const Eigen::VectorXd x = Eigen::VectorXd::Zero(problem.size()), z = system.start(x, problem.b());
      Linearisation at;
      system.linearise(z, problem.b(), at);
      NewtonMatrix J(problem.W(), system.unknowns);
      J.assemble(at.df_dz, at.df_dy);
      EXPECT_TRUE(Eigen::MatrixXd(J.matrix()).allFinite());
      EXPECT_TRUE(J.solve(-at.f).has_value());
    }
  }
}

TEST(Newton, SparseAndDenseFactorisationsAgree) {
  // 120 contacts are above the size for dense matrices; the dense answer is made here.
  const CanonicalProblem problem(bodies_problem(2, 3, 60, 120, coulomb_laws(120)), serial_executor());
  const NonsmoothSystem system = fischer_burmeister_system(problem);
  Linearisation at;
  NormalRandom random(4);
  const Eigen::VectorXd z = random.vector(360);
  Eigen::VectorXd y;
  problem.velocity(z, y);
  system.linearise(z, y, at);
  NewtonMatrix J(problem.W(), 3);
  J.assemble(at.df_dz, at.df_dy);
  const auto step = J.solve(-at.f);
  ASSERT_TRUE(step.has_value());
  const Eigen::VectorXd expected = Eigen::MatrixXd(J.matrix()).partialPivLu().solve(-at.f);
  EXPECT_LT((*step - expected).norm(), 1e-8 * expected.norm());
}

TEST(Newton, TheLineSearchTakesTheFullStepOnAParabola) {
  // q = (1 - a)^2 / 2: at a = 1 the slope is -1/2, between 0.9 and 0.1 times q'(0) = -1.
  const auto found = goldstein_price([](double a) { return 0.5 * (1 - a) * (1 - a); }, 0.5, -1);
  EXPECT_EQ(found.alpha, 1);
}

TEST(Newton, TheLineSearchShortensAndLengthensTheStep) {
  const auto shortened = goldstein_price([](double a) { return 0.5 * std::pow(1 - 8 * a, 2); }, 0.5, -8);
  EXPECT_LT(shortened.merit, 0.5);
  EXPECT_LT(shortened.alpha, 0.25);
  const auto lengthened =
      goldstein_price([](double a) { return 0.5 * std::pow(1 - a / 50, 2); }, 0.5, -1.0 / 50);
  EXPECT_GT(lengthened.alpha, 9);
}

TEST(Newton, TheLineSearchGivesUpWhereNothingDecreases) {
  const auto found = goldstein_price([](double a) { return 0.5 + a; }, 0.5, -1);
  EXPECT_EQ(found.alpha, 0);
}

TEST(Newton, OneContactSticksSlidesAndOpensAsComputedByHand) {
  // W = I, mu = 0.5. Stick: r = -b. Slide: u_N = 0 gives r_N = 1, r_T = -0.5 along the slip. Open: r = 0.
  const auto problem = [](Eigen::Vector3d b) {
    return ContactProblem::from_delassus(BlockMatrix::from_dense(Eigen::Matrix3d::Identity(), 3), b,
                                         coulomb_laws(1));
  };
  for (const std::string& name : kNewtons) {
    EXPECT_LT((solve_with(name, problem({-1, 0.2, -0.3})).r - Eigen::Vector3d(1, -0.2, 0.3)).norm(), 1e-7)
        << name;
    EXPECT_LT((solve_with(name, problem({-1, 3, 4})).r - Eigen::Vector3d(1, -0.3, -0.4)).norm(), 1e-7)
        << name;
    EXPECT_LT(solve_with(name, problem({1, 3, 4})).r.norm(), 1e-7) << name;
  }
}

class NewtonSolves : public testing::TestWithParam<std::string> {};

TEST_P(NewtonSolves, RandomProblemsInEveryDimension) {
  int solved = 0, tried = 0;
  for (int d = 2; d <= 4; ++d)
    for (unsigned seed = 1; seed <= 10; ++seed, ++tried) {
      const Solution solution = solve_with(GetParam(), delassus_problem(seed, d, 6, 8 * d, coulomb_laws(6)));
      ASSERT_TRUE(solution.r.allFinite());
      solved += solution.report.status == Status::converged && solution.report.certificate.error <= 1e-8;
    }
  // The multiplier form has local minima that smoothing does not remove, so not all of them.
  EXPECT_GE(solved, GetParam() == "ncp_newton" ? 25 : 30) << "of " << tried;
}

TEST_P(NewtonSolves, BodiesWithMixedLaws) {
  int solved = 0, tried = 0;
  for (int d = 2; d <= 4; ++d)
    for (unsigned seed = 1; seed <= 8; ++seed, ++tried) {
      const Solution solution = solve_with(GetParam(), bodies_problem(seed, d, 6, 8, mixed_laws(d, 8)));
      solved += solution.report.certificate.error <= 1e-8;
    }
  EXPECT_GE(solved, GetParam() == "ncp_newton" ? 19 : 23) << "of " << tried;
}

TEST_P(NewtonSolves, AnExactFirstGuessCostsNoIteration) {
  expect_no_iteration_from_its_own_answer(GetParam());
}

TEST_P(NewtonSolves, NastyInputsWithoutNanAndWithAnHonestStatus) {
  expect_honest_on_nasty_problems(GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, NewtonSolves, testing::ValuesIn(kNewtons));

}  // namespace
}  // namespace capstan
