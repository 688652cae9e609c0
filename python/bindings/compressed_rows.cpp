#include "bindings/compressed_rows.hpp"

#include <algorithm>

#include "capstan/errors.hpp"

namespace capstan::python {

void check_pattern(const std::string& name, std::size_t rows, int columns, std::span<const int> row_start,
                   std::span<const int> column) {
  if (row_start.size() != rows + 1 || row_start.front() != 0 || row_start.back() != int(column.size()) ||
      !std::is_sorted(row_start.begin(), row_start.end()))
    throw InputError(name + ": its indptr does not rise from 0 to the number of its indices over " +
                     std::to_string(rows) + " rows");
  for (std::size_t k = 0; k < column.size(); ++k)
    if (column[k] < 0 || column[k] >= columns)
      throw InputError(name + ": entry " + std::to_string(k) + " of its indices is " +
                       std::to_string(column[k]) + ", expected 0 to " + std::to_string(columns - 1));
}

CompressedRows::CompressedRows(const std::string& name, int rows, int columns, Indices row_start,
                               Indices column, Vector values)
    : rows_(rows),
      columns_(columns),
      row_start_(std::move(row_start)),
      column_(std::move(column)),
      values_(std::move(values)) {
  check_pattern(name, rows_, columns_, span_of(row_start_), span_of(column_));
  if (values_.shape(0) != column_.shape(0))
    throw InputError(name + ": has " + std::to_string(values_.shape(0)) + " values, expected " +
                     std::to_string(column_.shape(0)));
}

CompressedRows CompressedRows::from_dense(const MatrixView& matrix) {
  CompressedRows result;
  result.own_ = nonzeros<Eigen::RowMajor>(matrix);
  return result;
}

Eigen::Map<const CompressedRows::Sparse> CompressedRows::view() const {
  if (own_)
    return {own_->rows(),          own_->cols(),          own_->nonZeros(),
            own_->outerIndexPtr(), own_->innerIndexPtr(), own_->valuePtr()};
  return {rows_, columns_, Eigen::Index(values_.shape(0)), row_start_.data(), column_.data(), values_.data()};
}

}  // namespace capstan::python
