#pragma once
#include <Eigen/Dense>
#include <Eigen/SparseCholesky>
#include <functional>
#include <memory>
#include <variant>
#include <vector>

#include "capstan/executor.hpp"
#include "capstan/problem/body_matrix.hpp"

namespace capstan {

/// M of M v = f + H^T r, symmetric positive definite, factorised once: dense or banded blocks on the diagonal
/// (one a body), one sparse matrix, or a user's operator that applies M^-1.
class MassMatrix {
 public:
  using Operator = std::function<Eigen::VectorXd(const Eigen::VectorXd&)>;

  static MassMatrix block_diagonal(const std::vector<Eigen::MatrixXd>& blocks);
  /// One block a body, dense or banded; factorised on all threads.
  static MassMatrix from_bodies(std::vector<BodyMatrix> blocks, const Executor& executor = serial_executor());
  /// A sparse matrix is split into dense diagonal blocks where its pattern allows it. `preferred_block` is
  /// the usual number of dofs of a body (6 in space, 3 in the plane): smaller couplings are grouped to it.
  static MassMatrix sparse(const Eigen::SparseMatrix<double>& M, int preferred_block);
  /// solve(f) returns M^-1 f. M must be symmetric and positive; it cannot be checked here.
  static MassMatrix from_operator(int dofs, Operator solve);

  int dofs() const { return dof_start_.back(); }
  int bodies() const { return static_cast<int>(dof_start_.size()) - 1; }
  /// First dof of each body, then the total. Dofs of different bodies are not coupled by M. With sparse
  /// bodies, H has a body for each of their nodes.
  const std::vector<int>& dof_starts() const { return dof_start_; }
  /// Whether each body has a small or banded block, with a factor of its own.
  bool is_block_diagonal() const { return std::holds_alternative<Blocks>(*data_) && !has_sparse_bodies(); }
  bool has_compliance() const;  ///< whether a block is known by its inverse
  /// Whether there are bodies with many reached nodes, next to small ones.
  bool has_sparse_bodies() const { return has_sparse_bodies_; }
  /// These bodies alone, renumbered; the factors are copied. Not for one sparse matrix or an operator.
  MassMatrix restricted(const std::vector<int>& bodies) const;

  /// M^-1 f.
  Eigen::VectorXd solve(const Eigen::VectorXd& f, const Executor& executor = serial_executor()) const;
  void solve_in_place(Eigen::MatrixXd& X) const;  ///< X <- M^-1 X
  /// L with L L^T = the block of `body`; not for one sparse matrix or an operator.
  const BodyFactor& factor(int body) const { return std::get<Blocks>(*data_).factors[body]; }
  const BodyMatrix& block(int body) const { return std::get<Blocks>(*data_).M[body]; }
  /// M itself; 0 x 0 for an operator, whose matrix nobody knows.
  Eigen::SparseMatrix<double> matrix() const;

 private:
  struct Blocks {
    std::vector<BodyMatrix> M;
    std::vector<BodyFactor> factors;
  };
  struct Sparse {
    Eigen::SparseMatrix<double> M;
    Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> factor;
  };
  std::vector<int> dof_start_{0};
  bool has_sparse_bodies_ = false;
  using Data = std::variant<Blocks, Sparse, Operator>;
  std::shared_ptr<const Data> data_;  // shared: a factorisation is never changed
};

}  // namespace capstan
