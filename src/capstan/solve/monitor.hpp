#pragma once
#include <Eigen/Core>
#include <chrono>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "capstan/problem/canonical_problem.hpp"

namespace capstan {

enum class Status {
  converged,        ///< the certificate is within the tolerance
  iteration_limit,  ///< out of iterations or time; the best iterate is returned
  stalled,          ///< the method cannot get any better; the best iterate is returned
  no_solution       ///< a contact was shown to have none
};
const char* to_string(Status status);

/// Which number of the certificate is held against the tolerance.
enum class Measure { error, natural_map };

struct HistoryPoint {
  int iteration;
  double value;    ///< of the measure
  double seconds;  ///< since the monitor was made
};

/// Calls to the local solver of a Gauss-Seidel method.
struct LocalStatistics {
  long long solves = 0;     ///< one contact at a time
  long long fallbacks = 0;  ///< calls of the fail-safe
  long long failures = 0;   ///< local problems that did not reach the local tolerance
};

/// Judges the iterates of a solver, keeps the best one and the history, and says when to stop. A solver
/// reads:
///
///     for (int k = 0;; ++k) {
///       if (monitor.due(k))
///         if (const auto stop = monitor.judge(x, k, options.max_iterations)) return *stop;
///       ... one iteration ...
///     }
///
/// so that an exact first guess costs no iteration. Solvers may be chained on one monitor; start_stage
/// carries the count of iterations on.
class Monitor {
 public:
  struct Options {
    Measure measure = Measure::error;
    double tolerance = 1e-6;
    double natural_map_unit = 1;                                   ///< |b| of the whole problem, m/s
    double time_limit = std::numeric_limits<double>::infinity();   ///< seconds
    double work_limit = std::numeric_limits<double>::infinity();   ///< nominal seconds, see work.hpp
    std::function<bool(const HistoryPoint&)> on_judged = nullptr;  ///< return false to stop the solve
    /// In place of `measure`, for laws that are not the canonical one: of x and y = W x + b.
    std::function<double(const Eigen::VectorXd& x, const Eigen::VectorXd& y)> own_measure = nullptr;
  };

  Monitor(const CanonicalProblem& problem, Options options);

  /// Whether an iterate is worth judging now: a judgement costs about one sweep, so every tenth iteration.
  bool due(int iteration) const { return iteration % kPeriod == 0; }
  /// Measures x, and counts the work since the last judgement as that of sweeps, one per iteration. Returns a
  /// status if the solver should stop: converged, or out of time, work or iterations.
  std::optional<Status> judge(const Eigen::VectorXd& x, int iteration, int max_iterations,
                              const Executor& executor = serial_executor());
  /// The same when y = W x + b is at hand.
  std::optional<Status> judge(const Eigen::VectorXd& x, const Eigen::VectorXd& y, int iteration,
                              int max_iterations, const Executor& executor = serial_executor());

  /// The measure of x; does not count as an iterate.
  double measure(const Eigen::VectorXd& x, const Eigen::VectorXd& y,
                 const Executor& executor = serial_executor()) const;
  double tolerance() const { return options_.tolerance; }
  /// The same measure in the same units for a part of the problem, to a fraction of the tolerance; no one
  /// listens to its progress, but who wanted to stop the whole stops the part.
  Options options_for_part(double accuracy) const;
  /// Whether nothing more may be done at all: out of time or work, or asked to stop.
  bool must_stop() const;
  double seconds() const;
  double time_left() const { return options_.time_limit - seconds(); }

  /// Counts work that is not that of a sweep per iteration.
  void spend(double work) { work_ += work; }
  double work() const { return work_; }  ///< nominal seconds so far
  double work_left() const { return options_.work_limit - work_; }
  bool affords(double work) const { return work <= work_left(); }
  /// Keeps so much of the work for a later stage: judge() stops the stages before when the rest is spent.
  void reserve(double work) { reserved_ = work; }

  void start_stage() { first_iteration_ = iterations_; }
  int iterations() const { return iterations_; }
  const Eigen::VectorXd& best() const { return best_; }
  double best_value() const { return best_value_; }
  double last_value() const { return last_value_; }
  const Eigen::VectorXd& last_velocity() const {
    return y_;
  }  ///< y = W x + b of the last x judged without it
  const std::vector<HistoryPoint>& history() const { return history_; }
  LocalStatistics local;  ///< filled by Gauss-Seidel

 private:
  static constexpr int kPeriod = 10;
  const CanonicalProblem& problem_;
  Options options_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  Eigen::VectorXd y_, best_;
  double best_value_ = std::numeric_limits<double>::infinity(), last_value_ = best_value_;
  double sweep_work_, judgement_work_;
  double work_ = 0, reserved_ = 0;
  int first_iteration_ = 0, iterations_ = 0;
  bool cancelled_ = false;
  std::vector<HistoryPoint> history_;
};

}  // namespace capstan
