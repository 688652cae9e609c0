#pragma once
#include <array>

namespace capstan::local {

/// Degree of the polynomial of the sliding case in dimension 4; in dimension 3 it is the quartic of
/// [Daviet11, eq. 16].
constexpr int kMaxDegree = 6;

/// c[0] + c[1] t + ... + c[degree] t^degree; leading and trailing coefficients may be zero.
struct Polynomial {
  std::array<double, kMaxDegree + 1> c{};
  int degree = 0;

  double operator()(double t) const;
  Polynomial derivative() const;
};

struct PositiveRoots {
  std::array<double, 2 * kMaxDegree> values{};
  int count = 0;
  void add(double root) { values[count++] = root; }
};

/// The roots in t > 0, ascending, each once whatever its multiplicity; a double root that rounding lifts off
/// the axis is found too. No allocation, no complex arithmetic: the roots of each derivative cut the axis
/// into intervals where the next polynomial is monotone, and each change of sign is closed in by Newton with
/// bisection.
PositiveRoots positive_roots(const Polynomial& polynomial);

}  // namespace capstan::local
