#pragma once
#include <Eigen/Core>
#include <Eigen/LU>
#include <optional>

/// Factorisations and products of dense matrices of any size. Eigen's are templates that take the compiler
/// seconds wherever they are used; here they are compiled once.
namespace capstan {

/// P A = L U. A singular A gives entries that are not finite.
class DenseLu {
 public:
  DenseLu() = default;
  explicit DenseLu(const Eigen::MatrixXd& A) { compute(A); }
  void compute(const Eigen::MatrixXd& A);
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;  ///< A^-1 b
  Eigen::MatrixXd solve(const Eigen::MatrixXd& B) const;  ///< A^-1 B

 private:
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
};

/// A^-1 b by L D L^T with pivots; A symmetric and semidefinite.
Eigen::VectorXd solve_semidefinite(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);
/// A^-1 b by L L^T; nothing unless A is positive definite.
std::optional<Eigen::VectorXd> solve_positive(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);
Eigen::MatrixXd product(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);  ///< A B
Eigen::MatrixXd gram_matrix(const Eigen::MatrixXd& J);                        ///< J^T J
double largest_eigenvalue(const Eigen::MatrixXd& symmetric);

}  // namespace capstan
