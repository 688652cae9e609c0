#pragma once
#include <Eigen/SparseCore>
#include <utility>
#include <vector>

namespace capstan {

/// A symmetric matrix of 3 x 3 blocks, a row and a column a node, whose pattern stays the same. Only blocks
/// (i, j) with i >= j are kept.
class NodeMatrix {
 public:
  NodeMatrix() = default;
  /// Pairs of different nodes that are coupled, in any order, repeated or not.
  NodeMatrix(int nodes, const std::vector<std::pair<int, int>>& couplings);

  int nodes() const { return static_cast<int>(start_.size()) - 1; }
  void set_zero();
  /// Adds to block (i, j), and its transpose to (j, i). The pair must be coupled.
  void add(int i, int j, const Eigen::Matrix3d& block);
  NodeMatrix& operator+=(const NodeMatrix& other);  ///< of the same pattern
  NodeMatrix& operator*=(double factor);

  /// y = A x, one column a node.
  Eigen::Matrix3Xd times(const Eigen::Matrix3Xd& x) const;
  /// The lower half over the nodes of `keep`, whose number is their place there; the pattern depends on
  /// `keep` alone. `index`: place of each node in `keep`, -1: not there.
  Eigen::SparseMatrix<double> lower(const std::vector<int>& keep, const std::vector<int>& index) const;

 private:
  int find(int row, int column) const;

  std::vector<int> start_{0},
      row_;  // by columns: rows of column j begin at start_[j], rising, j itself first
  std::vector<Eigen::Matrix3d> block_;
};

}  // namespace capstan
