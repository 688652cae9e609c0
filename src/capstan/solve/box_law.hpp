#pragma once
#include <Eigen/Core>
#include <span>

#include "capstan/solve/solver.hpp"

namespace capstan {

/// A contact whose axes are limited one by one, the box of [Gascon10, sec. 4.1 and 5.2] instead of a cone.
/// With g = u + slip, the gap and the slip at the end of the step over dt,
///
///     0 <= r_N + k_N g_N   orthogonal to   g_N >= 0                                        (13)
///     r_a = -sign(g_a) min(k_T |g_a|, mu_a max(r_N, 0))   along each tangent a
///
/// so that the normal pulls like a spring where the gap opens. mu_a is the friction of the contact's law in
/// the problem, which must have neither traction nor shift.
///
/// The tangents, from the paper: steps 5 to 7 take the impulse that would end the slip, g_a = 0, and cut it
/// to what adhesion and friction allow, whichever is less. What adhesion allows, k_T |g_a| by (13), is always
/// less than that impulse, by k_T W_aa/(1 + k_T W_aa) (16): a tangent is a spring and a slider in series, and
/// what does not slide is held by its spring. The impulse opposes the slip, not the velocity.
///
/// `pressed`: whether friction limits at all. Taken to the letter it would leave nothing along the surface
/// where r_N < 0, while sec. 5.3 counts the tangential traction of what is pulled; so there the spring alone
/// holds, r_a = -k_T g_a. The r_N of the solve itself cannot decide that: at r_N = 0 the limit would jump
/// from all that the spring bears to nothing, and sweeps then go round in circles on one problem in ten or
/// so. The caller decides, from the step before.
///
/// Axes: where both coefficients are the same, t lies along (b + slip)_T, the slip there would be without any
/// impulse, as the paper lays its pyramid; the tangents of the contact frame then do not matter. Else they
/// are those of the frame. In dimension 4 such a contact bears no torque.
struct BoxContact {
  int contact = 0;
  double k_N = 0, k_T = 0;                         ///< springs over the step, dt^2 times stiffness, kg, >= 0
  Eigen::Vector3d slip = Eigen::Vector3d::Zero();  ///< gap and slip at the start over dt, m/s
  bool pressed = true;                             ///< friction limits the tangents
};

/// Certifies r and u = relative_velocity(r) of a problem of which some contacts are boxes. Their normal law
/// is the canonical one without friction, with traction k_N and shift slip_N, and counts like any other
/// contact. Their tangents enter the error by
///
///     e_i = | r_T - P(r_T - rho_i g_T) |,   rho_i = 2/tr (W_ii)_TT, kg
///
/// with P step 6, the cut to spring and friction of an axis whose W_aa is 1/rho_i; as in (8) the largest
/// e_i(r) is divided by the largest e_i(0), of all contacts together, so that the error has no unit and 1
/// means no better than doing nothing. Boxes that are open (apart or pulled) or slide say so in `states`.
Certificate certify_box(const ContactProblem& problem, std::span<const BoxContact> boxes,
                        const Eigen::VectorXd& r, const Eigen::VectorXd& u,
                        const Executor& executor = serial_executor());

/// Block projected Gauss-Seidel [Gascon10, sec. 5.2, steps 1 to 8]: boxes axis by axis, n, t, b; all other
/// contacts obey their own law and are solved exactly, in the same sweep. The report's certificate is that of
/// certify_box, the method is called "box_gs" whatever options.solver says, and it runs on one thread.
/// Without boxes this is solve().
///
/// Differs from the paper: guarded momentum around the sweep (momentum.hpp); the plus signs before B_nt and
/// B_nb in its steps 1 and 4 are minus, as (7) asks.
///
/// Throws InputError for a problem in the plane, the natural map as measure, a contact that does not exist or
/// is named twice, a law with traction or shift at a box, and numbers out of range.
Solution solve_box(const ContactProblem& problem, std::span<const BoxContact> boxes,
                   const Eigen::VectorXd& first_guess, const SolveOptions& options = {});

}  // namespace capstan
