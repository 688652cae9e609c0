#include "capstan/solve/local/positive_roots.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace capstan::local {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

/// Value and derivative at t, and the size of the terms that were added up.
struct Evaluation {
  double value = 0, slope = 0, size = 0;
  Evaluation(const Polynomial& p, double t) {
    for (int k = p.degree; k >= 0; --k) {
      slope = slope * t + value;
      value = value * t + p.c[k];
      size = size * t + std::abs(p.c[k]);
    }
  }
  bool is_rounding() const { return std::abs(value) <= 8 * kEpsilon * size; }
};

/// Without the zero coefficients at both ends. A root at 0 is not positive.
Polynomial trimmed(const Polynomial& p) {
  int first = 0, last = p.degree;
  while (last > 0 && p.c[last] == 0) --last;
  while (first < last && p.c[first] == 0) ++first;
  Polynomial result;
  result.degree = last - first;
  for (int k = first; k <= last; ++k) result.c[k - first] = p.c[k];
  return result;
}

/// No root is farther from 0 (Fujiwara's bound); of the derivatives neither.
double largest_root_bound(const Polynomial& p) {
  double bound = 0;
  for (int k = 1; k <= p.degree; ++k)
    bound = std::max(bound, std::pow(std::abs(p.c[p.degree - k] / p.c[p.degree]), 1.0 / k));
  return 2 * bound;
}

/// No root is nearer to 0: the same bound on the polynomial in 1/t.
double smallest_root_bound(const Polynomial& p) {
  Polynomial reversed = p;
  std::reverse(reversed.c.begin(), reversed.c.begin() + p.degree + 1);
  const double bound = largest_root_bound(reversed);
  return bound > 0 ? 1 / bound : 0.0;
}

/// Halfway in magnitude where the ends differ much: roots may be 10^17 apart.
double middle(double a, double b) { return b > 4 * a && a > 0 ? std::sqrt(a) * std::sqrt(b) : 0.5 * (a + b); }

/// The root in [a, b], where p is monotone and changes sign.
double close_in(const Polynomial& p, double a, double b) {
  const bool rising = p(a) < 0;
  double t = middle(a, b);
  for (int k = 0; k < 200; ++k) {
    const Evaluation at(p, t);
    if (at.value == 0) return t;
    ((at.value < 0) == rising ? a : b) = t;
    if (b - a <= 2 * kEpsilon * b) break;
    const double newton = t - at.value / at.slope;
    const bool inside = newton > a && newton < b;
    // Newton may creep along one end: every third step halves the interval.
    const double next = inside && k % 3 != 2 ? newton : middle(a, b);
    if (inside && std::abs(newton - t) <= kEpsilon * t) return newton;
    t = next;
  }
  return t;
}

/// Roots of p in [low, high], given those of its derivative.
PositiveRoots roots_between(const Polynomial& p, const PositiveRoots& turning, double low, double high) {
  PositiveRoots roots;
  double a = low, value_a = p(low);
  for (int k = 0; k <= turning.count; ++k) {
    const bool is_turning = k < turning.count;
    const double b = is_turning ? turning.values[k] : high;
    const Evaluation at(p, b);
    if (is_turning && at.is_rounding()) {  // a double root, or two that rounding cannot tell apart
      if (roots.count == 0 || roots.values[roots.count - 1] < b) roots.add(b);
      a = b;
      value_a = 0;
      continue;
    }
    if ((value_a < 0 && at.value > 0) || (value_a > 0 && at.value < 0)) roots.add(close_in(p, a, b));
    a = b;
    value_a = at.value;
  }
  return roots;
}

}  // namespace

double Polynomial::operator()(double t) const { return Evaluation(*this, t).value; }

Polynomial Polynomial::derivative() const {
  Polynomial result;
  result.degree = std::max(degree - 1, 0);
  for (int k = 1; k <= degree; ++k) result.c[k - 1] = k * c[k];
  return result;
}

PositiveRoots positive_roots(const Polynomial& polynomial) {
  const Polynomial p = trimmed(polynomial);
  for (const double c : p.c)
    if (!std::isfinite(c)) return {};
  if (p.degree == 0) return {};
  const double low = 0.5 * smallest_root_bound(p), high = 2 * largest_root_bound(p);
  if (!std::isfinite(high)) return {};
  std::array<Polynomial, kMaxDegree> derivatives;  // of order 0, 1, ...
  derivatives[0] = p;
  for (int order = 1; order < kMaxDegree; ++order) derivatives[order] = derivatives[order - 1].derivative();
  PositiveRoots roots;
  for (int order = p.degree - 1; order >= 0; --order)
    roots = roots_between(derivatives[order], roots, low, high);
  return roots;
}

}  // namespace capstan::local
