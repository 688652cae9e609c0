// Compiled with AVX2 and FMA switched on where the compiler knows them; called only where the processor has
// both.
#include "capstan/problem/front_kernel.hpp"

namespace capstan::kernel {
namespace {
#include "capstan/problem/front_kernel_impl.hpp"
}  // namespace

const FrontKernel& avx2_front_kernel() {
  static constexpr FrontKernel kernel{"avx2", factor, subtract_product};
  return kernel;
}

}  // namespace capstan::kernel
