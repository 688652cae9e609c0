#include "capstan/collide/segments.hpp"

#include <algorithm>
#include <cmath>

namespace capstan {
namespace {

double clamped(double fraction) { return std::clamp(fraction, 0.0, 1.0); }

/// The dot products of two segments; |a.at(i) - b.at(j)|^2 is quadratic in i and j with these coefficients.
struct Products {
  double aa, bb, ab, ar, br;

  Products(const Segment& a, const Segment& b) {
    const Eigen::Vector3d r = a.x - b.x;
    aa = a.d.squaredNorm(), bb = b.d.squaredNorm(), ab = a.d.dot(b.d), ar = a.d.dot(r), br = b.d.dot(r);
  }
  double determinant() const { return aa * bb - ab * ab; }  // = aa bb sin^2 of the angle
  double on_a(double fraction_b) const { return clamped((ab * fraction_b - ar) / aa); }
  double on_b(double fraction_a) const { return clamped((ab * fraction_a + br) / bb); }
  /// Stretch of a onto which b projects; empty if first > second.
  std::pair<double, double> stretch() const {
    const double begin = -ar / aa, end = (ab - ar) / aa;
    return {std::max(0.0, std::min(begin, end)), std::min(1.0, std::max(begin, end))};
  }
};

}  // namespace

ClosestFractions closest_fractions(const Segment& a, const Segment& b) {
  const Products p(a, b);
  if (p.aa == 0) return {0, p.bb == 0 ? 0 : p.on_b(0)};
  if (p.bb == 0) return {p.on_a(0), 0};
  double on_a;
  if (p.determinant() > 1e-10 * p.aa * p.bb) {
    on_a = clamped((p.ab * p.br - p.ar * p.bb) / p.determinant());
  } else {
    const auto [first, last] = p.stretch();
    on_a = clamped((first + last) / 2);  // without a stretch in common this is the nearer end
  }
  // The best b for this a; if it had to be clamped, the best a for that b is the answer.
  const double on_b = p.on_b(on_a);
  return {on_b == 0 || on_b == 1 ? p.on_a(on_b) : on_a, on_b};
}

Overlap overlap(const Segment& a, const Segment& b) {
  const Products p(a, b);
  Overlap result{};
  if (p.aa == 0 || p.bb == 0) return result;
  const auto [first, last] = p.stretch();
  if (first >= last) return result;
  result.first = {first, p.on_b(first)};
  result.last = {last, p.on_b(last)};
  result.length = (last - first) * std::sqrt(p.aa);
  result.drift = result.length * std::sqrt(std::max(0.0, p.determinant() / (p.aa * p.bb)));
  return result;
}

}  // namespace capstan
