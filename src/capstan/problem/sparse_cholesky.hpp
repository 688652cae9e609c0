#pragma once
#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <cstddef>
#include <vector>

namespace capstan {

/// A = L L^T of a sparse, symmetric, positive definite matrix whose unknowns come in small groups (the three
/// of a node, the six of a rigid body). Multifrontal: columns of L with nearly the same pattern are kept as
/// one dense block (a front), so that nearly all the work is done by dense kernels, and the inverse can be
/// had at the places where A has entries without forming any more of it.
/// Groups are ordered by approximate minimum degree.
class SparseCholesky {
 public:
  /// Orders the unknowns and lays out L. `lower` is the lower half of A by columns, group_start the first
  /// unknown of each group and at the end their number. No values are read.
  void analyse(const Eigen::SparseMatrix<double>& lower, const std::vector<int>& group_start);
  /// The same pattern as analysed, with these values. Returns whether A is positive definite.
  bool factorise(const Eigen::SparseMatrix<double>& lower);
  bool analysed() const { return !front_start_.empty(); }

  int size() const { return static_cast<int>(place_.size()); }
  std::size_t entries() const { return L_.size(); }        ///< kept of L, some of them zero
  double multiply_adds() const { return multiply_adds_; }  ///< of one factorisation

  /// X <- A^-1 X, columns together.
  void solve_in_place(Eigen::Ref<Eigen::MatrixXd> X) const;
  Eigen::VectorXd solve(const Eigen::VectorXd& f) const;
  /// B^T A^-1 B, where B has non-zero rows `rows` (rising), given one below the other.
  Eigen::MatrixXd inverse_form(const std::vector<int>& rows, const Eigen::MatrixXd& B) const;
  /// The entries of A^-1 at the places of the values of `lower`, in their order.
  std::vector<double> inverse_on_pattern() const;

 private:
  using Block = Eigen::Map<Eigen::MatrixXd>;
  using ConstBlock = Eigen::Map<const Eigen::MatrixXd>;
  struct Symbolic;

  int fronts() const { return static_cast<int>(front_start_.size()) - 1; }
  int columns(int front) const { return front_start_[front + 1] - front_start_[front]; }
  int rows_below(int front) const { return row_start_[front + 1] - row_start_[front]; }
  int height(int front) const { return columns(front) + rows_below(front); }
  /// L of a front: its own columns, from their diagonal down.
  Block block(int front) { return {L_.data() + L_start_[front], height(front), columns(front)}; }
  ConstBlock block(int front) const { return {L_.data() + L_start_[front], height(front), columns(front)}; }
  void lay_out(const Eigen::SparseMatrix<double>& lower, const Symbolic& symbolic);
  void place_entries(const Eigen::SparseMatrix<double>& lower);
  void add_to_parent(int front, const Eigen::MatrixXd& update, std::vector<Eigen::MatrixXd>& updates);
  void solve_forward(int front, Eigen::MatrixXd& X, Eigen::MatrixXd& below) const;
  void solve_backward(int front, Eigen::MatrixXd& X, Eigen::MatrixXd& below) const;

  std::vector<int> place_;            // of each unknown in the order of elimination
  std::vector<int> front_start_;      // first column of each front, and at the end their number
  std::vector<int> parent_;           // of each front, -1: none
  std::vector<int> front_of_;         // of each column
  std::vector<int> row_start_, row_;  // rows below the columns of each front, rising
  std::vector<int> in_parent_;        // place of each of those rows in the parent's front
  std::vector<std::size_t> L_start_;
  std::vector<double> L_;
  std::vector<std::size_t> entry_;            // of each value of A, in L_
  std::vector<int> entries_start_, entries_;  // values of A by front
  double multiply_adds_ = 0;
};

}  // namespace capstan
