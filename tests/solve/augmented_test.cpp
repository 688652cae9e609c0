#include "capstan/solve/augmented.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "capstan/errors.hpp"
#include "support/sparse_problems.hpp"

namespace capstan {
namespace {

using testing_support::dense_form;
using testing_support::sheet_problem;

/// Nodes of 2 kg that nothing couples, each thrown at a wall with u = (-1, speed, 0).
ContactProblem uncoupled_nodes(int nodes, double mu, double speed) {
  Eigen::SparseMatrix<double> lower(3 * nodes, 3 * nodes);
  lower.setIdentity();
  lower *= 2;
  ReachedNodes reached{testing_support::factorised(lower), {}};
  ContactJacobian H(3, testing_support::starts_of_nodes(nodes));
  Eigen::VectorXd w(3 * nodes);
  for (int k = 0; k < nodes; ++k) {
    reached.nodes.push_back(k);
    H.add_contact();
    H.add_block(k, Eigen::Matrix3d::Identity());
    w.segment<3>(3 * k) << -1, speed, 0;
  }
  return ContactProblem::from_mass(MassMatrix::from_bodies({reached}), Eigen::VectorXd::Zero(3 * nodes), H, w,
                                   std::vector<ContactLaw>(nodes, ContactLaw::coulomb(mu)));
}

// r_N = m stops the node; it sticks if mu m > m speed, else friction takes mu of its speed.
TEST(Augmented, StopsNodesAsCoulombSays) {
  for (const double speed : {0.3, 2.0}) {
    SolveOptions options;
    options.tolerance = 1e-10;
    const Solution found = solve(uncoupled_nodes(100, 0.5, speed), options);
    ASSERT_EQ(found.report.status, Status::converged);
    for (int k = 0; k < 100; ++k) {
      EXPECT_NEAR(found.r[3 * k], 2, 1e-8);
      EXPECT_NEAR(found.r[3 * k + 1], -2 * std::min(0.5, speed), 1e-8);
      EXPECT_NEAR(found.u[3 * k + 1], std::max(speed - 0.5, 0.0), 1e-8);
    }
  }
}

TEST(Augmented, AgreesWithTheDenseForm) {
  for (const int dimension : {3, 4})
    for (const unsigned seed : {1u, 2u, 3u}) {
      const ContactProblem problem = sheet_problem(11, dimension, seed);
      SolveOptions options;
      options.tolerance = 1e-9;
      const Solution sparse = solve(problem, options), dense = solve(dense_form(problem), options);
      ASSERT_EQ(sparse.report.status, Status::converged) << dimension << " " << seed;
      ASSERT_EQ(dense.report.status, Status::converged) << dimension << " " << seed;
      EXPECT_LT(certify(dense_form(problem), sparse.r).error, 2e-9);
      EXPECT_LT(certify(problem, dense.r).error, 2e-9);
      EXPECT_LT((sparse.v - dense.v).norm(), 1e-6 * dense.v.norm()) << dimension << " " << seed;
    }
}

/// One solve by this method alone, without a limit.
Status solve_alone(const CanonicalProblem& problem, Monitor& monitor) {
  Eigen::VectorXd x = Eigen::VectorXd::Zero(problem.size());
  return solve_augmented({problem, x, monitor, 100, serial_executor()}, {});
}

TEST(Augmented, FormsNothingDense) {
  const ContactProblem problem = sheet_problem(13, 3, 4);
  CanonicalProblem canonical(problem, serial_executor());
  canonical.set_error_unit(error_unit(problem));
  Monitor monitor(canonical, {.tolerance = 1e-6});
  EXPECT_EQ(solve_alone(canonical, monitor), Status::converged);
  EXPECT_FALSE(canonical.has_W());
}

TEST(Augmented, StopsWhenItsWorkIsDone) {
  const ContactProblem problem = sheet_problem(13, 3, 4);
  CanonicalProblem canonical(problem, serial_executor());
  canonical.set_error_unit(error_unit(problem));
  Monitor free(canonical, {.tolerance = 1e-9});
  solve_alone(canonical, free);
  Monitor limited(canonical, {.tolerance = 1e-9, .work_limit = 0.3 * free.work()});
  EXPECT_EQ(solve_alone(canonical, limited), Status::iteration_limit);
  EXPECT_LT(limited.work(), 0.6 * free.work());
  Monitor late(canonical, {.tolerance = 1e-9, .time_limit = 1e-9});
  EXPECT_EQ(solve_alone(canonical, late), Status::iteration_limit);
}

TEST(Augmented, TakesAnExactGuessAsItIs) {
  const ContactProblem problem = sheet_problem(11, 3, 5);
  const Solution first = solve(problem);
  ASSERT_EQ(first.report.status, Status::converged);
  const Solution again = solve(problem, first.r);
  EXPECT_EQ(again.report.iterations, 0);
}

TEST(Augmented, IsForSparseBodies) {
  const CanonicalProblem dense(dense_form(sheet_problem(6, 3, 6)), serial_executor());
  Monitor monitor(dense, {});
  EXPECT_THROW(solve_alone(dense, monitor), InputError);
}

}  // namespace
}  // namespace capstan
