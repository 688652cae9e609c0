#pragma once
#include <Eigen/SparseCore>
#include <vector>

#include "capstan/problem/canonical_problem.hpp"

namespace capstan {

/// K = M + sum_i H_i^T B_i H_i over all unknowns: those of small bodies, and of all nodes of sparse bodies,
/// touched or not. So written, M is sparse.
class SparseSystem {
 public:
  explicit SparseSystem(const NodeSpace& space);

  int size() const { return group_start_.back(); }
  const SparseCholesky& factor() const { return factor_; }

  Eigen::VectorXd load() const;                                ///< f, spread over all unknowns
  Eigen::VectorXd solve_mass(const Eigen::VectorXd& b) const;  ///< M^-1 b
  Eigen::VectorXd multiply_mass(const Eigen::VectorXd& v) const;
  Eigen::VectorXd multiply(const Eigen::VectorXd& v) const;             ///< H v
  Eigen::VectorXd multiply_transposed(const Eigen::VectorXd& x) const;  ///< H^T x

  /// K with these d x d symmetric B_i, side by side. Returns whether it could be factorised.
  bool factorise(const Eigen::MatrixXd& B);
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const { return factor_.solve(b); }  ///< K^-1 b

 private:
  /// Two entries of H of one contact, and where the product of their columns goes in each column of K.
  struct Pair {
    int contact, row_entry, column_entry;
    int offset;  ///< after the rows of the column's own group, -1: that group itself
  };
  void lay_out_groups();
  void lay_out_columns();
  void put_mass();
  void find_pairs();
  int width(int group) const { return group_start_[group + 1] - group_start_[group]; }
  int start_of(int entry) const { return group_start_[group_of_[space_.H.body(entry)]]; }

  const NodeSpace& space_;
  std::vector<int> group_of_;                 // of each body of H
  std::vector<int> group_start_;              // first unknown
  std::vector<int> first_group_;              // of each block of M
  std::vector<std::vector<int>> row_groups_;  // below the diagonal, rising, by columns
  std::vector<std::vector<int>> row_offset_;  // of each of them in a column
  std::vector<Pair> pairs_;
  Eigen::SparseMatrix<double> mass_, K_;  // lower halves of one pattern
  SparseCholesky factor_;
};

}  // namespace capstan
