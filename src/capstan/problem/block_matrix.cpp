#include "capstan/problem/block_matrix.hpp"

#include <algorithm>
#include <cassert>

#include "capstan/cone/second_order_cone.hpp"

namespace capstan {

BlockMatrix BlockMatrix::from_pattern(int block, std::vector<int> row_start, std::vector<int> column) {
  BlockMatrix result;
  result.block_ = block;
  result.row_start_ = std::move(row_start);
  result.column_ = std::move(column);
  result.values_.assign(result.column_.size() * block * block, 0.0);
  result.find_diagonal();
  return result;
}

void BlockMatrix::find_diagonal() {
  diagonal_.assign(rows(), -1);
  for (int i = 0; i < rows(); ++i)
    for (int k = row_start_[i]; k < row_start_[i + 1]; ++k)
      if (column_[k] == i) diagonal_[i] = k;
  assert(std::none_of(diagonal_.begin(), diagonal_.end(), [](int k) { return k < 0; }));
}

namespace {

/// The pattern of a matrix whose entries come row by row, in any order within a row; the diagonal is always
/// in it.
class PatternBuilder {
 public:
  explicit PatternBuilder(int rows) : seen_(rows, -1) {}
  void begin_row() { add(row()); }
  void add(int column) {
    if (seen_[column] == row()) return;
    seen_[column] = row();
    column_.push_back(column);
  }
  void end_row() {
    std::sort(column_.begin() + row_start_.back(), column_.end());
    row_start_.push_back(static_cast<int>(column_.size()));
  }
  BlockMatrix matrix(int block) && {
    return BlockMatrix::from_pattern(block, std::move(row_start_), std::move(column_));
  }

 private:
  int row() const { return static_cast<int>(row_start_.size()) - 1; }
  std::vector<int> row_start_{0}, column_, seen_;
};

}  // namespace

BlockMatrix BlockMatrix::from_sparse(const RowsView& matrix, int block) {
  const int rows = static_cast<int>(matrix.rows()) / block;
  PatternBuilder pattern(rows);
  for (int i = 0; i < rows; ++i) {
    pattern.begin_row();
    for (int a = 0; a < block; ++a)
      for (RowsView::InnerIterator it(matrix, i * block + a); it; ++it)
        pattern.add(static_cast<int>(it.col()) / block);
    pattern.end_row();
  }
  BlockMatrix result = std::move(pattern).matrix(block);
  std::vector<int> entry(rows, -1);
  for (int i = 0; i < rows; ++i) {
    for (int k = result.row_begin(i); k < result.row_end(i); ++k) entry[result.column_[k]] = k;
    for (int a = 0; a < block; ++a)
      for (RowsView::InnerIterator it(matrix, i * block + a); it; ++it) {
        const int j = static_cast<int>(it.col());
        result.values(entry[j / block])[a + block * (j % block)] += it.value();
      }
  }
  return result;
}

BlockMatrix BlockMatrix::from_blocks(int block, std::span<const int> row_start, std::span<const int> column,
                                     const double* values) {
  const int rows = static_cast<int>(row_start.size()) - 1;
  PatternBuilder pattern(rows);
  for (int i = 0; i < rows; ++i) {
    pattern.begin_row();
    for (int k = row_start[i]; k < row_start[i + 1]; ++k) pattern.add(column[k]);
    pattern.end_row();
  }
  BlockMatrix result = std::move(pattern).matrix(block);
  using RowByRow = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  std::vector<int> entry(rows, -1);
  for (int i = 0; i < rows; ++i) {
    for (int k = result.row_begin(i); k < result.row_end(i); ++k) entry[result.column_[k]] = k;
    for (int k = row_start[i]; k < row_start[i + 1]; ++k)
      result.at(entry[column[k]]) +=
          Eigen::Map<const RowByRow>(values + std::size_t(k) * block * block, block, block);
  }
  return result;
}

BlockMatrix BlockMatrix::from_dense(const DenseView& matrix, int block) {
  const int rows = static_cast<int>(matrix.rows()) / block;
  std::vector<int> row_start{0}, column;
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < rows; ++j)
      if (i == j || (matrix.block(i * block, j * block, block, block).array() != 0).any())
        column.push_back(j);
    row_start.push_back(static_cast<int>(column.size()));
  }
  BlockMatrix result = from_pattern(block, std::move(row_start), std::move(column));
  for (int i = 0; i < rows; ++i)
    for (int k = result.row_begin(i); k < result.row_end(i); ++k)
      result.at(k) = matrix.block(i * block, result.column_[k] * block, block, block);
  return result;
}

void BlockMatrix::multiply(const Eigen::VectorXd& x, Eigen::VectorXd& y) const {
  y.resize(Eigen::Index(rows()) * block_);
  cone::with_dimension(block_, [&]<int D>() {
    for (int i = 0; i < rows(); ++i) {
      cone::Vector<D> sum = cone::Vector<D>::Zero();
      for (int k = row_start_[i]; k < row_start_[i + 1]; ++k)
        sum.noalias() +=
            Eigen::Map<const cone::Matrix<D>>(values(k)) * x.segment<D>(Eigen::Index(column_[k]) * D);
      y.segment<D>(Eigen::Index(i) * D) = sum;
    }
  });
}

void BlockMatrix::scale(const Eigen::VectorXd& s) {
  for (int i = 0; i < rows(); ++i)
    for (int k = row_start_[i]; k < row_start_[i + 1]; ++k)
      at(k) = s.segment(i * block_, block_).asDiagonal() * at(k) *
              s.segment(column_[k] * block_, block_).asDiagonal();
}

Eigen::MatrixXd BlockMatrix::dense() const {
  Eigen::MatrixXd result =
      Eigen::MatrixXd::Zero(Eigen::Index(rows()) * block_, Eigen::Index(rows()) * block_);
  for (int i = 0; i < rows(); ++i)
    for (int k = row_start_[i]; k < row_start_[i + 1]; ++k)
      result.block(i * block_, column_[k] * block_, block_, block_) = at(k);
  return result;
}

Eigen::SparseMatrix<double, Eigen::RowMajor> BlockMatrix::sparse() const {
  const Eigen::Index size = Eigen::Index(rows()) * block_;
  Eigen::SparseMatrix<double, Eigen::RowMajor> result(size, size);
  std::vector<Eigen::Triplet<double>> triplets;
  triplets.reserve(values_.size());
  for (int i = 0; i < rows(); ++i)
    for (int k = row_start_[i]; k < row_start_[i + 1]; ++k)
      for (int b = 0; b < block_; ++b)
        for (int a = 0; a < block_; ++a)
          triplets.emplace_back(i * block_ + a, column_[k] * block_ + b, values(k)[a + block_ * b]);
  result.setFromTriplets(triplets.begin(), triplets.end());
  return result;
}

BlockMatrix BlockMatrix::restricted(const std::vector<int>& keep) const {
  std::vector<int> renumbered(rows(), -1);
  for (std::size_t i = 0; i < keep.size(); ++i) renumbered[keep[i]] = static_cast<int>(i);
  BlockMatrix result(block_, 0);
  for (const int i : keep) {
    for (int k = row_start_[i]; k < row_start_[i + 1]; ++k) {
      if (renumbered[column_[k]] < 0) continue;
      result.column_.push_back(renumbered[column_[k]]);
      result.values_.insert(result.values_.end(), values(k), values(k) + block_ * block_);
    }
    result.row_start_.push_back(static_cast<int>(result.column_.size()));
  }
  result.find_diagonal();
  return result;
}

}  // namespace capstan
