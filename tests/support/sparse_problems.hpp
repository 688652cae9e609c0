#pragma once
#include <Eigen/Dense>
#include <memory>
#include <random>
#include <vector>

#include "capstan/problem/contact_problem.hpp"
#include "support/problems.hpp"

namespace capstan::testing_support {

/// The first unknown of each of so many nodes, and at the end their number.
inline std::vector<int> starts_of_nodes(int nodes) {
  std::vector<int> start;
  for (int k = 0; k <= nodes; ++k) start.push_back(3 * k);
  return start;
}

/// The lower half of a positive definite matrix of side x side nodes, each coupled to its neighbours, also
/// across diagonals, by random blocks.
inline Eigen::SparseMatrix<double> sheet_matrix(int side, unsigned seed) {
  std::mt19937 generator(seed);
  const int n = 3 * side * side;
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n, n);
  for (int a = 0; a < side * side; ++a)
    for (int b = a + 1; b < side * side; ++b) {
      const int across = std::abs(a % side - b % side), along = std::abs(a / side - b / side);
      if (across > 1 || along > 1) continue;
      const Eigen::MatrixXd C = random_matrix(generator, 3, 3), S = C * C.transpose();  // a spring
      A.block<3, 3>(3 * a, 3 * a) += S;
      A.block<3, 3>(3 * b, 3 * b) += S;
      A.block<3, 3>(3 * b, 3 * a) -= S;
    }
  A += 0.5 * Eigen::MatrixXd::Identity(n, n);
  return Eigen::MatrixXd(A.triangularView<Eigen::Lower>()).sparseView();
}

inline Eigen::MatrixXd whole(const Eigen::SparseMatrix<double>& lower) {
  return Eigen::MatrixXd(lower).selfadjointView<Eigen::Lower>();
}

inline std::shared_ptr<const SparseBody> factorised(const Eigen::SparseMatrix<double>& lower) {
  auto body = std::make_shared<SparseBody>();
  body->lower = lower;
  body->factor.analyse(lower, starts_of_nodes(static_cast<int>(lower.cols()) / 3));
  EXPECT_TRUE(body->factor.factorise(lower));
  body->inverse = body->factor.inverse_on_pattern();
  return body;
}

/// A sheet, of which all nodes but every fourth are reached, over obstacles, on some rigid bodies, and on
/// itself. Two rigid bodies more touch each other alone.
inline ContactProblem sheet_problem(int side, int dimension, unsigned seed) {
  std::mt19937 generator(seed);
  ReachedNodes reached{factorised(sheet_matrix(side, seed)), {}};
  std::vector<int> start{0};
  for (int k = 0; k < side * side; ++k)
    if (k % 4 != 3) {
      reached.nodes.push_back(k);
      start.push_back(start.back() + 3);
    }
  const int nodes = static_cast<int>(reached.nodes.size());
  std::vector<BodyMatrix> blocks{reached};
  for (int k = 0; k < 4; ++k) {
    const Eigen::MatrixXd C = random_matrix(generator, 6, 6);
    blocks.emplace_back(Eigen::MatrixXd(C * C.transpose() + 3 * Eigen::MatrixXd::Identity(6, 6)));
    start.push_back(start.back() + 6);
  }
  ContactJacobian H(dimension, start);
  const auto add = [&](int body) {
    H.add_block(body, random_matrix(generator, dimension, start[body + 1] - start[body]));
  };
  for (int i = 0; i < nodes; ++i) {
    H.add_contact();
    add(i);
    if (i % 3 == 0 && i + 1 < nodes) add(i + 1);
    if (i % 5 == 0) add((i + nodes / 2) % nodes == i + 1 ? (i + 2) % nodes : (i + nodes / 2) % nodes);
    if (i % 4 == 0) add(nodes + i / 4 % 2);
  }
  H.add_contact();
  add(nodes + 2);
  add(nodes + 3);
  const int contacts = H.contacts();
  std::vector<ContactLaw> laws;
  for (int i = 0; i < contacts; ++i) laws.push_back(ContactLaw::coulomb(0.1 * (i % 8)));
  const Eigen::VectorXd f = random_matrix(generator, start.back(), 1),
                        w = random_matrix(generator, dimension * contacts, 1);
  return ContactProblem::from_mass(MassMatrix::from_bodies(blocks), f, H, w, laws);
}

/// The same problem with each sparse body known by the dense inverse of its reached nodes.
inline ContactProblem dense_form(const ContactProblem& problem) {
  const MassMatrix& M = problem.mass();
  const std::vector<int> block_of = blocks_of_bodies(M, problem.H());
  std::vector<BodyMatrix> blocks;
  for (int k = 0; k < M.bodies(); ++k) {
    const int size = M.dof_starts()[k + 1] - M.dof_starts()[k];
    if (!M.factor(k).reached()) {
      blocks.push_back(M.block(k));
      continue;
    }
    Eigen::MatrixXd G = Eigen::MatrixXd::Identity(size, size);
    M.factor(k).solve_in_place(G);
    blocks.emplace_back(Compliance{0.5 * (G + G.transpose())});
  }
  ContactJacobian H(problem.dimension(), M.dof_starts());
  for (int i = 0; i < problem.contacts(); ++i) {
    H.add_contact();
    std::vector<int> done;
    for (int k = problem.H().begin(i); k < problem.H().end(i); ++k) {
      const int block = block_of[problem.H().body(k)];
      if (std::find(done.begin(), done.end(), block) != done.end()) continue;
      done.push_back(block);
      Eigen::MatrixXd all = Eigen::MatrixXd::Zero(problem.dimension(), H.body_dofs(block));
      for (int other = k; other < problem.H().end(i); ++other)
        if (const int body = problem.H().body(other); block_of[body] == block)
          all.middleCols(problem.H().dof_start(body) - H.dof_start(block), problem.H().body_dofs(body)) =
              problem.H().block(other);
      H.add_block(block, all);
    }
  }
  return ContactProblem::from_mass(MassMatrix::from_bodies(blocks), problem.f(), H, problem.w(),
                                   problem.laws());
}

}  // namespace capstan::testing_support
