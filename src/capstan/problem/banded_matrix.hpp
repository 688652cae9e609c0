#pragma once
#include <Eigen/Core>

namespace capstan {

/// Symmetric matrix of half-bandwidth b (entries with |i - j| <= b), lower half stored column by column:
/// what a chain of nodes has. Factorised in O(n b^2).
class BandedMatrix {
 public:
  BandedMatrix() = default;
  BandedMatrix(int size, int half_bandwidth) : lower_(Eigen::MatrixXd::Zero(half_bandwidth + 1, size)) {}

  int size() const { return static_cast<int>(lower_.cols()); }
  int half_bandwidth() const { return static_cast<int>(lower_.rows()) - 1; }
  double& at(int row, int column) { return lower_(row - column, column); }  ///< row >= column
  double at(int row, int column) const { return lower_(row - column, column); }
  void set_zero() { lower_.setZero(); }
  /// A(i..., i...) += block, which is symmetric; only its lower half is read.
  void add_block(int at, const Eigen::Ref<const Eigen::MatrixXd>& block);
  Eigen::VectorXd operator*(const Eigen::VectorXd& x) const;
  Eigen::MatrixXd dense() const;

 private:
  friend class BandedCholesky;
  Eigen::MatrixXd lower_;  // (k, j) = A(j + k, j)
};

/// L L^T of a banded matrix.
class BandedCholesky {
 public:
  BandedCholesky() = default;
  explicit BandedCholesky(const BandedMatrix& A);
  bool is_positive() const { return positive_; }
  /// x <- L^-1 x, starting at `first`, the first row where x is not zero.
  void solve_lower(Eigen::Ref<Eigen::MatrixXd> x, int first = 0) const;
  void solve_upper(Eigen::Ref<Eigen::MatrixXd> x) const;  ///< x <- L^-T x
  Eigen::VectorXd solve(Eigen::VectorXd x) const;

 private:
  Eigen::MatrixXd lower_;
  bool positive_ = true;
};

}  // namespace capstan
