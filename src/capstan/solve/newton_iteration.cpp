#include "capstan/solve/newton_iteration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace capstan {

LineSearchResult goldstein_price(const std::function<double(double)>& merit, double merit_at_0,
                                 double slope_at_0) {
  constexpr double m1 = 0.1, m2 = 0.9, longest = 1e3;
  double alpha = 1, shorter = 0, longer = std::numeric_limits<double>::infinity();
  LineSearchResult best{0, merit_at_0};
  for (int trial = 0; trial < 30; ++trial) {
    const double q = merit(alpha), slope = (q - merit_at_0) / alpha;
    if (q < best.merit) best = {alpha, q};  // false for NaN
    if (slope >= m2 * slope_at_0 && slope <= m1 * slope_at_0) return {alpha, q};
    if (slope < m2 * slope_at_0)
      shorter = alpha;
    else
      longer = alpha;
    alpha = longer < longest ? 0.5 * (shorter + longer) : 10 * alpha;
    if (alpha > longest) break;
  }
  return best;
}

namespace {

/// The iterate of one Newton solve, and what is known about it.
class NewtonIterate {
 public:
  NewtonIterate(const CanonicalProblem& problem, const NonsmoothSystem& system, const Eigen::VectorXd& x)
      : problem_(problem), system_(system), J_(problem.W(), system.unknowns) {
    problem.velocity(x, y_);
    z_ = system.start(x, y_);
  }

  const Eigen::VectorXd& y() const { return y_; }
  Eigen::VectorXd x() const { return impulse_of(z_, system_.unknowns, problem_.dimension()); }
  const NewtonMatrix& matrix() const { return J_; }
  double merit() const { return 0.5 * at_.f.squaredNorm(); }

  double residual() const { return at_.f.cwiseAbs().maxCoeff(); }

  void linearise() {
    linearise(z_, y_, at_);
    J_.assemble(at_.df_dz, at_.df_dy);
    gradient_ = J_.matrix().transpose() * at_.f;
  }

  /// Whether q cannot be decreased to first order.
  bool stationary() const { return !(gradient_.norm() > 1e-14 * at_.f.norm()); }

  std::optional<Eigen::VectorXd> newton_direction() { return J_.solve(-at_.f); }
  std::optional<Eigen::VectorXd> damped_direction(double lambda) const {
    return J_.solve_damped(-at_.f, lambda);
  }

  /// Goes along `direction` if that decreases q enough.
  bool advance(const Eigen::VectorXd& direction) {
    const double slope = gradient_.dot(direction), q0 = merit();
    if (!(slope < 0)) return false;
    Eigen::VectorXd dy, trial_z, trial_y;
    problem_.velocity(impulse_of(z_ + direction, system_.unknowns, problem_.dimension()), dy);
    dy -= y_;  // y is affine in x: one product serves all trials
    const auto merit_at = [&](double alpha) {
      trial_z = z_ + alpha * direction;
      trial_y = y_ + alpha * dy;
      linearise(trial_z, trial_y, trial_);
      return 0.5 * trial_.f.squaredNorm();
    };
    const LineSearchResult found = goldstein_price(merit_at, q0, slope);
    if (!(found.merit < q0 * (1 - 1e-10)) || found.alpha < 1e-8) return false;
    z_ += found.alpha * direction;
    problem_.velocity(x(), y_);
    linearise(z_, y_, at_);
    return true;
  }

 private:
  /// Dropped axes have neither impulse nor velocity; z = 0 is their equation, else J would be singular.
  void linearise(const Eigen::VectorXd& z, const Eigen::VectorXd& y, Linearisation& out) const {
    system_.linearise(z, y, out);
    const int d = problem_.dimension(), m = system_.unknowns;
    for (int i = 0; i < problem_.contacts(); ++i)
      for (int a = 1; a < d; ++a) {
        if (problem_.scale()[i * d + a] > 0) continue;
        out.f[i * m + a] = z[i * m + a];
        out.df_dz.block(a, i * m, 1, m) = Eigen::RowVectorXd::Unit(m, a);
        out.df_dy.block(a, i * d, 1, d).setZero();
      }
  }

  const CanonicalProblem& problem_;
  const NonsmoothSystem& system_;
  NewtonMatrix J_;
  Eigen::VectorXd z_, y_, gradient_;
  Linearisation at_, trial_;
};

/// One step: Newton's, or the least damped one that decreases q. `damping` is kept from step to step. Each
/// direction costs a factorisation, which cannot be interrupted: none is begun that would not end in time.
bool take_step(NewtonIterate& iterate, const Monitor& monitor, double& damping) {
  constexpr double least = 1e-12, most = 1e4;
  const auto in_time = [&](double work) { return !monitor.must_stop() && work <= monitor.time_left(); };
  if (!in_time(iterate.matrix().work_of_solve())) return false;
  if (const auto direction = iterate.newton_direction())
    if (iterate.advance(*direction)) return true;
  if (!in_time(iterate.matrix().work_of_damped_solve())) return false;
  for (double lambda = std::max(damping, least);
       lambda <= most && in_time(iterate.matrix().work_of_damped_solve()); lambda *= 30) {
    const auto direction = iterate.damped_direction(lambda);
    if (!direction || !iterate.advance(*direction)) continue;
    damping = lambda / 100;
    return true;
  }
  if (damping <= least || !in_time(iterate.matrix().work_of_damped_solve())) return false;
  damping = least;  // too much damping can also fail, by rounding
  return take_step(iterate, monitor, damping);
}

}  // namespace

Status run_newton(const SolverContext& context, const NonsmoothSystem& system) {
  NewtonIterate iterate(context.problem, system, context.x);
  double damping = 1e-8;
  for (int k = 0;; ++k) {
    context.x = iterate.x();
    if (const auto stop = context.monitor.judge(context.x, iterate.y(), k, context.max_iterations))
      return *stop;
    iterate.linearise();
    const bool stuck = iterate.stationary() || !take_step(iterate, context.monitor, damping);
    if (stuck && (context.monitor.must_stop() ||
                  context.monitor.time_left() < iterate.matrix().work_of_damped_solve())) {
      context.x = iterate.x();
      context.monitor.judge(context.x, iterate.y(), k + 1, context.max_iterations);
      return Status::iteration_limit;
    }
    const bool sharpened = system.sharpen && system.sharpen(iterate.residual(), stuck);
    if (stuck && !sharpened) return Status::stalled;
  }
}

}  // namespace capstan
