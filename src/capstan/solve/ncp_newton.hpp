#pragma once
#include "capstan/solve/newton_system.hpp"

namespace capstan {

/// Friction as maximum dissipation with a multiplier [Erleben20, sec. 4.2]. The paper's unknowns are the force
/// and beta, with 0 <= beta, -phi >= 0 complementary, phi = |x_T|^2 - x_N^2, and grad phi = -beta v_t. Here
///
///     psi(x_N, y_N) = 0,    psi(s, x_N - |x_T|) = 0,    w := (x_N y_T + s x_T) / sqrt(x_N^2 + s^2 + eps^2) = 0
///
/// in the d + 1 unknowns (x, s), psi Fischer-Burmeister. s is the sliding speed; the paper's beta is 2 x_N / s.
///
/// Differs from the paper:
/// - Its eq. 19, psi(|v_t|^2, |w|^2) = 0, is one equation where two are needed, and its derivative vanishes at
///   every solution. The vector equation is used instead.
/// - Sticking, beta would have to be infinite (v_t = 0 while grad phi is not); open, 1/beta would. (x_N, s) are
///   homogeneous coordinates of beta and stay finite in both. The root makes w a velocity where the contact sticks
///   and an impulse where it is open.
/// - phi is divided by its positive factor |x_T| + x_N, so that both arguments of psi have one unit.
NonsmoothSystem ncp_system(const CanonicalProblem& problem);

}  // namespace capstan
