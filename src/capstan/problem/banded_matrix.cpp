#include "capstan/problem/banded_matrix.hpp"

#include <algorithm>
#include <cmath>

namespace capstan {

void BandedMatrix::add_block(int at, const Eigen::Ref<const Eigen::MatrixXd>& block) {
  for (int j = 0; j < block.cols(); ++j)
    for (int i = j; i < block.rows(); ++i) this->at(at + i, at + j) += block(i, j);
}

Eigen::VectorXd BandedMatrix::operator*(const Eigen::VectorXd& x) const {
  const int n = size(), b = half_bandwidth();
  Eigen::VectorXd y = Eigen::VectorXd::Zero(n);
  for (int j = 0; j < n; ++j) {
    y[j] += lower_(0, j) * x[j];
    for (int k = 1; k <= std::min(b, n - 1 - j); ++k) {
      y[j + k] += lower_(k, j) * x[j];
      y[j] += lower_(k, j) * x[j + k];
    }
  }
  return y;
}

Eigen::MatrixXd BandedMatrix::dense() const {
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(size(), size());
  for (int j = 0; j < size(); ++j)
    for (int k = 0; k <= std::min(half_bandwidth(), size() - 1 - j); ++k)
      A(j + k, j) = A(j, j + k) = lower_(k, j);
  return A;
}

BandedCholesky::BandedCholesky(const BandedMatrix& A) : lower_(A.lower_) {
  const int n = A.size(), b = A.half_bandwidth();
  for (int j = 0; j < n; ++j) {
    const double pivot = lower_(0, j);
    if (!(pivot > 0) || !std::isfinite(pivot)) {
      positive_ = false;
      return;
    }
    const int m = std::min(b, n - 1 - j);
    const double root = std::sqrt(pivot);
    lower_(0, j) = root;
    lower_.col(j).segment(1, m) /= root;
    for (int k = 1; k <= m; ++k)
      lower_.col(j + k).head(m - k + 1) -= lower_(k, j) * lower_.col(j).segment(k, m - k + 1);
  }
}

void BandedCholesky::solve_lower(Eigen::Ref<Eigen::MatrixXd> x, int first) const {
  const int n = static_cast<int>(lower_.cols()), b = static_cast<int>(lower_.rows()) - 1;
  for (int c = 0; c < x.cols(); ++c)
    for (int j = first; j < n; ++j) {
      const int m = std::min(b, n - 1 - j);
      x(j, c) /= lower_(0, j);
      x.col(c).segment(j + 1, m) -= x(j, c) * lower_.col(j).segment(1, m);
    }
}

void BandedCholesky::solve_upper(Eigen::Ref<Eigen::MatrixXd> x) const {
  const int n = static_cast<int>(lower_.cols()), b = static_cast<int>(lower_.rows()) - 1;
  for (int c = 0; c < x.cols(); ++c)
    for (int j = n - 1; j >= 0; --j) {
      const int m = std::min(b, n - 1 - j);
      x(j, c) = (x(j, c) - lower_.col(j).segment(1, m).dot(x.col(c).segment(j + 1, m))) / lower_(0, j);
    }
}

Eigen::VectorXd BandedCholesky::solve(Eigen::VectorXd x) const {
  solve_lower(x);
  solve_upper(x);
  return x;
}

}  // namespace capstan
