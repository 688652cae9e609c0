// Compiled with AVX2 and FMA switched on where the compiler knows them; called only where the processor has
// both.
#include "capstan/solve/sweep/body_kernel.hpp"
#include "capstan/solve/sweep/local_kernel.hpp"

namespace capstan::kernel {
namespace {
#include "capstan/solve/sweep/body_kernel_impl.hpp"
}  // namespace

const BodyKernel& avx2_kernel() {
  static constexpr BodyKernel kernel{"avx2", sweep, add_impulses, subtract_velocity};
  return kernel;
}

}  // namespace capstan::kernel
