#include "capstan/solve/resting.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "capstan/sample/sample.hpp"
#include "solve/random_problems.hpp"
#include "support/problems.hpp"

namespace capstan {
namespace {

using testing_support::with;

/// r plus a part of its largest entry at random.
Eigen::VectorXd disturbed(const Eigen::VectorXd& r, double part) {
  std::mt19937 generator(3);
  return r + part * r.cwiseAbs().maxCoeff() * testing_support::random_matrix(generator, int(r.size()), 1);
}

// A load is handed down a tower stone by stone in sweeps, and at once by a direct solve.
TEST(Resting, ATowerIsSolvedInOneIteration) {
  const ContactProblem tower = make_stack(10, 0.5);
  const Solution exact = solve(tower, with("interior", 1e-12));
  const Eigen::VectorXd guess = (1 - 1e-4) * exact.r;
  const double before = certify(tower, guess).error;
  const Solution direct = solve(tower, guess, with("resting", 0.2 * before)),
                 sweeps = solve(tower, guess, with("momentum", 1e-3 * before));
  EXPECT_EQ(direct.report.status, Status::converged);
  EXPECT_EQ(direct.report.iterations, 1);
  EXPECT_LT(direct.report.certificate.error, 1e-3 * before);
  EXPECT_GT(sweeps.report.iterations, 50);
}

TEST(Resting, AGuessThatWouldDoIsMadeBetterIfItIsToSettle) {
  const ContactProblem tower = make_stack(10, 0.5);
  const Solution exact = solve(tower, with("interior", 1e-12));
  const Eigen::VectorXd guess = disturbed(exact.r, 1e-6);
  const double before = certify(tower, guess).error;
  ASSERT_GT(before, 1e-8);
  SolveOptions options = with("auto", 1e-4);
  EXPECT_EQ(solve(tower, guess, options).report.iterations, 0);
  options.settle = true;
  EXPECT_LT(solve(tower, guess, options).report.certificate.error, 0.02 * before);
  EXPECT_EQ(solve(tower, exact.r, options).report.iterations, 0);
}

// At 0.99 of the friction angle the corners need nearly all of their friction; beyond it the box slides,
// which is none of this method's business, and auto's answer is the closed form g dt (sin - mu cos).
TEST(Resting, ABoxOnASlopeRestsOrIsLeftToOthers) {
  const double mu = 0.5, steep = std::atan(mu);
  const ContactProblem rests = make_slope(0.99 * steep, mu), slides = make_slope(1.2 * steep, mu);
  const Eigen::VectorXd r = solve(rests, with("interior", 1e-12)).r;
  const Eigen::VectorXd guess = disturbed(r, 1e-5);
  const Solution rested = solve(rests, guess, with("resting", 0.2 * certify(rests, guess).error));
  EXPECT_EQ(rested.report.status, Status::converged);
  EXPECT_LT(rested.u.cwiseAbs().maxCoeff(), 1e-7);
  const Eigen::VectorXd sliding = solve(slides, with("interior", 1e-12)).r;
  const Eigen::VectorXd moving = disturbed(sliding, 1e-5);
  const double tolerance = 0.2 * certify(slides, moving).error;
  EXPECT_EQ(solve(slides, moving, with("resting", tolerance)).report.status, Status::stalled);
  EXPECT_EQ(solve(slides, moving, with("auto", tolerance)).report.status, Status::converged);
}

TEST(Resting, WhatIsFarFromRestOrLargeIsLeftAsItIs) {
  const ContactProblem tower = make_stack(10, 0.5), wall = make_wall(8, 8, 0.5);
  const Solution cold = solve(tower, with("resting", 1e-6));
  EXPECT_EQ(cold.report.status, Status::stalled);
  EXPECT_EQ(cold.r, Eigen::VectorXd::Zero(cold.r.size()));
  EXPECT_FALSE(can_rest(CanonicalProblem(wall, serial_executor())));
  EXPECT_TRUE(can_rest(CanonicalProblem(tower, serial_executor())));
}

}  // namespace
}  // namespace capstan
