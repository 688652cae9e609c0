#pragma once
#include <Eigen/SparseCore>
#include <optional>
#include <span>
#include <string>

#include "bindings/arrays.hpp"

namespace capstan::python {

/// Throws InputError, which begins with `name`, unless the starts of the rows rise from 0 to the number of
/// entries and every column is one.
void check_pattern(const std::string& name, std::size_t rows, int columns, std::span<const int> row_start,
                   std::span<const int> column);

/// The entries of a dense matrix that are not zero, by rows or by columns.
template <int Order>
Eigen::SparseMatrix<double, Order> nonzeros(const MatrixView& matrix) {
  Eigen::SparseMatrix<double, Order> result(matrix.rows(), matrix.cols());
  result.reserve((matrix.array() != 0).count());
  for (Eigen::Index outer = 0; outer < result.outerSize(); ++outer) {
    result.startVec(outer);
    for (Eigen::Index inner = 0; inner < result.innerSize(); ++inner) {
      const double value = Order == Eigen::RowMajor ? matrix(outer, inner) : matrix(inner, outer);
      if (value != 0) result.insertBackByOuterInner(outer, inner) = value;
    }
  }
  result.finalize();
  return result;
}

inline std::span<const int> span_of(const Indices& indices) { return {indices.data(), indices.shape(0)}; }

/// A sparse matrix in compressed rows: a view of three numpy arrays, or made from a dense matrix.
class CompressedRows {
 public:
  using Sparse = Eigen::SparseMatrix<double, Eigen::RowMajor>;

  /// Keeps the arrays alive, and checks them.
  CompressedRows(const std::string& name, int rows, int columns, Indices row_start, Indices column,
                 Vector values);
  static CompressedRows from_dense(const MatrixView& matrix);

  Eigen::Map<const Sparse> view() const;

 private:
  CompressedRows() = default;
  int rows_ = 0, columns_ = 0;
  Indices row_start_, column_;
  Vector values_;
  std::optional<Sparse> own_;
};

}  // namespace capstan::python
