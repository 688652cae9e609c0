#pragma once
#include "capstan/solve/local/contact_rows.hpp"
#include "capstan/solve/local/local_solver.hpp"
#include "capstan/solve/solver.hpp"

namespace capstan {

/// Block Gauss-Seidel over the contacts with any local solver [Daviet11, Alg. 1].
///   x impulse, y relative velocity, both canonical: in sqrt(kg) m/s
/// Differs from the paper: thresholds of freezing are relative to the problem's own scale, every sweep before
/// a judgement visits all contacts, and freezing ends for good when it stalls the error.
struct GaussSeidelOptions {
  local::LocalMethod local;  ///< by default Fischer-Burmeister with the enumeration as fail-safe
  /// Of a local residual, relative to the unit of the error (8). A coarse one stalls the outer loop: 1e-6
  /// does so near 6e-8.
  double local_tolerance = 1e-10;
  local::Space space = local::Space::automatic;
  bool freezing = true;
  /// What a contact gets when its hybrid fails twice: zero [Daviet11, Alg. 1], or the better of the two
  /// failures.
  enum class LastResort { zero, better } last_resort = LastResort::zero;
};

/// stalled: a sweep over all contacts changes nothing, as the inexact local solvers end. no_solution: a
/// contact that no impulse can move is penetrating.
Status run_gauss_seidel(const SolverContext& context, const GaussSeidelOptions& options = {});

}  // namespace capstan
