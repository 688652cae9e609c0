#include "bindings/solving.hpp"

#include <nanobind/stl/string.h>

#include "capstan/errors.hpp"

namespace capstan::python {
namespace {

using Clock = std::chrono::steady_clock;

/// How often Ctrl-C is looked for: soon for a person, seldom for a solver.
constexpr auto kLookEvery = std::chrono::milliseconds(50);

int thread_count(int threads) {
  if (threads < 0) throw InputError("threads: is " + std::to_string(threads) + ", expected 0 or more");
  const int cores = std::max(1, int(std::thread::hardware_concurrency()));
  return threads > 0 ? std::min(threads, cores) : cores;
}

Fields history_of(const std::vector<HistoryPoint>& history) {
  std::vector<int> iterations;
  std::vector<double> values, seconds;
  for (const HistoryPoint& point : history) {
    iterations.push_back(point.iteration);
    values.push_back(point.value);
    seconds.push_back(point.seconds);
  }
  Fields result;
  result["iterations"] = to_numpy(std::move(iterations));
  result["values"] = to_numpy(std::move(values));
  result["seconds"] = to_numpy(std::move(seconds));
  return result;
}

}  // namespace

Threads::Threads(int threads, bool worth_several) {
  const int count = thread_count(threads);
  if (count > 1 && worth_several) several_.emplace(count);
}

Watch::Watch(nb::object callback) : callback_(std::move(callback)), has_callback_(!callback_.is_none()) {}

bool Watch::time_to_look() {
  // Python runs handlers of signals on its main thread alone, which is the caller's or none of ours.
  if (std::this_thread::get_id() != caller_ || Clock::now() - last_look_ < kLookEvery) return false;
  last_look_ = Clock::now();
  return true;
}

void Watch::stop_for_error() {
  if (!raised_) raised_ = std::current_exception();
  stopped_ = true;
}

bool Watch::go_on() {
  if (!stopped_ && time_to_look()) {
    const nb::gil_scoped_acquire lock;
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
    } catch (nb::python_error&) {
      stop_for_error();
    }
  }
  return !stopped_;
}

bool Watch::go_on(const HistoryPoint& point) {
  if (!go_on() || !has_callback_) return !stopped_;
  const nb::gil_scoped_acquire lock;
  try {
    const nb::object answer = callback_(point.iteration, point.value, point.seconds);
    if (answer.ptr() == Py_False) stopped_ = true;
  } catch (nb::python_error&) {
    stop_for_error();
  }
  return !stopped_;
}

void Watch::raise() const {
  if (raised_) std::rethrow_exception(raised_);
}

Fields to_python(const Certificate& c) {
  Fields result;
  result["error"] = c.error;
  result["worst_contact"] = c.worst_contact;
  result["penetration_velocity"] = c.penetration_velocity;
  result["worst_penetration"] = c.worst_penetration;
  result["cone_violation"] = c.cone_violation;
  result["worst_cone"] = c.worst_cone;
  result["dissipation_defect"] = c.dissipation_defect;
  result["worst_dissipation"] = c.worst_dissipation;
  result["natural_map_error"] = c.natural_map_error;
  result["fischer_burmeister"] = c.fischer_burmeister;
  result["alart_curnier"] = c.alart_curnier;
  result["open"] = c.open;
  result["stick"] = c.stick;
  result["slide"] = c.slide;
  std::vector<std::uint8_t> states;
  for (const ContactState state : c.states) states.push_back(static_cast<std::uint8_t>(state));
  result["state_codes"] = to_numpy(std::move(states));
  return result;
}

Fields to_python(Solution solution) {
  const SolveReport& report = solution.report;
  Fields result;
  result["r"] = to_numpy(std::move(solution.r));
  result["u"] = to_numpy(std::move(solution.u));
  result["v"] = solution.v.size() ? nb::cast(to_numpy(std::move(solution.v))) : nb::none();
  result["status"] = to_string(report.status);
  result["solver"] = report.solver;
  result["iterations"] = report.iterations;
  result["islands"] = report.islands;
  result["certificate"] = to_python(report.certificate);
  result["history"] = history_of(report.history);
  result["local_solves"] = report.local.solves;
  result["local_fallbacks"] = report.local.fallbacks;
  result["local_failures"] = report.local.failures;
  result["seconds_setup"] = report.seconds_setup;
  result["seconds_solve"] = report.seconds_solve;
  return result;
}

}  // namespace capstan::python
