#include "capstan/problem/processor.hpp"
#include "capstan/solve/sweep/body_kernel.hpp"
#include "capstan/solve/sweep/row_kernel.hpp"

namespace capstan::kernel {

const BodyKernel& best_kernel() { return use_avx2() ? avx2_kernel() : portable_kernel(); }

const RowKernel& best_row_kernel() { return use_avx2() ? avx2_row_kernel() : portable_row_kernel(); }

}  // namespace capstan::kernel
