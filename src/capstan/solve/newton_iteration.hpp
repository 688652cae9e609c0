#pragma once
#include <functional>

#include "capstan/solve/newton_system.hpp"
#include "capstan/solve/solver.hpp"

namespace capstan {

struct LineSearchResult {
  double alpha = 0;
  double merit = 0;  ///< at alpha
};

/// Goldstein-Price: finds alpha with m2 q'(0) <= (q(alpha) - q(0))/alpha <= m1 q'(0), by bisection between a
/// step that is too short and one that is too long. [Bertails11, Alg. 2] Differs from the paper: at most 30
/// trials, then the best of them (q is not smooth, so no alpha need exist).
LineSearchResult goldstein_price(const std::function<double(double)>& merit, double merit_at_0,
                                 double slope_at_0);

/// Newton on a nonsmooth system with that line search on q = |f|^2 / 2. [Bertails11, Alg. 1]
/// Differs from the paper: where J is singular, or its step does not decrease q, Levenberg-Marquardt steps of
/// growing damping take its place; the most damped one is the gradient step of [Daviet11, app. A.2].
/// Stalled: q is stationary but not zero, or no step decreases it.
Status run_newton(const SolverContext& context, const NonsmoothSystem& system);

}  // namespace capstan
