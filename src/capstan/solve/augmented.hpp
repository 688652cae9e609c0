#pragma once
#include "capstan/solve/solver.hpp"

namespace capstan {

struct AugmentedOptions {
  /// Penalty rho in units of the scaled masses of contacts (W_ii has trace d). On a sheet over boxes 15 to 60
  /// differed by less than a tenth in factorisations; 100 took a fifth more.
  double penalty = 5;
  /// An inner problem counts as solved when the last Newton step has gained less than this part of what the
  /// impulses changed. At 5 some solves stalled.
  double inner_accuracy = 0.3;
  int max_inner_steps = 30;  ///< of Newton, for one inner problem
  int patience = 12;  ///< changes of the impulses without progress; it usually takes two or three in all
};

/// Augmented Lagrangian with a semismooth Newton method inside, for problems with sparse bodies (has_nodes).
///   v velocities of all unknowns   y = H v + w   s_i = |y_iT| as of the last impulses   e normal axis
/// The inner problem, convex for given x and s, is
///     min 1/2 v^T M v - f^T v + 1/(2 rho) sum_i |P_K(x_i - rho (y_i + s_i e))|^2,
/// whose Newton matrix M + rho H^T P_K' H is nearly as sparse as M: a contact couples nothing but the nodes
/// and bodies it touches. Then x_i <- P_K(x_i - rho (y_i + s_i e)). A fixed point is a solution of Coulomb's
/// problem, not of an approximation. [Acary11] has the fixed point in s.
Status solve_augmented(const SolverContext& context, const AugmentedOptions& options);

}  // namespace capstan
