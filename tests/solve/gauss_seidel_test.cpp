#include "capstan/solve/gauss_seidel.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "capstan/solve/registry.hpp"
#include "point_masses.hpp"

namespace capstan {
namespace {

/// A point mass on a plane that falls with velocity g dt at an angle to it: normal, down the slope, across.
ContactProblem block_on_slope(double angle, double mu, double mass = 2, double speed = 0.0981) {
  ContactJacobian H(3, {0, 3});
  H.add_contact();
  H.add_block(0, Eigen::Matrix3d::Identity());
  const Eigen::Vector3d f = mass * speed * Eigen::Vector3d(-std::cos(angle), std::sin(angle), 0);
  return ContactProblem::from_mass(MassMatrix::block_diagonal({mass * Eigen::Matrix3d::Identity()}), f, H,
                                   Eigen::Vector3d::Zero(), {ContactLaw::coulomb(mu)});
}

Solution solve_closely(const ContactProblem& problem, const std::string& solver, double tolerance = 1e-10) {
  SolveOptions options;
  options.solver = solver;
  options.tolerance = tolerance;
  return solve(problem, options);
}

TEST(GaussSeidel, ABlockOnASlopeSticksBelowTheFrictionAngleAndSlidesAbove) {
  // Sliding velocity g dt (sin - mu cos); at mu = tan(angle) +- 1e-6 it is 1e-6 cos(angle) g dt or nothing.
  const double angle = 0.4, speed = 0.0981, mass = 2;
  for (const char* name : {"gs", "gs:enum", "gs:pac+enum", "gs:dac+enum", "gs:duriez08+enum", "prox_gs"}) {
    const Solution stick = solve_closely(block_on_slope(angle, std::tan(angle) + 1e-6), name, 1e-12);
    EXPECT_EQ(stick.report.status, Status::converged) << name;
    EXPECT_EQ(stick.report.certificate.stick, 1) << name;
    EXPECT_LT(stick.u.norm(), 1e-12) << name;
    const Solution slide = solve_closely(block_on_slope(angle, std::tan(angle) - 1e-6), name, 1e-12);
    EXPECT_EQ(slide.report.certificate.slide, 1) << name;
    EXPECT_NEAR(slide.u[1], 1e-6 * std::cos(angle) * speed, 1e-12) << name;
    EXPECT_NEAR(slide.r[0], mass * speed * std::cos(angle), 1e-11) << name;
  }
}

/// Two blocks of masses m1 and m2 on each other and on the ground, falling at speed s, the upper one pushed
/// aside.
ContactProblem two_blocks(double m1, double m2, double speed, double push, double mu) {
  ContactJacobian H(3, {0, 3, 6});
  H.add_contact();
  H.add_block(0, Eigen::Matrix3d::Identity());
  H.add_contact();
  H.add_block(0, -Eigen::Matrix3d::Identity());
  H.add_block(1, Eigen::Matrix3d::Identity());
  Eigen::VectorXd f(6);
  f << -m1 * speed, 0, 0, -m2 * speed, m2 * push, 0;
  return ContactProblem::from_mass(
      MassMatrix::block_diagonal({m1 * Eigen::Matrix3d::Identity(), m2 * Eigen::Matrix3d::Identity()}), f, H,
      Eigen::VectorXd::Zero(6), {ContactLaw::coulomb(mu), ContactLaw::coulomb(mu)});
}

TEST(GaussSeidel, TwoStackedBlocksAreSolvedAsByHand) {
  // Normals: m2 s above, (m1 + m2) s below. The upper slides: it keeps push - mu s; the lower holds mu m2 s.
  const double m1 = 3, m2 = 2, s = 0.1, push = 0.5, mu = 0.4;
  for (const char* name : {"gs", "gs:enum", "gs:4sides+enum", "prox_gs"}) {
    const Solution solution = solve_closely(two_blocks(m1, m2, s, push, mu), name, 1e-12);
    ASSERT_EQ(solution.report.status, Status::converged) << name;
    Eigen::VectorXd r(6), v(6);
    r << (m1 + m2) * s, -mu * m2 * s, 0, m2 * s, -mu * m2 * s, 0;
    v << 0, 0, 0, 0, push - mu * s, 0;
    EXPECT_LT((solution.r - r).norm(), 1e-10) << name;
    EXPECT_LT((solution.v - v).norm(), 1e-10) << name;
  }
}

TEST(GaussSeidel, AnExactFirstGuessCostsNoSweep) {
  const ContactProblem problem = point_masses(12, 20);
  for (const char* name : {"gs", "prox_gs"}) {
    SolveOptions options;
    options.solver = name;
    options.tolerance = 1e-8;
    const Solution first = solve(problem, options);
    ASSERT_EQ(first.report.status, Status::converged) << name;
    EXPECT_GT(first.report.iterations, 0) << name;
    options.tolerance = 2e-8;
    const Solution second = solve(problem, first.r, options);
    EXPECT_EQ(second.report.iterations, 0) << name;
    EXPECT_EQ(second.report.local.solves, 0) << name;
    EXPECT_LT((second.r - first.r).norm(), 1e-12 * first.r.norm()) << name;
  }
}

TEST(GaussSeidel, DelassusSpaceAndBodySpaceTakeTheSameSteps) {
  const ContactProblem problem = point_masses(15, 30);
  Bench delassus(problem, 1e-10), body(problem, 1e-10);
  GaussSeidelOptions options;
  options.space = local::Space::delassus;
  EXPECT_EQ(run_gauss_seidel(delassus.context(), options), Status::converged);
  options.space = local::Space::body;
  EXPECT_EQ(run_gauss_seidel(body.context(), options), Status::converged);
  EXPECT_EQ(delassus.monitor->iterations(), body.monitor->iterations());
  EXPECT_LT((delassus.x - body.x).norm(), 1e-9 * body.x.norm());
}

TEST(GaussSeidel, FreezingSavesLocalSolvesAndChangesNoAnswer) {
  const ContactProblem problem = point_masses(40, 60);
  Bench frozen(problem, 1e-8), plain(problem, 1e-8);
  GaussSeidelOptions options;
  EXPECT_EQ(run_gauss_seidel(frozen.context(), options), Status::converged);
  options.freezing = false;
  EXPECT_EQ(run_gauss_seidel(plain.context(), options), Status::converged);
  EXPECT_LT(frozen.monitor->local.solves, plain.monitor->local.solves);
  EXPECT_EQ(plain.monitor->local.solves, 60ll * plain.monitor->iterations());
  Eigen::VectorXd y_frozen, y_plain;
  frozen.problem.velocity(frozen.x, y_frozen);
  plain.problem.velocity(plain.x, y_plain);
  EXPECT_LT((y_frozen - y_plain).norm(), 1e-5 * y_plain.norm());
}

TEST(GaussSeidel, EveryExactLocalSolverGivesTheSameAnswer) {
  const ContactProblem problem = point_masses(10, 12);
  const Solution reference = solve_closely(problem, "gs", 1e-10);
  ASSERT_EQ(reference.report.status, Status::converged);
  EXPECT_GT(reference.report.certificate.slide, 0);
  EXPECT_GT(reference.report.certificate.stick, 0);
  for (const local::LocalMethodEntry& entry : local::local_methods()) {
    if (!entry.exact) continue;
    const Solution solution = solve_closely(problem, "gs:" + entry.name, 1e-10);
    EXPECT_EQ(solution.report.status, Status::converged) << entry.name;
    EXPECT_LT((solution.v - reference.v).norm(), 1e-6 * reference.v.norm()) << entry.name;
  }
}

TEST(GaussSeidel, InexactLocalSolversEndAwayFromTheLaw) {
  for (const char* name : {"gs:4sides", "gs:duriez06"}) {
    const Solution solution = solve_closely(point_masses(10, 12), name);
    EXPECT_NE(solution.report.status, Status::converged) << name;
    EXPECT_GT(solution.report.certificate.error, 1e-4) << name;
  }
  const Solution pyramid = solve_closely(point_masses(10, 12), "gs:4sides");
  EXPECT_EQ(pyramid.report.status, Status::stalled);
  EXPECT_LT(pyramid.report.iterations, 10000);
}

TEST(GaussSeidel, AContactThatNothingMovesHasNoSolution) {
  Eigen::MatrixXd W = Eigen::MatrixXd::Identity(6, 6);
  W(3, 3) = 0;
  Eigen::VectorXd b(6);
  b << -1, 0, 0, -1, 0, 0;
  const ContactProblem problem = ContactProblem::from_delassus(
      BlockMatrix::from_dense(W, 3), b, {ContactLaw::coulomb(0.5), ContactLaw::coulomb(0.5)});
  const Solution solution = solve_closely(problem, "gs");
  EXPECT_EQ(solution.report.status, Status::no_solution);
  EXPECT_NEAR(solution.r[0], 1, 1e-12);
}

TEST(GaussSeidel, UnitsChangeNeitherTheErrorNorTheIterations) {
  const ContactProblem si = point_masses(15, 24), cgs = point_masses(15, 24, 100, 1000);
  for (const char* name : {"gs", "gs:enum", "prox_gs"}) {
    const Solution a = solve_closely(si, name, 1e-8), b = solve_closely(cgs, name, 1e-8);
    EXPECT_EQ(a.report.status, Status::converged) << name;
    EXPECT_EQ(a.report.iterations, b.report.iterations) << name;
    EXPECT_NEAR(a.report.certificate.error, b.report.certificate.error, 1e-11) << name;
    EXPECT_LT((1e5 * a.r - b.r).norm(), 1e-6 * b.r.norm()) << name;
  }
}

TEST(GaussSeidel, StatisticsCountEveryLocalSolve) {
  const Solution solution = solve_closely(point_masses(12, 20), "gs:duriez06+enum", 1e-8);
  EXPECT_EQ(solution.report.status, Status::converged);
  EXPECT_GT(solution.report.local.fallbacks, 0);
  EXPECT_LE(solution.report.local.fallbacks, solution.report.local.solves);
  EXPECT_EQ(solution.report.local.failures, 0);
}

TEST(GaussSeidel, EveryLocalMethodIsASolverByName) {
  for (const local::LocalMethodEntry& entry : local::local_methods())
    EXPECT_EQ(find_solver("gs:" + entry.name).default_iterations, 10000);
  EXPECT_EQ(find_solver("gs").name, "gs");
}

}  // namespace
}  // namespace capstan
