#pragma once
#include <cstddef>
#include <cstdint>

/// The inner loop of the Gauss-Seidel sweep in body space, compiled once for every machine and once for AVX2;
/// plain data only, because the two must not share any inlined code.
namespace capstan::kernel {

constexpr int kLanes = 4;  ///< contacts in a group
constexpr int kMaxBodyDofs = 160;

/// Four contacts of one colour: no two of them touch the same body, and all bodies in one place have their
/// velocities padded to the same multiple of four dofs. data points at, lanes innermost, in double
///   alpha, z (d), z' (d), w (d),
/// then, in double or rounded to float, what a sweep only reads:
///   1/w_N, step, g (d-1), l (d-1), 1/l (d-1), H of the first bodies (dofs[0] x d), H of the second (dofs[1]
///   x d).
struct Group {
  std::uint32_t body[2][kLanes];  ///< where each body's velocity starts in v
  std::int32_t dofs[2];
  double* data;
  /// If the contacts have tractions, in double, lanes innermost; else nullptr. Of round ones: w_N,
  /// 1/w_N, E_N, E_T, mu, 1/mu, g, l, 1/l of RoundSpring. Else 1/w_N, step, g, l, 1/l of the contact with its
  /// spring, then W' (d x d), E (d) and P (d-1 x d-1) of SpringData.
  const double* spring;
  bool round;  ///< all of them are
};

struct Sums {
  double step, alignment;
};

constexpr int impulse_offset = kLanes;                                                   ///< of z, in doubles
constexpr std::size_t shift_offset(int d) { return std::size_t(kLanes) * (1 + 2 * d); }  ///< of w
constexpr std::size_t constants_offset(int d) { return std::size_t(kLanes) * (1 + 3 * d); }  ///< of 1/w_N
constexpr int constants_of_a_contact(int d) { return 2 + 3 * (d - 1); }                      ///< without H
constexpr int constants_of_a_spring(int d, bool round) {
  return round ? 6 + 3 * (d - 1) : constants_of_a_contact(d) + d * d + d + (d - 1) * (d - 1);
}
/// Doubles in the data of a group.
constexpr std::size_t group_size(int d, int dofs_a, int dofs_b, bool rounded) {
  const std::size_t constants =
      std::size_t(kLanes) * (constants_of_a_contact(d) + std::size_t(dofs_a + dofs_b) * d);
  return constants_offset(d) + (rounded ? constants / 2 : constants);
}

/// Of all groups of a sweep.
struct Layout {
  int dimension;
  int dofs;      ///< of every body if it is the same for all, else 0
  bool rounded;  ///< constants are floats
};

struct BodyKernel {
  const char* name;
  /// Sweeps groups [0, count) at y = z + beta (z - z'), v being that of y on entry. exact: see ContactUpdate.
  Sums (*sweep)(const Layout&, const Group* groups, int count, double* v, double beta, bool exact);
  /// v += H^T z.
  void (*add_impulses)(const Layout&, const Group* groups, int count, double* v);
  /// w -= H v.
  void (*subtract_velocity)(const Layout&, const Group* groups, int count, const double* v);
};

const BodyKernel& portable_kernel();
const BodyKernel& avx2_kernel();
/// The fastest one this processor can run. CAPSTAN_SIMD=portable in the environment asks for the plain one.
const BodyKernel& best_kernel();

}  // namespace capstan::kernel
