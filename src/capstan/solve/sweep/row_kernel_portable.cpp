#include "capstan/solve/sweep/row_kernel.hpp"

namespace capstan::kernel {
namespace {
#include "capstan/solve/sweep/row_kernel_impl.hpp"
}  // namespace

const RowKernel& portable_row_kernel() {
  static constexpr RowKernel kernel{"portable", multiply_row<double>, multiply_row<float>};
  return kernel;
}

}  // namespace capstan::kernel
