#pragma once
#include <Eigen/Cholesky>
#include <memory>
#include <mutex>
#include <optional>
#include <variant>
#include <vector>

#include "capstan/problem/banded_matrix.hpp"
#include "capstan/problem/sparse_cholesky.hpp"

namespace capstan {

/// A matrix known by its inverse: what is left of a large body where only some of its dofs matter.
struct Compliance {
  Eigen::MatrixXd G;  ///< symmetric, positive definite
};

/// The matrix of a large body of nodes with three unknowns each, factorised.
struct SparseBody {
  Eigen::SparseMatrix<double> lower;  ///< its lower half, by columns, rows rising
  SparseCholesky factor;
  std::vector<double> inverse;  ///< entries of the inverse at the places of the values of `lower`

  int nodes() const { return static_cast<int>(lower.cols()) / 3; }
  /// The 3 x 3 block of the inverse between two nodes, if the matrix couples them; else nothing.
  std::optional<Eigen::Matrix3d> inverse_block(int row, int column) const;
};

/// The nodes of a large body that contacts reach, many of them. The matrix that is meant is the inverse of
/// their block of the inverse, as with a compliance, but nothing dense is ever formed of it.
struct ReachedNodes {
  std::shared_ptr<const SparseBody> body;
  std::vector<int> nodes;
};

/// The block of M that belongs to one body: dense for a few dofs that are all coupled, banded for a chain,
/// compliance for a few points of a large body, reached nodes for many of them.
using BodyMatrix = std::variant<Eigen::MatrixXd, BandedMatrix, Compliance, ReachedNodes>;

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
  /// The reached nodes of a sparse body, which has no solve_lower; nullptr: it is not one.
  const ReachedNodes* reached() const { return std::get_if<ReachedNodes>(&factor_); }
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
  std::variant<DenseFactor, BandedCholesky, ComplianceFactor, ReachedNodes> factor_;
  bool positive_ = true;
};

}  // namespace capstan
