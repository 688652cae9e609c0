#pragma once

/// Dense kernels of SparseCholesky, compiled for two instruction sets like the sweep. Matrices are stored by
/// columns.
namespace capstan::kernel {

/// A matrix read at value[row * row_step + column * column_step].
struct Strided {
  const double* value;
  long row_step, column_step;
};

struct FrontKernel {
  const char* name;
  /// Factorises the first `columns` columns of a symmetric front: L (rows x columns) holds them from their
  /// diagonal down and becomes L; update (rows - columns, square, lower half) loses what they take from the
  /// rest. Returns false at a pivot that is not positive. `work`: front_work(rows, columns) numbers.
  bool (*factor)(double* L, int rows, int columns, double* update, double* work);
  /// C -= A B^T, C with `stride` numbers a column, A rows x depth, B columns x depth; `lower`: only where row
  /// >= column. `work`: front_work(rows + columns, depth) numbers.
  void (*subtract_product)(double* C, long stride, int rows, int columns, const Strided& A, const Strided& B,
                           int depth, bool lower, double* work);
};

/// Numbers that the kernels need to pack their operands.
constexpr long front_work(long rows, long depth) { return 2 * (rows + 32) * depth; }

const FrontKernel& portable_front_kernel();
const FrontKernel& avx2_front_kernel();
const FrontKernel& best_front_kernel();

}  // namespace capstan::kernel
