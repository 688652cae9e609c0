#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include "capstan/solve/local/local_solver.hpp"

/// What the local methods share; not for use outside this folder.
namespace capstan::local {

/// One contact without dropped axes, D = 2, 3 or 4.
template <int D>
struct LocalProblem {
  const Matrix<D>& W;
  const Vector<D>& b;
  double tolerance;

  Vector<D> velocity(const Vector<D>& x) const { return W * x + b; }
  double residual(const Vector<D>& x) const {
    return cone::fischer_burmeister<D>(x, cone::de_saxce<D>(velocity(x))).norm();
  }
  /// Rounding of W x + b and of f_FB.
  double rounding(const Vector<D>& x) const {
    return 8 * std::numeric_limits<double>::epsilon() * (b.norm() + (1 + W.norm()) * x.norm());
  }
  /// The tolerance, raised to the rounding.
  double attainable(const Vector<D>& x) const { return std::max(tolerance, rounding(x)); }
  /// Whether the residual of x means anything: that of the huge impulses which a singular W invites is all
  /// rounding.
  bool is_measurable(const Vector<D>& x) const {
    return rounding(x) <= std::max(tolerance, 1e-7 * b.norm());  // false for NaN
  }
};

/// The iterate with the smallest residual so far; zero if there is none.
template <int D>
class Best {
 public:
  explicit Best(const LocalProblem<D>& problem) : problem_(problem) {}

  /// Returns whether x is within the tolerance.
  bool offer(const Vector<D>& x) { return offer(x, problem_.residual(x)); }
  bool offer(const Vector<D>& x, double residual) {
    if (!problem_.is_measurable(x)) return false;
    if (residual < residual_) {
      residual_ = residual;
      x_ = x;
    }
    return residual <= problem_.attainable(x);
  }
  double residual() const { return residual_; }
  const Vector<D>& x() const { return x_; }
  /// Hands the best iterate over.
  LocalResult finish(Vector<D>& x, int iterations) const {
    x = x_;
    const double residual = std::isfinite(residual_) ? residual_ : problem_.residual(x_);
    return {residual <= problem_.attainable(x_), residual, iterations, false, false};
  }

 private:
  const LocalProblem<D>& problem_;
  Vector<D> x_ = Vector<D>::Zero();
  double residual_ = std::numeric_limits<double>::infinity();
};

template <int D>
LocalResult solve_fischer_burmeister(const LocalProblem<D>& problem, Vector<D>& x, int max_iterations = 50);
template <int D>
LocalResult solve_alart_curnier(const LocalProblem<D>& problem, Vector<D>& x, bool damped);
template <int D>
LocalResult solve_enumerative(const LocalProblem<D>& problem, Vector<D>& x);
/// Duriez 2006 is one pass, Duriez 2008 many.
template <int D>
LocalResult solve_decoupled(const LocalProblem<D>& problem, Vector<D>& x, int passes);
template <int D>
LocalResult solve_four_sides(const LocalProblem<D>& problem, Vector<D>& x);
template <int D>
LocalResult solve_proximal(const LocalProblem<D>& problem, Vector<D>& x);

/// Largest tangential eigenvalue, from above, for step lengths.
template <int D>
double tangential_bound(const Matrix<D>& W) {
  return W.template block<D - 1, D - 1>(1, 1).cwiseAbs().rowwise().sum().maxCoeff();
}

}  // namespace capstan::local
