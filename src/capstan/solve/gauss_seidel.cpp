#include "capstan/solve/gauss_seidel.hpp"

#include <algorithm>
#include <limits>

#include "capstan/solve/proximal.hpp"
#include "capstan/solve/registry.hpp"

namespace capstan {
namespace {

/// Contacts that are left alone until the next sweep over all: their impulse hardly changes, or is weak,
/// compared with the largest of the last sweep. [Daviet11, sec. 6.2]
class Freezer {
 public:
  Freezer(int contacts, bool enabled) : frozen_(contacts, 0), enabled_(enabled) {}

  bool skips(int contact, bool all) const { return !all && frozen_[contact]; }
  void visited(int contact, double change, double force) {
    constexpr double kSmallChange = 1e-2, kWeakForce = 1e-8;
    largest_change_ = std::max(largest_change_, change);
    largest_force_ = std::max(largest_force_, force);
    frozen_[contact] =
        enabled_ && (change <= kSmallChange * last_change_ || force <= kWeakForce * last_force_);
  }
  void end_sweep() {
    last_change_ = largest_change_;
    last_force_ = largest_force_;
    largest_change_ = largest_force_ = 0;
  }
  /// Three judgements in a row without progress: freezing may be the reason, and ends.
  void judged(double value) {
    if (value < 0.9 * best_value_) {
      best_value_ = value;
      idle_ = 0;
    } else if (++idle_ == 3 && enabled_) {
      enabled_ = false;
      std::fill(frozen_.begin(), frozen_.end(), 0);
    }
  }
  double last_change() const { return last_change_; }
  double last_force() const { return last_force_; }

 private:
  std::vector<char> frozen_;
  bool enabled_;
  double largest_change_ = 0, largest_force_ = 0, last_change_ = 0, last_force_ = 0;
  double best_value_ = std::numeric_limits<double>::infinity();
  int idle_ = 0;
};

template <int D, class Rows>
class GaussSeidel {
 public:
  GaussSeidel(const SolverContext& context, const GaussSeidelOptions& options, Rows rows)
      : problem_(context.problem),
        x_(context.x),
        monitor_(context.monitor),
        options_(options),
        rows_(std::move(rows)),
        freezer_(problem_.contacts(), options.freezing),
        tolerance_(std::min(options.local_tolerance, 1e-3 * monitor_.tolerance()) * problem_.error_unit()) {}

  Status run(int max_sweeps) {
    bool moved = true;
    for (int k = 0;; ++k) {
      if (monitor_.due(k) || k >= max_sweeps) {
        rows_.restart(x_, y_);
        if (const auto stop = monitor_.judge(x_, y_, k, max_sweeps)) return *stop;
        if (!moved) return is_hopeless() ? Status::no_solution : Status::stalled;
        freezer_.judged(monitor_.last_value());
      }
      const bool all = monitor_.due(k + 1) || k + 1 >= max_sweeps;
      sweep(all);
      if (all) moved = freezer_.last_change() > 1e-15 * freezer_.last_force();
    }
  }

 private:
  void sweep(bool all) {
    for (int i = 0; i < problem_.contacts(); ++i)
      if (!freezer_.skips(i, all)) visit(i);
    freezer_.end_sweep();
  }

  void visit(int i) {
    const double weight = problem_.weight()[i];
    const cone::Vector<D> old = x_.segment<D>(i * D);
    const cone::Matrix<D> W = problem_.diagonal(i);
    const cone::Vector<D> b = rows_.velocity(i, x_) - W * old;
    cone::Vector<D> x = old;
    const local::LocalResult result = local::solve_local<D>(options_.local, W, b, x, tolerance_ / weight);
    ++monitor_.local.solves;
    monitor_.local.fallbacks += result.fell_back;
    monitor_.local.failures += !result.converged;
    if (!result.converged && result.fell_back && options_.last_resort == GaussSeidelOptions::LastResort::zero)
      x.setZero();
    const cone::Vector<D> dx = x - old;
    x_.segment<D>(i * D) = x;
    rows_.moved(i, dx);
    freezer_.visited(i, weight * dx.norm(), weight * x.norm());
  }

  /// Whether some contact is not moved by its own impulse, so by none (W is positive semi-definite), and
  /// penetrates.
  bool is_hopeless() const {
    for (int i = 0; i < problem_.contacts(); ++i)
      if (problem_.diagonal(i)(0, 0) <= 0 &&
          y_[i * D] * problem_.weight()[i] < -monitor_.tolerance() * problem_.error_unit())
        return true;
    return false;
  }

  const CanonicalProblem& problem_;
  Eigen::VectorXd& x_;
  Monitor& monitor_;
  const GaussSeidelOptions& options_;
  Rows rows_;
  Freezer freezer_;
  double tolerance_;  // of a local residual, as an impulse
  Eigen::VectorXd y_;
};

}  // namespace

Status run_gauss_seidel(const SolverContext& context, const GaussSeidelOptions& options) {
  return cone::with_dimension(context.problem.dimension(), [&]<int D>() {
    return local::with_rows<D>(context.problem, options.space, [&]<class Rows>(Rows rows) {
      return GaussSeidel<D, Rows>(context, options, std::move(rows)).run(context.max_iterations);
    });
  });
}

std::vector<SolverEntry> gauss_seidel_solvers() {
  constexpr int kSweeps = 10000;
  std::vector<SolverEntry> entries;
  entries.push_back({"gs", "Gauss-Seidel with the hybrid local solver mfb+enum [Daviet11]", kSweeps,
                     [](const SolverContext& context) { return run_gauss_seidel(context); }});
  for (const local::LocalMethodEntry& entry : local::local_methods()) {
    GaussSeidelOptions options;
    options.local = entry.method;
    entries.push_back(
        {"gs:" + entry.name, "Gauss-Seidel; local solver: " + entry.summary, kSweeps,
         [options](const SolverContext& context) { return run_gauss_seidel(context, options); }});
  }
  entries.push_back({"prox_gs", "Proximal Gauss-Seidel with adaptive factors [Erleben20]", kSweeps,
                     [](const SolverContext& context) { return run_proximal_gauss_seidel(context); }});
  return entries;
}

}  // namespace capstan
