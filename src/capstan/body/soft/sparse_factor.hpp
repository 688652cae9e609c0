#pragma once
#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>

namespace capstan {

/// A = L L^T of a sparse matrix, whose pattern is analysed once.
class SparseFactor {
 public:
  /// `lower` is the lower half of A, of the same pattern at every call. Returns whether A is positive.
  bool factorise(const Eigen::SparseMatrix<double>& lower);
  bool empty() const { return !analysed_; }

  Eigen::VectorXd solve(const Eigen::VectorXd& f) const { return llt_.solve(f); }

  /// Solves for this many columns at a time: L is read once for all of them.
  static constexpr int kPanel = 12;
  using Panel = Eigen::Matrix<double, Eigen::Dynamic, kPanel, Eigen::RowMajor>;
  /// A^-1 times unit vectors, a column for each of `rows`, at most kPanel of them.
  Eigen::MatrixXd inverse_columns(const std::vector<int>& rows) const;

 private:
  Eigen::SimplicialLLT<Eigen::SparseMatrix<double>, Eigen::Lower> llt_;
  bool analysed_ = false;
};

}  // namespace capstan
