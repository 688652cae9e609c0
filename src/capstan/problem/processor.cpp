#include "capstan/problem/processor.hpp"

#include <cstdlib>
#include <cstring>

namespace capstan {
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

bool use_avx2() {
  static const bool use = processor_has_avx2() && !portable_asked_for();
  return use;
}

}  // namespace capstan
