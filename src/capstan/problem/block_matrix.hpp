#pragma once
#include <Eigen/SparseCore>
#include <cstddef>
#include <span>
#include <vector>

namespace capstan {

/// A dense matrix read where it is, row by row or column by column.
using DenseView = Eigen::Ref<const Eigen::MatrixXd, 0, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>;
/// Compressed rows read where they are.
using RowsView = Eigen::Ref<const Eigen::SparseMatrix<double, Eigen::RowMajor>>;

/// Square matrix of d x d blocks in compressed rows: the Delassus operator W, one block row a contact.
/// Blocks are stored row by row, each column-major; every diagonal block is present. W need not be symmetric.
class BlockMatrix {
 public:
  BlockMatrix() = default;
  BlockMatrix(int block, int rows) : block_(block), row_start_(rows + 1, 0) {}

  /// Blocks of d x d that hold at least one stored entry; the diagonal blocks are always made.
  static BlockMatrix from_sparse(const RowsView& matrix, int block);
  static BlockMatrix from_dense(const DenseView& matrix, int block);
  /// Blocks of d x d, each stored row by row, in compressed block rows as others keep them: columns in any
  /// order, and blocks that are there twice add up. The diagonal blocks are always made.
  static BlockMatrix from_blocks(int block, std::span<const int> row_start, std::span<const int> column,
                                 const double* values);
  /// The structure is given (columns sorted in each row, diagonal included); values are zero.
  static BlockMatrix from_pattern(int block, std::vector<int> row_start, std::vector<int> column);

  int block() const { return block_; }
  int rows() const { return static_cast<int>(row_start_.size()) - 1; }
  int blocks() const { return static_cast<int>(column_.size()); }
  int row_begin(int row) const { return row_start_[row]; }
  int row_end(int row) const { return row_start_[row + 1]; }
  int column(int entry) const { return column_[entry]; }
  int diagonal(int row) const { return diagonal_[row]; }  ///< entry of the diagonal block
  double* values(int entry) { return values_.data() + std::size_t(entry) * block_ * block_; }
  const double* values(int entry) const { return values_.data() + std::size_t(entry) * block_ * block_; }
  Eigen::Map<const Eigen::MatrixXd> at(int entry) const { return {values(entry), block_, block_}; }
  Eigen::Map<Eigen::MatrixXd> at(int entry) { return {values(entry), block_, block_}; }

  /// y = this x.
  void multiply(const Eigen::VectorXd& x, Eigen::VectorXd& y) const;
  /// diag(scale) this diag(scale), in place.
  void scale(const Eigen::VectorXd& scale);
  Eigen::MatrixXd dense() const;
  /// Zeros inside blocks are kept, so that the pattern is that of the blocks.
  Eigen::SparseMatrix<double, Eigen::RowMajor> sparse() const;
  /// The rows and columns of `keep`, renumbered; couplings to other rows are left out.
  BlockMatrix restricted(const std::vector<int>& keep) const;

 private:
  void find_diagonal();

  int block_ = 3;
  std::vector<int> row_start_{0}, column_, diagonal_;
  std::vector<double> values_;
};

}  // namespace capstan
