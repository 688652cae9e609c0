#include "capstan/body/soft/sparse_factor.hpp"

#include <algorithm>

namespace capstan {
namespace {

using Lower = Eigen::SparseMatrix<double>;

/// X <- L^-1 X, rows before `first` being zero.
void solve_lower(const Lower& L, int first, SparseFactor::Panel& X) {
  const int* const start = L.outerIndexPtr();
  const int* const row = L.innerIndexPtr();
  const double* const value = L.valuePtr();
  for (int j = first; j < L.cols(); ++j) {
    const int k = start[j];  // the diagonal
    X.row(j) /= value[k];
    const Eigen::Matrix<double, 1, SparseFactor::kPanel> x = X.row(j);
    for (int m = k + 1; m < start[j + 1]; ++m) X.row(row[m]).noalias() -= value[m] * x;
  }
}

/// X <- L^-T X.
void solve_upper(const Lower& L, SparseFactor::Panel& X) {
  const int* const start = L.outerIndexPtr();
  const int* const row = L.innerIndexPtr();
  const double* const value = L.valuePtr();
  for (int j = static_cast<int>(L.cols()) - 1; j >= 0; --j) {
    Eigen::Matrix<double, 1, SparseFactor::kPanel> x = X.row(j);
    for (int m = start[j] + 1; m < start[j + 1]; ++m) x.noalias() -= value[m] * X.row(row[m]);
    X.row(j) = x / value[start[j]];
  }
}

}  // namespace

bool SparseFactor::factorise(const Lower& lower) {
  if (!analysed_) llt_.analyzePattern(lower);
  analysed_ = true;
  llt_.factorize(lower);
  return llt_.info() == Eigen::Success;
}

Eigen::MatrixXd SparseFactor::inverse_columns(const std::vector<int>& rows) const {
  const Lower& L = llt_.matrixL().nestedExpression();
  const auto& order = llt_.permutationP().indices();  // row i of A is row order[i] of L
  Panel X = Panel::Zero(L.rows(), kPanel);
  int first = static_cast<int>(L.rows());
  for (std::size_t c = 0; c < rows.size(); ++c) {
    X(order[rows[c]], Eigen::Index(c)) = 1;
    first = std::min(first, order[rows[c]]);
  }
  solve_lower(L, first, X);
  solve_upper(L, X);
  Eigen::MatrixXd result(L.rows(), Eigen::Index(rows.size()));
  for (int i = 0; i < L.rows(); ++i) result.row(i) = X.row(order[i]).head(Eigen::Index(rows.size()));
  return result;
}

}  // namespace capstan
