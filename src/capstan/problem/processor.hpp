#pragma once

namespace capstan {

/// Whether code compiled for AVX2 and FMA may run here. CAPSTAN_SIMD=portable in the environment says no.
bool use_avx2();

}  // namespace capstan
