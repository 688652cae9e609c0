#pragma once
#include <functional>
#include <memory>

#include "capstan/solve/solver.hpp"
#include "capstan/solve/sweep/sweep.hpp"

namespace capstan {

/// Nesterov's momentum around a Gauss-Seidel sweep, guarded: it restarts when the step it has just made
/// points back (stale) or has grown, and its length is capped from what it learned then. The error is not
/// monotone; the monitor keeps the best iterate. With an exact contact update it is the fastest on large
/// packings; with projection it never cycles between several local roots.
struct MomentumOptions {
  ContactUpdate update = ContactUpdate::exact;
  bool momentum = true;  ///< false: the plain sweep
  int max_sweeps = 100000;
  /// Give up as stalled if this many sweeps, and a quarter of all so far, have not lowered the error by a
  /// third.
  int patience = 1000000000;
  bool judged = false;  ///< the first guess has been, and was not good enough
};

Status solve_momentum(const SolverContext& context, const MomentumOptions& options);

/// The same around another sweep, which is made if the first guess is not good enough.
using SweepMaker = std::function<std::unique_ptr<Sweep>()>;
Status solve_momentum(const SolverContext& context, const MomentumOptions& options, const SweepMaker& make);

}  // namespace capstan
