// Compiled with AVX2 and FMA switched on where the compiler knows them; called only where the processor has
// both.
#include "capstan/solve/sweep/row_kernel.hpp"

#ifdef __AVX__
#include <immintrin.h>
#endif

namespace capstan::kernel {
namespace {
#include "capstan/solve/sweep/row_kernel_impl.hpp"
}  // namespace

const RowKernel& avx2_row_kernel() {
  static constexpr RowKernel kernel{"avx2", multiply_row<double>, multiply_row<float>};
  return kernel;
}

}  // namespace capstan::kernel
