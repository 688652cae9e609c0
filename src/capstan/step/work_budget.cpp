#include "capstan/step/work_budget.hpp"

#include <algorithm>

namespace capstan {
namespace {

constexpr double kMeanWeight = 0.05;  // of the newest step in the mean of recent work
constexpr double kLeastTrust = 0.125;

}  // namespace

double WorkBudget::of_step(double work_of_sweep) const {
  const double ceiling = std::max(options_.ceiling, options_.least_sweeps * work_of_sweep);
  const double wanted = std::max(options_.sweeps * work_of_sweep, options_.recent * memory_.recent_work);
  const double above_floor = std::clamp(wanted - options_.floor, 0.0, ceiling - options_.floor);
  return options_.effort * (options_.floor + memory_.trust * above_floor);
}

void WorkBudget::learn(double work, bool converged) {
  memory_.recent_work += kMeanWeight * (work - memory_.recent_work);
  memory_.trust = converged ? 1 : std::max(0.5 * memory_.trust, kLeastTrust);
}

}  // namespace capstan
