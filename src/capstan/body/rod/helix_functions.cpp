#include "capstan/body/rod/helix_functions.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "capstan/body/rotation.hpp"

namespace capstan {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr int terms = 8;
struct Series {
  std::array<double, terms> A, B, A2, B2;
};

/// A = (1 - cos x)/x^2 = sum (-1)^m x^2m/(2m+2)!, B = (x - sin x)/x^3 = sum (-1)^m x^2m/(2m+3)!, and
/// P2 = P'/x has the coefficients 2 (m+1) c_(m+1).
constexpr Series make_series() {
  double A[terms + 1]{}, B[terms + 1]{};
  double factorial = 1, sign = 1;  // (2m+1)!
  for (int m = 0; m <= terms; ++m) {
    A[m] = sign / (factorial * (2 * m + 2));
    B[m] = sign / (factorial * (2 * m + 2) * (2 * m + 3));
    factorial *= (2 * m + 2) * (2 * m + 3);
    sign = -sign;
  }
  Series series{};
  for (int m = 0; m < terms; ++m) {
    series.A[m] = A[m];
    series.B[m] = B[m];
    series.A2[m] = 2 * (m + 1) * A[m + 1];
    series.B2[m] = 2 * (m + 1) * B[m + 1];
  }
  return series;
}
constexpr Series series = make_series();

HelixCoefficients from_series(double x2) {
  HelixCoefficients c{0, 0, 0, 0};
  for (int m = terms - 1; m >= 0; --m) {
    c.a = c.a * x2 + series.A[m];
    c.b = c.b * x2 + series.B[m];
    c.a2 = c.a2 * x2 + series.A2[m];
    c.b2 = c.b2 * x2 + series.B2[m];
  }
  return c;
}

HelixCoefficients from_closed_form(double x2) {
  const double x = std::sqrt(x2), sine = std::sin(x), u = 1 - std::cos(x), x4 = x2 * x2;
  return {u / x2, (x - sine) / (x2 * x), (x * sine - 2 * u) / x4, (x * u - 3 * (x - sine)) / (x4 * x)};
}

/// Nodes are the roots of the Legendre polynomial P_n, by Newton from the usual first guess.
std::vector<GaussPoint> legendre_rule(int n) {
  std::vector<GaussPoint> rule;
  for (int i = n - 1; i >= 0; --i) {
    double z = std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5)), slope = 1;
    for (int iteration = 0; iteration < 8; ++iteration) {
      double previous = 1, p = z;
      for (int j = 2; j <= n; ++j) {
        const double next = ((2 * j - 1) * z * p - (j - 1) * previous) / j;
        previous = p;
        p = next;
      }
      slope = n * (z * p - previous) / (z * z - 1);
      z -= p / slope;
    }
    rule.push_back({(1 + z) / 2, 1 / ((1 - z * z) * slope * slope)});
  }
  return rule;
}

}  // namespace

HelixCoefficients helix_coefficients(double k_squared, double s) {
  // Below x = 1 the closed forms lose digits (b2: all of them at x = 1e-3); eight terms are exact there.
  const double s2 = s * s, x2 = k_squared * s2;
  const HelixCoefficients c = x2 < 1 ? from_series(x2) : from_closed_form(x2);
  return {s2 * c.a, s2 * s * c.b, s2 * s2 * c.a2, s2 * s2 * s * c.b2};
}

HelixPoint helix_point(const Vector3d& k, double s) {
  const double k_squared = k.squaredNorm();
  const auto [a, b, a2, b2] = helix_coefficients(k_squared, s);
  const Vector3d p(0, k[2], -k[1]);                                        // k x e0
  const Vector3d h(-k[1] * k[1] - k[2] * k[2], k[0] * k[1], k[0] * k[2]);  // k x p
  HelixPoint point;
  point.f = a * p + b * h;
  point.f[0] += s;
  point.tangent = (s - b * k_squared) * p + a * h;
  point.tangent[0] += 1;
  // f = s e0 + a p + b h, so G = p (a2 k)^T - a [e0] + h (b2 k)^T + b dh/dk, and h = k (k.e0) - e0 |k|^2
  // gives dh/dk = (k.e0) I + k e0^T - 2 e0 k^T.
  Vector3d u = a2 * p + b2 * h;
  u[0] -= 2 * b;
  point.G.noalias() = u * k.transpose();
  point.G.col(0) += b * k;
  point.G.diagonal().array() += b * k[0];
  point.G(1, 2) += a;
  point.G(2, 1) -= a;
  return point;
}

Vector3d helix_place(const Vector3d& k, double s) {
  const HelixCoefficients c = helix_coefficients(k.squaredNorm(), s);
  return Vector3d(s - c.b * (k[1] * k[1] + k[2] * k[2]), c.a * k[2] + c.b * k[0] * k[1],
                  -c.a * k[1] + c.b * k[0] * k[2]);
}

Matrix3d helix_turn(const Vector3d& k, double s) {
  const HelixCoefficients c = helix_coefficients(k.squaredNorm(), s);
  const Matrix3d K = skew(k);
  return Matrix3d::Identity() + (s - c.b * k.squaredNorm()) * K + c.a * K * K;
}

Matrix3d helix_turning(const Vector3d& k, double s) {
  const HelixCoefficients c = helix_coefficients(k.squaredNorm(), s);
  const Matrix3d K = skew(k);
  return s * Matrix3d::Identity() + c.a * K + c.b * K * K;
}

std::span<const GaussPoint> gauss_rule(double x) {
  static const std::vector<GaussPoint> rules[] = {legendre_rule(3), legendre_rule(4), legendre_rule(5),
                                                  legendre_rule(8), legendre_rule(max_gauss_points)};
  constexpr double pi = std::numbers::pi;
  return rules[x <= 1 ? 0 : x <= 2 ? 1 : x <= pi ? 2 : x <= 2 * pi ? 3 : 4];
}

}  // namespace capstan
