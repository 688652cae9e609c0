#pragma once
#include "capstan/solve/local/contact_rows.hpp"
#include "capstan/solve/solver.hpp"

namespace capstan {

/// Proximal Gauss-Seidel with an adaptive factor [Erleben20, Alg. 2]: contact by contact one proximal step on
/// the normal, then one on the friction block with the new normal. Differs from the paper: r is s over the
/// diagonal block (one for the normal, one for the friction block) with one global factor s; what may not
/// grow is the step divided by s, so that a small s does not pass for convergence; s recovers slowly and has
/// a lower bound, at which steps are taken whatever their size.
struct ProximalOptions {
  double shrink = 0.7;            ///< nu: s on a step that grew, in (0, 1)
  double recover = 1.02;          ///< s on a step that did not, > 1
  double smallest_factor = 0.05;  ///< of s, in (0, 1]
  double growth = 1.0;            ///< a step may be this many times the one before
  local::Space space = local::Space::automatic;
};

Status run_proximal_gauss_seidel(const SolverContext& context, const ProximalOptions& options = {});

}  // namespace capstan
