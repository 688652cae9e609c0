#include "capstan/problem/body_matrix.hpp"

namespace capstan {
namespace {

/// Rows above the first one that is not zero stay zero under L^-1.
int first_row_of(const Eigen::Ref<const Eigen::MatrixXd>& X) {
  for (int row = 0; row < X.rows(); ++row)
    if ((X.row(row).array() != 0).any()) return row;
  return static_cast<int>(X.rows());
}

}  // namespace

int size_of(const BodyMatrix& A) {
  if (const auto* dense = std::get_if<Eigen::MatrixXd>(&A)) return static_cast<int>(dense->rows());
  return std::get<BandedMatrix>(A).size();
}

BodyFactor::BodyFactor(const BodyMatrix& A) {
  if (const auto* dense = std::get_if<Eigen::MatrixXd>(&A)) {
    auto& factor = factor_.emplace<Eigen::LLT<Eigen::MatrixXd>>(*dense);
    positive_ = factor.info() == Eigen::Success;
  } else {
    positive_ = factor_.emplace<BandedCholesky>(std::get<BandedMatrix>(A)).is_positive();
  }
}

Eigen::VectorXd BodyFactor::solve(const Eigen::VectorXd& f) const {
  if (const auto* dense = std::get_if<Eigen::LLT<Eigen::MatrixXd>>(&factor_)) return dense->solve(f);
  return std::get<BandedCholesky>(factor_).solve(f);
}

void BodyFactor::solve_lower(Eigen::Ref<Eigen::MatrixXd> X) const {
  if (const auto* dense = std::get_if<Eigen::LLT<Eigen::MatrixXd>>(&factor_))
    dense->matrixL().solveInPlace(X);
  else
    std::get<BandedCholesky>(factor_).solve_lower(X, first_row_of(X));
}

void BodyFactor::solve_in_place(Eigen::Ref<Eigen::MatrixXd> X) const {
  solve_lower(X);
  if (const auto* dense = std::get_if<Eigen::LLT<Eigen::MatrixXd>>(&factor_))
    dense->matrixU().solveInPlace(X);
  else
    std::get<BandedCholesky>(factor_).solve_upper(X);
}

}  // namespace capstan
