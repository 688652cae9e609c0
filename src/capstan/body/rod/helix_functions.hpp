#pragma once
#include <Eigen/Core>
#include <span>

namespace capstan {

/// A curve whose curvature k = (tau, kappa_1, kappa_2) is constant in its own frame: dR/ds = R [k], dr/ds = R
/// e0, from R = I, r = 0 at s = 0. With x = |k| s, K = [k], and
///   a = s^2 (1 - cos x)/x^2,  b = s^3 (x - sin x)/x^3,
///   E = exp(s K)     = I + (s - b |k|^2) K + a K^2     (Rodrigues)
///   W = int_0^s E    = s I + a K + b K^2
/// the place is f = W e0 and the tangent E e0. A change dk turns the frame at s by W dk (seen from the start)
/// and moves the point by G dk, G = df/dk.

/// a, b and their derivatives: da/dk = a2 k, db/dk = b2 k.
struct HelixCoefficients {
  double a, b, a2, b2;
};
HelixCoefficients helix_coefficients(double k_squared, double s);

struct HelixPoint {
  Eigen::Vector3d f;        ///< place
  Eigen::Vector3d tangent;  ///< E e0
  Eigen::Matrix3d G;        ///< df/dk
};
HelixPoint helix_point(const Eigen::Vector3d& k, double s);

Eigen::Vector3d helix_place(const Eigen::Vector3d& k, double s);    ///< f alone
Eigen::Matrix3d helix_turn(const Eigen::Vector3d& k, double s);     ///< E
Eigen::Matrix3d helix_turning(const Eigen::Vector3d& k, double s);  ///< W

/// Gauss-Legendre rule on [0, 1].
struct GaussPoint {
  double s, weight;
};

/// The rule that integrates products of two columns of G over a segment of x = |k| l to about 1e-5: 3 points
/// up to x = 1, 4 to 2, 5 to pi, 8 to 2 pi, 12 above. More than two turns a segment are better cut in more
/// segments.
std::span<const GaussPoint> gauss_rule(double x);
constexpr int max_gauss_points = 12;

}  // namespace capstan
