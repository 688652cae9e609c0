#include "capstan/solve/proximal.hpp"

#include <gtest/gtest.h>

#include <optional>

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

TEST(ProximalGaussSeidel, TakesBackStepsThatGrowTogetherWithTheirVelocities) {
  // With the factor allowed to shrink the first steps that grow are undone: x and the rows agree afterwards,
  // or else the judged error would not reach the tolerance in either space.
  const ContactProblem problem = crowded(6, 0.5);
  for (const double smallest : {0.05, 1.0}) {
    CanonicalProblem canonical(problem, serial_executor());
    canonical.set_error_unit(error_unit(problem));
    Monitor::Options monitor_options;
    monitor_options.tolerance = 1e-8;
    Monitor monitor(canonical, monitor_options);
    Eigen::VectorXd x = Eigen::VectorXd::Constant(canonical.size(), 10.0);  // far off and outside of the cone
    ProximalOptions options;
    options.smallest_factor = smallest;
    EXPECT_EQ(run_proximal_gauss_seidel({canonical, x, monitor, 10000, serial_executor()}, options),
              Status::converged);
  }
}

}  // namespace
}  // namespace capstan
