#pragma once
#include <cstddef>
#include <cstdint>

/// The inner loop of the Gauss-Seidel sweep in body space, compiled once for every machine and once for AVX2;
/// plain data only, because the two must not share any inlined code.
namespace capstan::kernel {

constexpr int kLanes = 4;  ///< contacts in a group
constexpr int kMaxBodyDofs = 64;

/// Four contacts of one colour: no two of them touch the same body, and all bodies in one place have their
/// velocities padded to the same multiple of four dofs. data points at, lanes innermost,
///   H of the first bodies (dofs[0] x d), H of the second bodies (dofs[1] x d),
///   1/w_N, step, g (d-1), l (d-1), 1/l (d-1), alpha, z (d), z' (d), w (d).
struct Group {
  std::uint32_t body[2][kLanes];  ///< where each body's velocity starts in v
  std::int32_t dofs[2];
  double* data;
};

struct Sums {
  double step, alignment;
};

/// Doubles in the data of a group.
constexpr std::size_t group_size(int d, int dofs_a, int dofs_b) {
  return std::size_t(kLanes) * (std::size_t(dofs_a + dofs_b) * d + 2 + 3 * (d - 1) + 1 + 3 * d);
}
constexpr std::size_t contact_offset(int d, int dofs_a, int dofs_b) {  ///< of 1/w_N
  return std::size_t(kLanes) * std::size_t(dofs_a + dofs_b) * d;
}
constexpr std::size_t impulse_offset(int d, int dofs_a, int dofs_b) {  ///< of z
  return contact_offset(d, dofs_a, dofs_b) + std::size_t(kLanes) * (2 + 3 * (d - 1) + 1);
}

/// dofs: of every body of these groups if it is the same for all, else 0.
struct BodyKernel {
  const char* name;
  /// Sweeps groups [0, count) at y = z + beta (z - z'), v being that of y on entry. exact: see ContactUpdate.
  Sums (*sweep)(int d, int dofs, const Group* groups, int count, double* v, double beta, bool exact);
  /// v += H^T z.
  void (*add_impulses)(int d, int dofs, const Group* groups, int count, double* v);
};

const BodyKernel& portable_kernel();
const BodyKernel& avx2_kernel();
/// The fastest one this processor can run. CAPSTAN_SIMD=portable in the environment asks for the plain one.
const BodyKernel& best_kernel();

}  // namespace capstan::kernel
