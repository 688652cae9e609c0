#include "capstan/problem/front_kernel.hpp"
#include "capstan/problem/processor.hpp"

namespace capstan::kernel {

const FrontKernel& best_front_kernel() { return use_avx2() ? avx2_front_kernel() : portable_front_kernel(); }

}  // namespace capstan::kernel
