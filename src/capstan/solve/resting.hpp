#pragma once
#include "capstan/solve/solver.hpp"

namespace capstan {

struct RestingOptions {
  double most_work = 1e6;  ///< multiply-adds of a factorisation: unknowns times their bandwidth squared
  double farthest = 10;    ///< tolerances: a first guess that is worse is not one of rest
  /// Tolerances: a first guess that is worse is made better if the context says `settle`, even if it would
  /// do. Accepted as it is, it would push what rests a little, all steps long; once this is gone, first
  /// guesses are good to the last digits.
  double nearest = 1e-3;
  int rounds = 2;          ///< before the answer is judged
  double softness = 1e-4;  ///< of W: keeps contacts that share a load from shearing against each other
};

/// What rests: contacts that bear a load stick, so y = 0 there, which is linear. From the context's x,
///     x <- P_K(x - (W + e I)^-1 y)   over the contacts A that bear a load or close,
/// by (W + e I)^-1 = (I - H (e I + H^T H)^-1 H^T) / e in body space, W = H H^T: a proximal step, which W may
/// be singular for. Sweeps carry a load from stone to stone, once each; this carries it down the tower at
/// once. Returns `stalled` if something slides, or if it does not help.
Status solve_resting(const SolverContext& context, const RestingOptions& options = {});

/// Whether the problem is of a kind and size that can be tried.
bool can_rest(const CanonicalProblem& problem, const RestingOptions& options = {});

}  // namespace capstan
