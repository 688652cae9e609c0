#include "capstan/solve/momentum.hpp"

#include <algorithm>
#include <cmath>

namespace capstan {
namespace {

/// How much of the last step to add again. Constants from trials on packings of rods and of spheres.
class Momentum {
 public:
  double beta() const { return beta_; }

  void learn(const SweepSums& sums) {
    const double before = t_;
    double next = 0.5 * (1 + std::sqrt(1 + 4 * t_ * t_));
    if (next > cap_) {
      next = cap_;
      cap_ *= 1.004;
    }
    const bool stale = sums.alignment < 0;
    const bool grew = sums.step > 2 * smallest_step_;
    if (grew && !stale) cap_ = std::max(4.0, 0.6 * t_);
    if (stale && !grew) cap_ *= 1.2;
    smallest_step_ = std::min(smallest_step_, sums.step);
    beta_ = (before - 1) / next;
    t_ = next;
    if (stale || grew) restart(sums.step);
  }

  void restart(double step) {
    beta_ = 0;
    t_ = 1;
    smallest_step_ = step;
  }

 private:
  double t_ = 1, beta_ = 0;
  double cap_ = std::numeric_limits<double>::infinity();
  double smallest_step_ = std::numeric_limits<double>::infinity();
};

/// A judgement costs as much as a few sweeps. The length of the sweep's step is free and goes with the error,
/// so the ratio of the two at the last judgement tells when the next is worth it. Small problems are often
/// done at once.
class Cadence {
 public:
  Cadence(double tolerance, int contacts) : tolerance_(tolerance), small_(contacts < 1000) {}
  bool due(int sweep, double step) const {
    if (small_ && (sweep == 1 || sweep == 2 || sweep == 5)) return true;
    const int since = sweep - last_;
    if (since < kShortest) return false;
    return since >= kLongest || ratio_ * std::sqrt(step) <= 1.2 * tolerance_;
  }
  void judged(int sweep, double step, double value) {
    last_ = sweep;
    if (step > 0) ratio_ = value / std::sqrt(step);
  }

 private:
  static constexpr int kShortest = 10, kLongest = 60;
  double tolerance_, ratio_ = 0;
  bool small_;
  int last_ = 0;
};

/// Whether the error has stopped falling.
class Progress {
 public:
  explicit Progress(int patience) : patience_(patience) {}
  bool is_over(int sweep, double best) {
    if (best < 0.67 * reference_) {
      reference_ = best;
      since_ = sweep;
    }
    return sweep - since_ > patience_ + sweep / 4;
  }

 private:
  int patience_, since_ = 0;
  double reference_ = std::numeric_limits<double>::infinity();
};

}  // namespace

Status solve_momentum(const SolverContext& context, const MomentumOptions& options) {
  return solve_momentum(context, options, [&] { return make_sweep(context.problem, context.executor); });
}

Status solve_momentum(const SolverContext& context, const MomentumOptions& options, const SweepMaker& make) {
  const int limit = std::min(options.max_sweeps, context.max_iterations);
  if (options.judged && limit < 1) return Status::iteration_limit;
  if (!options.judged)
    if (const auto stop = context.monitor.judge(context.x, 0, limit, context.executor)) return *stop;
  const auto sweep = make();
  sweep->set(context.x);
  Momentum momentum;
  Cadence cadence(context.monitor.tolerance(), context.problem.contacts());
  Progress progress(options.patience);
  for (int k = 1;; ++k) {
    const SweepSums sums = sweep->run(momentum.beta(), options.update);
    if (options.momentum) momentum.learn(sums);
    if (!std::isfinite(sums.step)) {  // start again from what is known to be good
      sweep->set(context.monitor.best());
      momentum.restart(std::numeric_limits<double>::infinity());
    }
    if (cadence.due(k, sums.step) || k >= limit) {
      context.x = sweep->get();
      if (const auto stop = context.monitor.judge(context.x, k, limit, context.executor)) return *stop;
      cadence.judged(k, sums.step, context.monitor.last_value());
      if (std::isfinite(context.monitor.last_value())) sweep->recentre(context.monitor.last_velocity());
      if (sums.step == 0 || progress.is_over(k, context.monitor.best_value())) return Status::stalled;
    }
  }
}

}  // namespace capstan
