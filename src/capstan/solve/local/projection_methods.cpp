#include <cmath>

#include "capstan/solve/local/local_problem.hpp"
#include "capstan/solve/local/small_lu.hpp"

/// Methods that project axis by axis or block by block: Duriez 2006 and 2008, the pyramid, and proximal
/// steps.
namespace capstan::local {
namespace {

/// x_T onto the disc of radius x_N.
template <int D>
void project_tangent(Vector<D>& x) {
  const double norm = cone::tangent<D>(x).norm();
  if (norm > x[0]) x.template tail<D - 1>() *= x[0] / norm;
}

/// One pass with W replaced by its diagonal: the normal first, then the tangents with the new normal.
/// [Duriez 2006, after Daviet11, sec. 7.1 and Bertails11, sec. 1]
template <int D>
void decoupled_pass(const LocalProblem<D>& problem, Vector<D>& x) {
  const Matrix<D>& W = problem.W;
  const double normal = W(0, 0), tangential = (W.trace() - normal) / (D - 1);
  if (normal > 0) x[0] = std::max(x[0] - problem.velocity(x)[0] / normal, 0.0);
  if (tangential > 0) x.template tail<D - 1>() -= problem.velocity(x).template tail<D - 1>() / tangential;
  project_tangent<D>(x);
}

/// Which side of the pyramid each tangent is on: 0 sticks, +1 and -1 slide along it.
template <int D>
using Sides = Eigen::Matrix<int, D - 1, 1>;

/// x with y_N = 0, y_a = 0 where a sticks and x_a = side x_N where it slides: sticking axes keep their
/// unknown, the others add theirs to the column of the normal.
template <int D>
Vector<D> solve_on_sides(const LocalProblem<D>& problem, const Sides<D>& sides) {
  Matrix<D> A = problem.W;
  Vector<D> right = -problem.b;
  for (int a = 1; a < D; ++a) {
    if (sides[a - 1] == 0) continue;
    A.col(0) += sides[a - 1] * problem.W.col(a);
    A.col(a).setZero();
    A.row(a).setZero();
    A(a, a) = 1;
    right[a] = 0;
  }
  Vector<D> x = SmallLu<D>(A).solve(right);
  for (int a = 1; a < D; ++a)
    if (sides[a - 1] != 0) x[a] = sides[a - 1] * x[0];
  return x;
}

/// How far x is from the law of the pyramid: |x_a| <= x_N, y_a = 0 inside and against x_a on a side.
template <int D>
double pyramid_defect(const LocalProblem<D>& problem, const Vector<D>& x) {
  const Vector<D> y = problem.velocity(x);
  double defect = std::abs(std::min(x[0], y[0]));
  for (int a = 1; a < D; ++a) {
    const double radius = std::max(x[0], 0.0);
    defect = std::max(defect, std::abs(x[a] - std::clamp(x[a] - y[a], -radius, radius)));
  }
  return std::isfinite(defect) ? defect : std::numeric_limits<double>::infinity();
}

}  // namespace

template <int D>
LocalResult solve_decoupled(const LocalProblem<D>& problem, Vector<D>& x, int passes) {
  Best<D> best(problem);
  int k = 0;
  bool done = best.offer(x);
  for (; k < passes && !done; ++k) {
    decoupled_pass<D>(problem, x);
    if (!x.allFinite()) break;
    done = best.offer(x);
  }
  if (passes > 1 || done) return best.finish(x, k);
  const double residual = problem.residual(x);  // one pass: its answer counts, better or not
  return {false, residual, k, false, false};
}

template <int D>
LocalResult solve_four_sides(const LocalProblem<D>& problem, Vector<D>& x) {
  const auto report = [&](int tried) {
    const double residual = problem.residual(x);
    const bool converged = residual <= problem.attainable(x) && problem.is_measurable(x);
    return LocalResult{converged, residual, tried, false, false};
  };
  x.setZero();
  if (problem.b[0] >= 0) return report(0);
  constexpr int kPatterns = D == 2 ? 3 : D == 3 ? 9 : 27;
  double smallest = pyramid_defect<D>(problem, x);
  int pattern = 0;
  for (; pattern < kPatterns; ++pattern) {
    Sides<D> sides;
    for (int a = 0, digits = pattern; a < D - 1; ++a, digits /= 3)
      sides[a] = digits % 3 == 2 ? -1 : digits % 3;
    const Vector<D> candidate = solve_on_sides<D>(problem, sides);
    const double defect = pyramid_defect<D>(problem, candidate);
    if (defect >= smallest) continue;
    smallest = defect;
    x = candidate;
    if (defect <= problem.attainable(x)) break;
  }
  return report(pattern);
}

/// x_N <- max(x_N - r_N y_N, 0), x_T <- P_disc(x_N)(x_T - r_T y_T), one r per block; the factor on both
/// shrinks whenever a step is longer than the one before, and that step is taken back. [Erleben20, eq. 14 and
/// Alg. 2]
template <int D>
LocalResult solve_proximal(const LocalProblem<D>& problem, Vector<D>& x) {
  constexpr int kMaxIterations = 200;
  constexpr double kShrink = 0.7;
  const double normal = problem.W(0, 0), tangential = tangential_bound<D>(problem.W);
  double factor = 1, last = std::numeric_limits<double>::infinity();
  Best<D> best(problem);
  int k = 0;
  for (; !best.offer(x) && k < kMaxIterations; ++k) {
    const Vector<D> y = problem.velocity(x);
    Vector<D> next = x;
    if (normal > 0) next[0] = std::max(x[0] - factor / normal * y[0], 0.0);
    if (tangential > 0) next.template tail<D - 1>() -= factor / tangential * cone::tangent<D>(y);
    project_tangent<D>(next);
    const double step = (next - x).norm() / factor;
    if (step > last && factor > 1e-3) {
      factor *= kShrink;
      continue;
    }
    last = step;
    x = next;
  }
  return best.finish(x, k);
}

template LocalResult solve_decoupled<2>(const LocalProblem<2>&, Vector<2>&, int);
template LocalResult solve_decoupled<3>(const LocalProblem<3>&, Vector<3>&, int);
template LocalResult solve_decoupled<4>(const LocalProblem<4>&, Vector<4>&, int);
template LocalResult solve_four_sides<2>(const LocalProblem<2>&, Vector<2>&);
template LocalResult solve_four_sides<3>(const LocalProblem<3>&, Vector<3>&);
template LocalResult solve_four_sides<4>(const LocalProblem<4>&, Vector<4>&);
template LocalResult solve_proximal<2>(const LocalProblem<2>&, Vector<2>&);
template LocalResult solve_proximal<3>(const LocalProblem<3>&, Vector<3>&);
template LocalResult solve_proximal<4>(const LocalProblem<4>&, Vector<4>&);

}  // namespace capstan::local
