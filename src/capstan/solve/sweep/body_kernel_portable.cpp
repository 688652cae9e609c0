#include "capstan/solve/sweep/body_kernel.hpp"
#include "capstan/solve/sweep/local_kernel.hpp"

namespace capstan::kernel {
namespace {
#include "capstan/solve/sweep/body_kernel_impl.hpp"
}  // namespace

const BodyKernel& portable_kernel() {
  static constexpr BodyKernel kernel{"portable", sweep, add_impulses, subtract_velocity};
  return kernel;
}

}  // namespace capstan::kernel
