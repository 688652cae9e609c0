#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>

#include "capstan/solve/gradient.hpp"

namespace capstan {
namespace {

bool vanishes(const Eigen::VectorXd& d, const Eigen::VectorXd& x) { return !(d.norm() > 1e-16 * x.norm()); }

/// The last iterates of spectral projected gradient, valued by the convex model of the moment,
///     q(x) = x.(W x)/2 + x.(b + s),   s = |y_T| e of the current iterate,
/// so that values under different s are never compared.
class ModelHistory {
 public:
  explicit ModelHistory(const Eigen::VectorXd& b) : b_(b) {}
  void push(const Eigen::VectorXd& x, const Eigen::VectorXd& y) {
    values_.push_back({0.5 * x.dot(y + b_), x});
    if (values_.size() > kLength) values_.pop_front();
  }
  double largest(const Eigen::VectorXd& s) const {
    double worst = -std::numeric_limits<double>::infinity();
    for (const auto& [value, x] : values_) worst = std::max(worst, value + s.dot(x));
    return worst;
  }

 private:
  static constexpr std::size_t kLength = 10;
  const Eigen::VectorXd& b_;
  std::deque<std::pair<double, Eigen::VectorXd>> values_;
};

/// The largest step in (0, 1] with q(x + alpha d) <= the worst of the last values + 1e-4 alpha q'. q is a
/// parabola along d, so that trials cost nothing.
double nonmonotone_step(double q, double slope, double curvature, double largest) {
  double alpha = 1;
  for (int trial = 0; trial < 40; ++trial) {
    if (q + alpha * slope + 0.5 * alpha * alpha * curvature <= largest + 1e-4 * alpha * slope) break;
    const double minimiser = -slope / curvature;  // curvature > 0, else alpha = 1 had passed
    alpha = std::clamp(minimiser, 0.1 * alpha, 0.5 * alpha);
  }
  return alpha;
}

}  // namespace

/// [Birgin, Martinez, Raydan 2000] on the convex model whose De Saxce term follows every iterate. One product
/// with W an iteration.
Status run_spectral_projected_gradient(const SolverContext& context) {
  const CanonicalProblem& problem = context.problem;
  const int d = problem.dimension();
  Eigen::VectorXd& x = context.x;
  Eigen::VectorXd y, moved_y;
  problem.velocity(x, y);
  ModelHistory history(problem.b());
  double spectral = 1;  // 1/trace-scaled curvature: W has diagonal blocks of trace d
  for (int k = 0;; ++k) {
    if (context.monitor.due(k) || k >= context.max_iterations)
      if (const auto stop = context.monitor.judge(x, y, k, context.max_iterations)) return *stop;
    history.push(x, y);
    const Eigen::VectorXd gradient = de_saxce_contacts(d, y), shift = gradient - y;
    Eigen::VectorXd moved = x - spectral * gradient;
    project_contacts(d, moved);
    const Eigen::VectorXd direction = moved - x;
    if (vanishes(direction, x)) return status_at_rest(context, k);
    problem.velocity(moved, moved_y);
    const Eigen::VectorXd Wd = moved_y - y;
    const double curvature = direction.dot(Wd);
    const double alpha = nonmonotone_step(0.5 * x.dot(y + problem.b()) + shift.dot(x),
                                          gradient.dot(direction), curvature, history.largest(shift));
    x += alpha * direction;
    y += alpha * Wd;
    if (k % 50 == 49) problem.velocity(x, y);  // against drift
    spectral = curvature > 0 ? std::clamp(direction.squaredNorm() / curvature, 1e-6, 1e6) : 1.0;
  }
}

/// Nesterov's method with backtracking on the step (Mazhar et al. 2015), restarted when the momentum points
/// uphill (O'Donoghue and Candes 2015) or the step has grown: De Saxce's term makes the problem nonconvex,
/// and momentum without a guard diverges.
Status run_accelerated_projected_gradient(const SolverContext& context) {
  const CanonicalProblem& problem = context.problem;
  const int d = problem.dimension();
  Eigen::VectorXd& x = context.x;
  Eigen::VectorXd y, next_y;
  problem.velocity(x, y);
  Eigen::VectorXd z = x, z_y = y;  // the extrapolated point and its velocity
  double L = 1, t = 1, least = std::numeric_limits<double>::infinity();
  for (int k = 0;; ++k) {
    if (context.monitor.due(k) || k >= context.max_iterations)
      if (const auto stop = context.monitor.judge(x, y, k, context.max_iterations)) return *stop;
    const Eigen::VectorXd gradient = de_saxce_contacts(d, z_y);
    Eigen::VectorXd next, step;
    for (int trial = 0; trial < 60; ++trial, L *= 2) {
      next = z - gradient / L;
      project_contacts(d, next);
      step = next - z;
      problem.velocity(next, next_y);
      if (!(step.dot(next_y - z_y) > L * step.squaredNorm())) break;
    }
    if (vanishes(step, x) && vanishes(next - x, x)) return status_at_rest(context, k);
    const double size = L * step.norm();
    const bool restart = step.dot(next - x) < 0 || size > 2 * least;
    least = restart ? size : std::min(least, size);
    const double next_t = restart ? 1 : 0.5 * (1 + std::sqrt(1 + 4 * t * t)),
                 beta = restart ? 0 : (t - 1) / next_t;
    z = next + beta * (next - x);
    z_y = next_y + beta * (next_y - y);  // y is affine
    x.swap(next);
    y.swap(next_y);
    t = next_t;
    L *= 0.98;
  }
}

}  // namespace capstan
