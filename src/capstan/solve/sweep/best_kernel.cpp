#include "capstan/problem/processor.hpp"
#include "capstan/solve/sweep/body_kernel.hpp"

namespace capstan::kernel {

const BodyKernel& best_kernel() { return use_avx2() ? avx2_kernel() : portable_kernel(); }

}  // namespace capstan::kernel
