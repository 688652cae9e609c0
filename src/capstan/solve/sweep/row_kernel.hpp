#pragma once

/// The product of a row of W with a vector, compiled for two instruction sets like the sweep over bodies.
namespace capstan::kernel {

constexpr int kColumnSize = 4;               // three numbers and a zero, so that a column is one vector
constexpr int kBlockSize = 3 * kColumnSize;  // of a 3 x 3 block, by columns

struct RowKernel {
  const char* name;
  /// u += sum of `count` blocks times the parts of y that `columns` say; u has four numbers, y three a
  /// contact.
  void (*multiply)(const double* blocks, const int* columns, int count, const double* y, double* u);
  void (*multiply_rounded)(const float* blocks, const int* columns, int count, const double* y, double* u);
};

const RowKernel& portable_row_kernel();
const RowKernel& avx2_row_kernel();
const RowKernel& best_row_kernel();

}  // namespace capstan::kernel
