#pragma once
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "capstan/problem/contact_problem.hpp"
#include "capstan/solve/solver.hpp"
#include "support/problems.hpp"

/// Small problems made from random numbers, for tests that hold for any of them.
namespace capstan::testing_support {

class NormalRandom {
 public:
  explicit NormalRandom(unsigned seed) : generator_(seed) {}
  double normal() { return normal_(generator_); }
  int below(int n) { return static_cast<int>(generator_() % static_cast<unsigned>(n)); }
  Eigen::MatrixXd matrix(int rows, int columns) {
    Eigen::MatrixXd m(rows, columns);
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < rows; ++i) m(i, j) = normal();
    return m;
  }
  Eigen::VectorXd vector(int size) { return matrix(size, 1); }

 private:
  std::mt19937 generator_;
  std::normal_distribution<double> normal_;
};

/// Velocities that press contacts together more often than not.
inline Eigen::VectorXd pressing_velocity(NormalRandom& random, int d, int contacts) {
  Eigen::VectorXd b = random.vector(d * contacts);
  for (int i = 0; i < contacts; ++i) b[i * d] -= 0.7;
  return b;
}

/// W = A A^T with A of size (d n) x columns: regular if columns >= d n.
inline ContactProblem delassus_problem(unsigned seed, int d, int contacts, int columns,
                                       std::vector<ContactLaw> laws) {
  NormalRandom random(seed);
  const Eigen::MatrixXd A = random.matrix(d * contacts, columns);
  return ContactProblem::from_delassus(BlockMatrix::from_dense(A * A.transpose(), d),
                                       pressing_velocity(random, d, contacts), std::move(laws));
}

/// Every kind of law in turn.
inline std::vector<ContactLaw> mixed_laws(int d, int contacts) {
  std::vector<ContactLaw> laws;
  for (int i = 0; i < contacts; ++i) switch (i % 6) {
      case 0:
        laws.push_back(ContactLaw::coulomb(0.6));
        break;
      case 1:
        laws.push_back(ContactLaw::frictionless());
        break;
      case 2:
        laws.push_back(ContactLaw::elliptic(0.8, 0.3));
        break;
      case 3:
        laws.push_back(ContactLaw::coulomb(0.3).with_restitution(0.5, -0.8));
        break;
      case 4:
        laws.push_back(d == 4 ? ContactLaw::drilling(0.5, 0.4, 0.1) : ContactLaw::elliptic(0.5, 0));
        break;
      default:
        laws.push_back(ContactLaw::coulomb(0.4).with_traction(Eigen::Vector4d(0.2, 0.1, 0.1, 0),
                                                              Eigen::Vector4d(0.05, -0.02, 0.03, 0)));
    }
  return laws;
}

/// Free bodies of six degrees of freedom touching each other and the ground.
inline ContactProblem bodies_problem(unsigned seed, int d, int bodies, int contacts,
                                     std::vector<ContactLaw> laws) {
  NormalRandom random(seed);
  std::vector<Eigen::MatrixXd> M;
  std::vector<int> dof_start{0};
  for (int k = 0; k < bodies; ++k) {
    const Eigen::MatrixXd A = random.matrix(6, 6);
    M.push_back(A * A.transpose() + Eigen::MatrixXd::Identity(6, 6));
    dof_start.push_back(dof_start.back() + 6);
  }
  ContactJacobian H(d, dof_start);
  for (int i = 0; i < contacts; ++i) {
    H.add_contact();
    const int first = random.below(bodies), second = random.below(bodies);
    H.add_block(std::min(first, second), random.matrix(d, 6));
    if (first != second) H.add_block(std::max(first, second), random.matrix(d, 6));
  }
  return ContactProblem::from_mass(MassMatrix::block_diagonal(M), 2 * random.vector(6 * bodies), std::move(H),
                                   pressing_velocity(random, d, contacts), std::move(laws));
}

inline SolveOptions with(const std::string& solver, double tolerance) {
  SolveOptions options;
  options.solver = solver;
  options.tolerance = tolerance;
  return options;
}

inline Solution solve_with(const std::string& solver, const ContactProblem& problem,
                           double tolerance = 1e-8) {
  return solve(problem, with(solver, tolerance));
}

/// Inputs that break careless code: nothing at all, no way to move, no solution, huge and tiny units.
inline std::vector<ContactProblem> nasty_problems(int d) {
  const int n = 4;
  NormalRandom random(3);
  const Eigen::MatrixXd A = random.matrix(d * n, 3), W = A * A.transpose(),
                        none = Eigen::MatrixXd::Zero(d * n, d * n);
  const Eigen::VectorXd b = pressing_velocity(random, d, n), zero = Eigen::VectorXd::Zero(d * n);
  const auto make = [&](const Eigen::MatrixXd& matrix, const Eigen::VectorXd& velocity) {
    return ContactProblem::from_delassus(BlockMatrix::from_dense(matrix, d), velocity, mixed_laws(d, n));
  };
  return {make(none, b),           make(W, zero),          make(none, zero), make(W, b),
          make(1e6 * W, b),        make(1e-8 * W, b),      make(W, 1e6 * b), make(W, 1e-8 * b),
          make(1e-8 * W, 1e6 * b), make(1e6 * W, 1e-8 * b)};
}

/// Solves them without a NaN, never worse than doing nothing, and with a status that says which are solved.
inline void expect_honest_on_nasty_problems(const std::string& solver) {
  for (int d = 2; d <= 4; ++d)
    for (const ContactProblem& problem : nasty_problems(d)) {
      const Solution solution = solve_with(solver, problem);
      EXPECT_TRUE(solution.r.allFinite());
      EXPECT_LE(solution.report.certificate.error, 1 + 1e-12);
      EXPECT_EQ(solution.report.status == Status::converged, solution.report.certificate.error <= 1e-8);
    }
}

inline void expect_no_iteration_from_its_own_answer(const std::string& solver) {
  const ContactProblem problem = bodies_problem(1, 3, 6, 8, mixed_laws(3, 8));
  SolveOptions options;
  options.solver = solver;
  const Solution first = solve(problem, options);
  ASSERT_EQ(first.report.status, Status::converged);
  EXPECT_GT(first.report.iterations, 0);
  EXPECT_EQ(solve(problem, first.r, options).report.iterations, 0);
}

}  // namespace capstan::testing_support
