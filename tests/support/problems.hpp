#pragma once
#include <Eigen/Dense>
#include <random>
#include <vector>

#include "capstan/problem/contact_problem.hpp"

/// Small problems made from a seed, for tests that need many different ones.
namespace capstan::testing_support {

inline Eigen::MatrixXd random_matrix(std::mt19937& generator, int rows, int columns) {
  std::normal_distribution<double> normal;
  return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return normal(generator); });
}

inline std::vector<ContactLaw> coulomb_laws(int contacts, double mu = 0.5) {
  return std::vector<ContactLaw>(contacts, ContactLaw::coulomb(mu));
}

/// Bodies of `dofs` degrees of freedom, contacts between random pairs of them (a tenth with one body only).
inline ContactProblem random_bodies(int contacts, int bodies, int dofs, int dimension, unsigned seed,
                                    std::vector<ContactLaw> laws = {}) {
  std::mt19937 generator(seed);
  std::vector<Eigen::MatrixXd> blocks;
  std::vector<int> dof_start{0};
  for (int body = 0; body < bodies; ++body) {
    const Eigen::MatrixXd A = random_matrix(generator, dofs, dofs);
    blocks.push_back(A * A.transpose() + dofs * Eigen::MatrixXd::Identity(dofs, dofs));
    dof_start.push_back(dof_start.back() + dofs);
  }
  ContactJacobian H(dimension, dof_start);
  std::uniform_int_distribution<int> pick(0, bodies - 1);
  for (int i = 0; i < contacts; ++i) {
    H.add_contact();
    const int a = pick(generator), b = pick(generator);
    H.add_block(a, random_matrix(generator, dimension, dofs));
    if (a != b && i % 10 != 0) H.add_block(b, random_matrix(generator, dimension, dofs));
  }
  if (laws.empty()) laws = coulomb_laws(contacts, 0.5);
  const Eigen::VectorXd f = 5 * random_matrix(generator, dof_start.back(), 1);
  const Eigen::VectorXd w = 0.1 * random_matrix(generator, contacts * dimension, 1);
  return ContactProblem::from_mass(MassMatrix::block_diagonal(blocks), f, H, w, std::move(laws));
}

/// W = A A^T + shift I with A of the given rank, and b mostly approaching.
inline ContactProblem random_reduced(int contacts, int dimension, int rank, double shift, unsigned seed,
                                     std::vector<ContactLaw> laws = {}) {
  std::mt19937 generator(seed);
  const int rows = contacts * dimension;
  const Eigen::MatrixXd A = random_matrix(generator, rows, rank) / std::sqrt(double(rank));
  const Eigen::MatrixXd W = A * A.transpose() + shift * Eigen::MatrixXd::Identity(rows, rows);
  // b = A c is consistent even where W is singular, so that a solution exists.
  const Eigen::VectorXd b = A * random_matrix(generator, rank, 1);
  if (laws.empty()) laws = coulomb_laws(contacts, 0.4);
  return ContactProblem::from_delassus(BlockMatrix::from_dense(W, dimension), b, std::move(laws));
}

/// One mass point on a plane: M = mass I, contact frame = axes, moving with velocity v before the contact
/// acts.
inline ContactProblem mass_point(double mass, const Eigen::Vector3d& velocity, const ContactLaw& law) {
  ContactJacobian H(3, {0, 3});
  H.add_contact();
  H.add_block(0, Eigen::Matrix3d::Identity());
  return ContactProblem::from_mass(MassMatrix::block_diagonal({mass * Eigen::Matrix3d::Identity()}),
                                   mass * velocity, H, Eigen::Vector3d::Zero(), {law});
}

}  // namespace capstan::testing_support
