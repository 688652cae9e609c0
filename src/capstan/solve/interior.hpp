#pragma once
#include "capstan/solve/solver.hpp"

namespace capstan {

/// Second-order methods on the dense canonical problem, for small problems and for the last digits.
struct InteriorOptions {
  int max_interior = 60;   ///< Newton steps inside the cone
  int max_levenberg = 60;  ///< Levenberg-Marquardt steps afterwards
};

/// Primal-dual interior point with Nesterov-Todd scaling and Mehrotra's corrector on
///   y = T_m(W x + b),  x o y = m e,  T_m(u) = u + sqrt(|u_T|^2 + m^2) e,   m -> 0,
/// that is, with De Saxce's term smoothed along and kept inside Newton's matrix; lagging it fails on a third
/// of the real problems. Starts cold, from x = y = e: the first guess is not used.
Status solve_interior(const SolverContext& context, const InteriorOptions& options);

/// Levenberg-Marquardt on F(x) = f_FB(x, T(W x + b)) from the context's x. Singular W is no obstacle.
Status solve_levenberg(const SolverContext& context, const InteriorOptions& options);

/// Whether the dense matrices are of a bearable size.
bool fits_dense(const CanonicalProblem& problem);

}  // namespace capstan
