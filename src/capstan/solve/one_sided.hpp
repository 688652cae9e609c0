#pragma once
#include <vector>

#include "capstan/law/pair_friction.hpp"
#include "capstan/solve/box_law.hpp"

namespace capstan {

/// A contact whose friction along t depends on the sense of sliding.
struct OneSidedContact {
  int contact = 0;
  OrientedFriction friction;
};

struct OneSidedSolution {
  ContactProblem problem;         ///< the one given, with the law of the side that each contact took
  Solution solution;              ///< of that problem
  int rounds = 0;                 ///< solves
  std::vector<int> inconsistent;  ///< contacts whose side does not agree with their impulse: not converged
};

/// Exact one-sided friction by a fixed point on the sides around solve(). The cone of such a contact is two
/// half ellipses that meet at r_t = 0 with a common tangent,
///
///     (r_t/mu_t)^2 + (r_b/mu_b)^2 <= r_N^2  for r_t <= 0,   mu_t_back in place of mu_t for r_t > 0,
///
/// convex, so that maximal dissipation over it is the elliptic law of the half in which r_t lies (or, where
/// that half has no friction along t, the half that the velocity asks for). If all sides are consistent with
/// the answer, it obeys the one-sided law to the tolerance of the solve. Sides start from the first guess, or
/// where that is zero from the velocity without impulses, and all wrong ones change in each round; after half
/// of the rounds only the worst one does, which breaks cycles.
///
/// `problem` has any law at the contacts listed; friction along its axes is replaced, shift and traction
/// stay. `boxes` are other contacts, for solve_box. Throws InputError for a contact that does not exist.
OneSidedSolution solve_one_sided(const ContactProblem& problem, const std::vector<OneSidedContact>& contacts,
                                 const Eigen::VectorXd& first_guess, const SolveOptions& options,
                                 std::span<const BoxContact> boxes = {}, int max_rounds = 20);
OneSidedSolution solve_one_sided(const ContactProblem& problem, const std::vector<OneSidedContact>& contacts,
                                 const SolveOptions& options = {}, int max_rounds = 20);

}  // namespace capstan
