#pragma once
#include <Eigen/Cholesky>
#include <variant>

#include "capstan/problem/banded_matrix.hpp"

namespace capstan {

/// The block of M that belongs to one body: dense for a few dofs that are all coupled, banded for a chain.
using BodyMatrix = std::variant<Eigen::MatrixXd, BandedMatrix>;

int size_of(const BodyMatrix& A);

/// A = L L^T.
class BodyFactor {
 public:
  explicit BodyFactor(const BodyMatrix& A);
  bool is_positive() const { return positive_; }
  Eigen::VectorXd solve(const Eigen::VectorXd& f) const;     ///< A^-1 f
  void solve_lower(Eigen::Ref<Eigen::MatrixXd> X) const;     ///< X <- L^-1 X
  void solve_in_place(Eigen::Ref<Eigen::MatrixXd> X) const;  ///< X <- A^-1 X
  bool is_banded() const { return std::holds_alternative<BandedCholesky>(factor_); }

 private:
  std::variant<Eigen::LLT<Eigen::MatrixXd>, BandedCholesky> factor_;
  bool positive_ = true;
};

}  // namespace capstan
