#pragma once
#include "capstan/solve/newton_system.hpp"

namespace capstan {

/// Friction as maximum dissipation with a multiplier [Erleben20, sec. 4.2]. The paper's unknowns are the
/// force and beta, with 0 <= beta, -phi >= 0 complementary, phi = |x_T|^2 - x_N^2, and grad phi = -beta v_t.
/// Here
///
///     psi(x_N, y_N) = 0,    psi(s, -phi / |x|) = 0,    w := (x_N y_T + s x_T) / unit = 0
///
/// in the d + 1 unknowns (x, s), psi Fischer-Burmeister. s is the sliding speed; the paper's beta is 2 x_N /
/// s.
///
/// Differs from the paper:
/// - Its eq. 19, psi(|v_t|^2, |w|^2) = 0, is one equation where two are needed, and its derivative vanishes
/// at
///   every solution. The vector equation is used instead.
/// - Sticking, beta would have to be infinite (v_t = 0 while grad phi is not); open, 1/beta would. (x_N, s)
/// are
///   homogeneous coordinates of beta and stay finite in both.
/// - phi is divided by |x|, so that both arguments of psi have one unit; where x_N < 0 the sign of x_N^2 is
/// that of x_N.
/// - psi is smoothed, psi(a, b) = 0 iff a b = mu^2, and mu falls to zero as the iteration goes on. Without
/// this,
///   |f|^2 has so many local minima that Newton ends in one on about half of small random problems.
struct NcpOptions {
  double smoothing = 3;  ///< the first mu, in units of the largest entry of b; 0: none
  double unit = 5;       ///< of w, the same
};
NonsmoothSystem ncp_system(const CanonicalProblem& problem, const NcpOptions& options = {});

}  // namespace capstan
