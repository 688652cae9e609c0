#include "capstan/problem/front_kernel.hpp"

namespace capstan::kernel {
namespace {
#include "capstan/problem/front_kernel_impl.hpp"
}  // namespace

const FrontKernel& portable_front_kernel() {
  static constexpr FrontKernel kernel{"portable", factor, subtract_product};
  return kernel;
}

}  // namespace capstan::kernel
