#include <cstdlib>
#include <cstring>

#include "capstan/solve/sweep/body_kernel.hpp"

namespace capstan::kernel {
namespace {

bool processor_has_avx2() {
#if defined(__x86_64__) || defined(__i386__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  return false;
#endif
}

bool portable_asked_for() {
  const char* wish = std::getenv("CAPSTAN_SIMD");
  return wish && std::strcmp(wish, "portable") == 0;
}

}  // namespace

const BodyKernel& best_kernel() {
  static const bool fast = processor_has_avx2() && !portable_asked_for();
  return fast ? avx2_kernel() : portable_kernel();
}

}  // namespace capstan::kernel
