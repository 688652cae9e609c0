#pragma once
#include <Eigen/Core>
#include <array>

namespace capstan {

/// What one contact obeys, as a change of variables to the canonical law (docs/notation.md):
///
///     r = S x - E (u + s),   y = S (u + s),   S = diag(1, mu_t, mu_b, mu_tau),   (x, y) canonical
///
///   r impulse, N s     u relative velocity, m/s     normal component first, then the tangents
///   S friction          E linear traction, kg (a spring over the step: dt^2 times its stiffness)
///   s velocity shift, m/s (restitution, gap over time step, slip)
///
/// A coefficient 0 drops its axis: no friction acts along it. Source: [Daviet11, sec. 5.1] for the
/// isotropic case; the elliptic case and the traction are derived in docs/solver.md.
struct ContactLaw {
  std::array<double, 3> friction{0, 0, 0};             ///< mu_t, mu_b, mu_tau (m, for the torque), >= 0
  Eigen::Vector4d traction = Eigen::Vector4d::Zero();  ///< diagonal of E, kg, >= 0
  Eigen::Vector4d shift = Eigen::Vector4d::Zero();     ///< s, m/s

  static ContactLaw frictionless();
  static ContactLaw coulomb(double mu);                  ///< |r_T| <= mu r_N
  static ContactLaw elliptic(double mu_t, double mu_b);  ///< (r_t/mu_t)^2 + (r_b/mu_b)^2 <= r_N^2
  /// Elliptic with a torque about the normal as the fourth component of r (dimension 4).
  static ContactLaw drilling(double mu_t, double mu_b, double mu_tau);

  /// Newton: the normal velocity after is at least -restitution times the one before. A contact that
  /// was separating gets no bounce.
  ContactLaw with_restitution(double restitution, double normal_velocity_before) const;
  /// A traction -E (u + s) beside the unilateral law, for adhesion.
  ContactLaw with_traction(const Eigen::Vector4d& E, const Eigen::Vector4d& s) const;

  bool has_traction() const { return (traction.array() != 0).any(); }
  /// Whether the friction cone is circular over the tangents of a contact of this dimension.
  bool is_isotropic(int dimension) const;
};

}  // namespace capstan
