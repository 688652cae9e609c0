#pragma once
#include <Eigen/Cholesky>
#include <memory>
#include <mutex>
#include <variant>
#include <vector>

#include "capstan/problem/banded_matrix.hpp"

namespace capstan {

/// A matrix known by its inverse: what is left of a large body where only some of its dofs matter.
struct Compliance {
  Eigen::MatrixXd G;  ///< symmetric, positive definite
};

/// The block of M that belongs to one body: dense for a few dofs that are all coupled, banded for a chain,
/// compliance for a few points of a large body.
using BodyMatrix = std::variant<Eigen::MatrixXd, BandedMatrix, Compliance>;

int size_of(const BodyMatrix& A);
Eigen::MatrixXd dense(const BodyMatrix& A);

/// A = L L^T.
class BodyFactor {
 public:
  explicit BodyFactor(const BodyMatrix& A);
  bool is_positive() const { return positive_; }
  Eigen::VectorXd solve(const Eigen::VectorXd& f) const;     ///< A^-1 f
  void solve_lower(Eigen::Ref<Eigen::MatrixXd> X) const;     ///< X <- L^-1 X
  void solve_in_place(Eigen::Ref<Eigen::MatrixXd> X) const;  ///< X <- A^-1 X
  /// Whether a contact uses few columns of H and W is best formed from H and A^-1 H^T, those columns alone.
  bool is_large() const { return !std::holds_alternative<DenseFactor>(factor_); }
  bool is_compliance() const { return std::holds_alternative<ComplianceFactor>(factor_); }
  /// A^-1 H^T of a block H (d x dofs) of which only these columns are not zero.
  Eigen::MatrixXd apply_inverse(const Eigen::Ref<const Eigen::MatrixXd>& H,
                                const std::vector<int>& columns) const;

 private:
  using DenseFactor = Eigen::LLT<Eigen::MatrixXd>;
  /// G = C C^T, so that L^-1 = C^T; C is made when it is first asked for, which is seldom.
  struct ComplianceFactor {
    struct Lazy {
      Eigen::MatrixXd G;
      std::once_flag once;
      Eigen::MatrixXd C;
    };
    std::shared_ptr<Lazy> lazy;
    const Eigen::MatrixXd& G() const { return lazy->G; }
    const Eigen::MatrixXd& C() const;
  };
  std::variant<DenseFactor, BandedCholesky, ComplianceFactor> factor_;
  bool positive_ = true;
};

}  // namespace capstan
