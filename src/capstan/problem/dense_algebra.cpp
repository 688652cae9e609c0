#include "capstan/problem/dense_algebra.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

namespace capstan {

void DenseLu::compute(const Eigen::MatrixXd& A) { lu_.compute(A); }

Eigen::VectorXd DenseLu::solve(const Eigen::VectorXd& b) const { return lu_.solve(b); }

Eigen::MatrixXd DenseLu::solve(const Eigen::MatrixXd& B) const { return lu_.solve(B); }

Eigen::VectorXd solve_semidefinite(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  return Eigen::LDLT<Eigen::MatrixXd>(A).solve(b);
}

std::optional<Eigen::VectorXd> solve_positive(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  const Eigen::LLT<Eigen::MatrixXd> factor(A);
  if (factor.info() != Eigen::Success) return std::nullopt;
  return factor.solve(b);
}

Eigen::MatrixXd product(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) { return A * B; }

Eigen::MatrixXd gram_matrix(const Eigen::MatrixXd& J) { return J.transpose() * J; }

double largest_eigenvalue(const Eigen::MatrixXd& symmetric) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(symmetric, Eigen::EigenvaluesOnly)
      .eigenvalues()
      .maxCoeff();
}

}  // namespace capstan
