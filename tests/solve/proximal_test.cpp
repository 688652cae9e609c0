#include "capstan/solve/proximal.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "point_masses.hpp"

namespace capstan {
namespace {

/// n contacts that all push the same unit mass, so that W couples them fully: r = 1/diagonal is n times too
/// long for a simultaneous step, and every sweep of Gauss-Seidel overshoots along the tangents.
ContactProblem crowded(int contacts, double mu) {
  Eigen::MatrixXd W(3 * contacts, 3 * contacts);
  Eigen::VectorXd b(3 * contacts);
  Eigen::Matrix3d block;
  block << 1, 0.6, 0.2, 0.6, 1.5, 0.3, 0.2, 0.3, 0.8;
  for (int i = 0; i < contacts; ++i) {
    for (int j = 0; j < contacts; ++j)
      W.block<3, 3>(3 * i, 3 * j) = block + (i == j ? 0.1 : 0.0) * Eigen::Matrix3d::Identity();
    b.segment<3>(3 * i) = Eigen::Vector3d(-1 - 0.1 * i, 0.3, -0.2);
  }
  return ContactProblem::from_delassus(BlockMatrix::from_dense(W, 3), b,
                                       std::vector<ContactLaw>(contacts, ContactLaw::coulomb(mu)));
}

TEST(ProximalGaussSeidel, SolvesCoupledContactsToTheTolerance) {
  SolveOptions options;
  options.solver = "prox_gs";
  options.tolerance = 1e-8;
  const Solution solution = solve(crowded(6, 0.5), options);
  EXPECT_EQ(solution.report.status, Status::converged);
  EXPECT_LE(solution.report.certificate.error, 1e-8);
}

TEST(ProximalGaussSeidel, AgreesWithTheHybridSolver) {
  SolveOptions options;
  options.tolerance = 1e-9;
  options.solver = "prox_gs";
  const Solution proximal = solve(crowded(3, 0.3), options);
  options.solver = "gs";
  const Solution hybrid = solve(crowded(3, 0.3), options);
  EXPECT_LT((proximal.u - hybrid.u).norm(), 1e-6);
}

TEST(ProximalGaussSeidel, TakesBackTheVelocitiesTogetherWithTheImpulses) {
  // In Delassus space velocities follow from the impulses; in body space they are a state that has to be
  // restored when a sweep that grew is undone, else the two part ways.
  const ContactProblem problem = point_masses(15, 30);
  Bench delassus(problem, 1e-8), body(problem, 1e-8);
  ProximalOptions options;
  options.growth = 0.5;
  options.space = local::Space::delassus;
  EXPECT_EQ(run_proximal_gauss_seidel(delassus.context(), options), Status::converged);
  options.space = local::Space::body;
  EXPECT_EQ(run_proximal_gauss_seidel(body.context(), options), Status::converged);
  EXPECT_EQ(delassus.monitor->iterations(), body.monitor->iterations());
  EXPECT_LT((delassus.x - body.x).norm(), 1e-9 * body.x.norm());
}

TEST(ProximalGaussSeidel, ProjectsFrictionOntoTheConeOfTheNewNormal) {
  // One contact, W = I, b = (-1, 3, 4), friction 1: the first normal is 1, and friction -(3, 4)/5 with it at
  // once.
  const ContactProblem problem =
      ContactProblem::from_delassus(BlockMatrix::from_dense(Eigen::Matrix3d::Identity(), 3),
                                    Eigen::Vector3d(-1, 3, 4), {ContactLaw::coulomb(1)});
  Bench bench(problem, 1e-12);
  EXPECT_EQ(run_proximal_gauss_seidel(bench.context(1)), Status::converged);
  EXPECT_LT((bench.x - Eigen::Vector3d(1, -0.6, -0.8)).norm(), 1e-14);
}

}  // namespace
}  // namespace capstan
