#include "capstan/solve/working_set.hpp"

#include <algorithm>

#include "capstan/solve/interior.hpp"
#include "capstan/solve/work.hpp"

namespace capstan {
namespace {

class WorkingSet {
 public:
  WorkingSet(const SolverContext& context, const WorkingSetOptions& options)
      : context_(context),
        d_(context.problem.dimension()),
        most_rows_(std::min<Eigen::Index>(
            context.most_direct_rows,
            static_cast<Eigen::Index>(options.largest_part * double(context.problem.size())))) {
    is_member_.assign(context.problem.contacts(), 0);
  }

  /// Adds contacts that bear an impulse or close. Returns whether there were any.
  bool grow(const Eigen::VectorXd& y) {
    const std::size_t before = members_.size();
    for (int i = 0; i < context_.problem.contacts(); ++i) {
      if (is_member_[i] || (context_.x[i * d_] <= 0 && y[i * d_] >= 0)) continue;
      is_member_[i] = 1;
      members_.push_back(i);
    }
    std::sort(members_.begin(), members_.end());
    return members_.size() > before;
  }

  /// Solves each group of members that shares no body with the others, with all other contacts open. Returns
  /// whether any impulse has changed.
  bool solve_groups() {
    bool changed = false;
    for (int i = 0; i < context_.problem.contacts(); ++i)
      if (!is_member_[i]) context_.x.segment(i * d_, d_).setZero();
    const CanonicalProblem members = context_.problem.island(members_);
    for (std::vector<int> group : members.islands()) {
      for (int& contact : group) contact = members_[contact];
      changed |= solve_group(group);
      if (context_.monitor.must_stop()) break;
    }
    return changed;
  }

 private:
  bool solve_group(const std::vector<int>& group) {
    Monitor& whole = context_.monitor;
    const Eigen::Index rows = Eigen::Index(group.size()) * d_;
    if (rows > most_rows_ || !whole.affords(work_of_direct_solve(rows))) return false;
    const CanonicalProblem part = context_.problem.island(group);
    Eigen::VectorXd x(rows);
    for (std::size_t k = 0; k < group.size(); ++k)
      x.segment(Eigen::Index(k) * d_, d_) = context_.x.segment(group[k] * d_, d_);
    Monitor monitor(part, whole.options_for_part(kAccuracy));
    SolverContext inner{
        part, x, monitor, context_.max_iterations, context_.executor, context_.most_direct_rows};
    if (monitor.judge(x, 0, 1) == Status::converged) return false;
    const double before = monitor.best_value();
    monitor.start_stage();
    if (solve_interior(inner, {}) != Status::converged && !monitor.must_stop()) {
      x = monitor.best();
      monitor.start_stage();
      solve_levenberg(inner, {});
    }
    whole.spend(monitor.work());
    if (!(monitor.best_value() < before)) return false;
    for (std::size_t k = 0; k < group.size(); ++k)
      context_.x.segment(group[k] * d_, d_) = monitor.best().segment(Eigen::Index(k) * d_, d_);
    return true;
  }

  static constexpr double kAccuracy = 0.5;  // of the tolerance, for each group
  const SolverContext& context_;
  int d_;
  Eigen::Index most_rows_;  // of a group
  std::vector<int> members_;
  std::vector<char> is_member_;
};

}  // namespace

Status solve_working_set(const SolverContext& context, const WorkingSetOptions& options) {
  Monitor& monitor = context.monitor;
  if (const auto stop = monitor.judge(context.x, 0, context.max_iterations)) return *stop;
  WorkingSet set(context, options);
  for (int round = 1; round <= options.max_rounds; ++round) {
    const bool grew = set.grow(monitor.last_velocity());
    if (!grew && round > 1) return Status::stalled;
    if (!set.solve_groups()) return Status::stalled;
    if (const auto stop = monitor.judge(context.x, round, context.max_iterations)) return *stop;
  }
  return Status::iteration_limit;
}

}  // namespace capstan
