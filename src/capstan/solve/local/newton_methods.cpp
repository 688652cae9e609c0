#include <cmath>

#include "capstan/solve/local/local_problem.hpp"
#include "capstan/solve/local/small_lu.hpp"

/// Newton on a complementarity function of one contact: Fischer-Burmeister (smooth merit, no line search
/// needed) and Alart-Curnier (pure and damped).
namespace capstan::local {
namespace {

/// -J^-1 f, or steepest descent of |f|^2/2 where J is singular or Newton's direction is nearly orthogonal to
/// it. [Daviet11, app. A.2, sigma = 1e-3]
template <int D>
Vector<D> newton_or_gradient(const Matrix<D>& J, const Vector<D>& f) {
  constexpr double kSigma = 1e-3;
  const Vector<D> gradient = J.transpose() * f;
  const SmallLu<D> lu(J);
  if (!lu.is_singular()) {
    const Vector<D> step = -lu.solve(f);
    if (step.allFinite() && step.dot(gradient) <= -kSigma * step.norm() * gradient.norm()) return step;
  }
  return -gradient;
}

/// f_AC, its Jacobian with respect to x, and the merit |f|^2/2. One rho per block, from the diagonal of W:
/// with rho = 1 an elliptic contact of ratio 100 would weigh its axes by 10^4.
template <int D>
struct AlartCurnierAt {
  Vector<D> f;
  Matrix<D> J;
  AlartCurnierAt(const LocalProblem<D>& problem, const Vector<D>& x) {
    const Matrix<D>& W = problem.W;
    const double normal = W(0, 0), tangential = (W.trace() - normal) / (D - 1);
    const auto at = cone::alart_curnier<D>(x, problem.velocity(x), normal > 0 ? 1 / normal : 1.0,
                                           tangential > 0 ? 1 / tangential : 1.0);
    f = at.f;
    J = at.df_dx + at.df_dy * W;
  }
  double merit() const { return 0.5 * f.squaredNorm(); }
};

/// A step length along d with m2 q'(0) <= (q(alpha) - q(0))/alpha <= m1 q'(0). [Bertails11, Alg. 2]
template <int D>
double goldstein_price(const LocalProblem<D>& problem, const Vector<D>& x, const Vector<D>& d, double merit,
                       double slope) {
  constexpr double kM1 = 0.1, kM2 = 0.9, kLargest = 1e10;
  double lower = 0, upper = kLargest, alpha = 1;
  for (int trial = 0; trial < 30; ++trial) {
    const double mean = (AlartCurnierAt<D>(problem, x + alpha * d).merit() - merit) / alpha;
    if (mean >= kM2 * slope && mean <= kM1 * slope) break;
    (mean < kM2 * slope ? lower : upper) = alpha;
    alpha = upper < kLargest ? 0.5 * (lower + upper) : 10 * alpha;
  }
  return alpha;
}

}  // namespace

template <int D>
LocalResult solve_fischer_burmeister(const LocalProblem<D>& problem, Vector<D>& x, int max_iterations) {
  Best<D> best(problem);
  int k = 0;
  for (;; ++k) {
    const Vector<D> y = problem.velocity(x);
    const auto at = cone::fischer_burmeister_jacobian<D>(x, cone::de_saxce<D>(y));
    if (best.offer(x, at.f.norm()) || k == max_iterations) break;
    const Matrix<D> J = at.df_dx + at.df_dy * cone::de_saxce_jacobian<D>(y) * problem.W;
    x += newton_or_gradient<D>(J, at.f);
    if (!x.allFinite()) break;
  }
  return best.finish(x, k);
}

template <int D>
LocalResult solve_alart_curnier(const LocalProblem<D>& problem, Vector<D>& x, bool damped) {
  constexpr int kMaxIterations = 50;
  Best<D> best(problem);
  int k = 0;
  for (;; ++k) {
    if (best.offer(x) || k == kMaxIterations) break;
    const AlartCurnierAt<D> at(problem, x);
    const SmallLu<D> lu(at.J);
    if (lu.is_singular()) break;
    const Vector<D> step = -lu.solve(at.f);
    if (!step.allFinite()) break;
    const double slope = at.f.dot(at.J * step);
    x += (damped ? goldstein_price<D>(problem, x, step, at.merit(), slope) : 1.0) * step;
  }
  return best.finish(x, k);
}

template LocalResult solve_fischer_burmeister<2>(const LocalProblem<2>&, Vector<2>&, int);
template LocalResult solve_fischer_burmeister<3>(const LocalProblem<3>&, Vector<3>&, int);
template LocalResult solve_fischer_burmeister<4>(const LocalProblem<4>&, Vector<4>&, int);
template LocalResult solve_alart_curnier<2>(const LocalProblem<2>&, Vector<2>&, bool);
template LocalResult solve_alart_curnier<3>(const LocalProblem<3>&, Vector<3>&, bool);
template LocalResult solve_alart_curnier<4>(const LocalProblem<4>&, Vector<4>&, bool);

}  // namespace capstan::local
