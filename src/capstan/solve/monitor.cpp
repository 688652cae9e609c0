#include "capstan/solve/monitor.hpp"

#include <algorithm>
#include <cmath>

#include "capstan/solve/certificate.hpp"
#include "capstan/solve/work.hpp"

namespace capstan {

const char* to_string(Status status) {
  switch (status) {
    case Status::converged:
      return "converged";
    case Status::iteration_limit:
      return "iteration_limit";
    case Status::stalled:
      return "stalled";
    case Status::no_solution:
      return "no_solution";
  }
  return "unknown";
}

Monitor::Monitor(const CanonicalProblem& problem, Options options)
    : problem_(problem),
      options_(std::move(options)),
      best_(Eigen::VectorXd::Zero(problem.size())),
      sweep_work_(work_of_sweep(problem)),
      judgement_work_(work_of_judgement(problem)) {}

double Monitor::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

bool Monitor::must_stop() const {
  return cancelled_ || work_ >= options_.work_limit || seconds() > options_.time_limit;
}

Monitor::Options Monitor::options_for_part(double accuracy) const {
  Options part = options_;
  part.tolerance *= accuracy;
  part.time_limit = std::max(time_left(), 1e-9);
  part.work_limit = work_left();
  part.on_judged = nullptr;
  return part;
}

double Monitor::measure(const Eigen::VectorXd& x, const Eigen::VectorXd& y, const Executor& executor) const {
  const auto value = [&] {
    if (options_.own_measure) return options_.own_measure(x, y);
    return options_.measure == Measure::error
               ? worst_fischer_burmeister(problem_, x, y, executor).value / problem_.error_unit()
               : natural_map(problem_, x, y, executor) / options_.natural_map_unit;
  }();
  return std::isfinite(value) ? value : std::numeric_limits<double>::infinity();
}

std::optional<Status> Monitor::judge(const Eigen::VectorXd& x, int iteration, int max_iterations,
                                     const Executor& executor) {
  problem_.velocity(x, y_, executor);
  return judge(x, y_, iteration, max_iterations, executor);
}

std::optional<Status> Monitor::judge(const Eigen::VectorXd& x, const Eigen::VectorXd& y, int iteration,
                                     int max_iterations, const Executor& executor) {
  work_ += judgement_work_ + sweep_work_ * std::max(first_iteration_ + iteration - iterations_, 0);
  iterations_ = first_iteration_ + iteration;
  last_value_ = measure(x, y, executor);
  history_.push_back({iterations_, last_value_, seconds()});
  if (last_value_ < best_value_) {
    best_value_ = last_value_;
    best_ = x;
  }
  if (options_.on_judged && !options_.on_judged(history_.back())) cancelled_ = true;
  if (last_value_ <= options_.tolerance) return Status::converged;
  if (iteration >= max_iterations || must_stop() || work_ + reserved_ >= options_.work_limit)
    return Status::iteration_limit;
  return std::nullopt;
}

}  // namespace capstan
