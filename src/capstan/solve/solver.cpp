#include "capstan/solve/solver.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>
#include <numeric>
#include <optional>

#include "capstan/errors.hpp"
#include "capstan/solve/registry.hpp"
#include "capstan/solve/team.hpp"
#include "capstan/solve/work.hpp"

namespace capstan {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// |b + s|_2 of all contacts, m/s; 1 if that is zero.
double free_velocity_norm(const ContactProblem& problem) {
  const int d = problem.dimension();
  double sum = 0;
  for (int i = 0; i < problem.contacts(); ++i)
    sum += (problem.b().segment(i * d, d) + problem.law(i).shift.head(d)).squaredNorm();
  return sum > 0 ? std::sqrt(sum) : 1.0;
}

/// Contacts from which on an island is worth several threads.
constexpr std::size_t kLargeIsland = 1500;

/// One large island and crumbs: cutting the crumbs off costs more than sweeping over them.
bool is_nearly_one(const std::vector<std::vector<int>>& islands, int contacts) {
  std::size_t largest = 0;
  for (const auto& island : islands) largest = std::max(largest, island.size());
  return islands.size() > 1 && largest >= kLargeIsland && double(largest) > 0.95 * contacts;
}

std::vector<int> all_contacts(int contacts) {
  std::vector<int> all(contacts);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

struct IslandResult {
  Status status = Status::converged;
  int iterations = 0;
  double work = 0;
  Eigen::VectorXd x;
  LocalStatistics local;
  std::vector<HistoryPoint> history;
};

IslandResult solve_island(const CanonicalProblem& island, Eigen::VectorXd x, const SolverEntry& solver,
                          const SolveOptions& options, Monitor::Options monitor_options,
                          const Executor& executor) {
  Monitor monitor(island, std::move(monitor_options));
  const int limit = options.max_iterations > 0 ? options.max_iterations : solver.default_iterations;
  IslandResult result;
  result.status = solver.run({island, x, monitor, limit, executor, options.most_direct_rows, options.settle});
  if (monitor.best_value() <= options.tolerance) result.status = Status::converged;
  result.iterations = monitor.iterations();
  result.work = monitor.work();
  result.x = monitor.best();
  result.local = monitor.local;
  result.history = monitor.history();
  return result;
}

Eigen::VectorXd gather(const Eigen::VectorXd& x, const std::vector<int>& contacts, int d) {
  Eigen::VectorXd part(Eigen::Index(contacts.size()) * d);
  for (std::size_t k = 0; k < contacts.size(); ++k) part.segment(k * d, d) = x.segment(contacts[k] * d, d);
  return part;
}

/// Solves every island on its own; x is the first guess and the result. [Bertails11, sec. 4.5]
class IslandSolves {
 public:
  IslandSolves(const CanonicalProblem& problem, const SolverEntry& solver, const SolveOptions& options,
               double natural_map_unit, const Executor& executor, Eigen::VectorXd& x)
      : problem_(problem),
        solver_(solver),
        options_(options),
        natural_map_unit_(natural_map_unit),
        executor_(executor),
        x_(x),
        islands_(problem.islands()),
        found_islands_(static_cast<int>(islands_.size())) {
    if (is_nearly_one(islands_, problem.contacts())) islands_ = {all_contacts(problem.contacts())};
    results_.resize(islands_.size());
    limits_.resize(islands_.size());
  }

  /// Each island may do its share of the work, by its contacts. What the others leave of theirs goes to those
  /// that were not done, once.
  void run(SolveReport& report) {
    std::vector<int> which = all_contacts(static_cast<int>(islands_.size()));
    for (const int k : which)
      limits_[k] = options_.work_limit * double(islands_[k].size()) / problem_.contacts();
    solve(which);
    const double left = options_.work_limit - report_work();
    std::erase_if(which, [&](int k) {
      return results_[k].status == Status::converged || results_[k].work < limits_[k];
    });
    if (std::isfinite(left) && !which.empty() && left > kWorthSharing * options_.work_limit) {
      for (const int k : which) limits_[k] = left / double(which.size());
      solve(which);
    }
    tell(report);
  }

 private:
  static constexpr double kWorthSharing = 0.1;  // part of the limit

  double report_work() const {
    double work = 0;
    for (const IslandResult& result : results_) work += result.work;
    return work;
  }

  /// The small ones in parallel, then large ones one after the other, each on all threads. The largest comes
  /// last: if time is limited, it must not cost the others theirs.
  void solve(const std::vector<int>& which) {
    std::vector<int> order = which;
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return islands_[a].size() < islands_[b].size(); });
    const auto large =
        std::find_if(order.begin(), order.end(), [&](int k) { return islands_[k].size() >= kLargeIsland; });
    executor_.for_each(static_cast<int>(large - order.begin()),
                       [&](int k) { solve_part(order[k], serial_executor()); });
    for (auto k = large; k != order.end(); ++k) solve_part(*k, executor_);
    const int d = problem_.dimension();
    for (const int k : which)
      for (std::size_t c = 0; c < islands_[k].size(); ++c)
        x_.segment(islands_[k][c] * d, d) = results_[k].x.segment(Eigen::Index(c) * d, d);
  }

  void solve_part(int k, const Executor& threads) {
    const std::vector<int>& contacts = islands_[k];
    IslandResult found;
    if (islands_.size() == 1) {
      found = solve_island(problem_, x_, solver_, options_, monitor_options(k), threads);
    } else {
      const CanonicalProblem island = problem_.island(contacts);
      found = solve_island(island, gather(x_, contacts, problem_.dimension()), solver_, options_,
                           monitor_options(k), threads);
    }
    add(std::move(found), results_[k]);
  }

  /// Continues the counts of an earlier solve of the same island.
  static void add(IslandResult&& found, IslandResult& result) {
    for (HistoryPoint& point : found.history) {
      point.iteration += result.iterations;
      result.history.push_back(point);
    }
    result.status = found.status;
    result.iterations += found.iterations;
    result.work += found.work;
    result.x = std::move(found.x);
    result.local.solves += found.local.solves;
    result.local.fallbacks += found.local.fallbacks;
    result.local.failures += found.local.failures;
  }

  Monitor::Options monitor_options(int k) {
    const double time_left = std::max(options_.time_limit - seconds_since(start_), 1e-9);
    Monitor::Options result;
    result.measure = options_.measure;
    result.tolerance =
        0.999 * options_.tolerance;  // the certificate, which has the last word, differs by rounding
    result.time_limit = time_left;
    result.work_limit = limits_[k];
    // The parts of a sum of squares: each island may have its share of the whole.
    result.natural_map_unit = natural_map_unit_ * std::sqrt(double(islands_[k].size()) / problem_.contacts());
    if (options_.on_judged)  // islands are judged by several threads; the caller hears them one at a time
      result.on_judged = [this](const HistoryPoint& point) {
        const std::lock_guard lock(judging_);
        return options_.on_judged(point);
      };
    return result;
  }

  void tell(SolveReport& report) {
    report.islands = found_islands_;
    std::size_t largest = 0;
    for (std::size_t k = 0; k < islands_.size(); ++k) {
      report.iterations = std::max(report.iterations, results_[k].iterations);
      report.work += results_[k].work;
      report.local.solves += results_[k].local.solves;
      report.local.fallbacks += results_[k].local.fallbacks;
      report.local.failures += results_[k].local.failures;
      report.status = std::max(report.status, results_[k].status);
      if (islands_[k].size() > islands_[largest].size()) largest = k;
    }
    report.history = std::move(results_[largest].history);
  }

  const CanonicalProblem& problem_;
  const SolverEntry& solver_;
  const SolveOptions& options_;
  const double natural_map_unit_;
  const Executor& executor_;
  Eigen::VectorXd& x_;
  std::vector<std::vector<int>> islands_;
  int found_islands_;
  std::vector<IslandResult> results_;
  std::vector<double> limits_;  // of work, for each island
  std::mutex judging_;
  const Clock::time_point start_ = Clock::now();
};

/// Bonds up to which a problem that goes through W is solved with their springs in it: W is then dense, the
/// springs cost a factorisation of their rows and save most sweeps where they hold light bodies.
constexpr int kMaxBondsInW = 250;

/// Whether there are tractions, and sweeps had better know them one by one.
bool are_better_in_contact(const ContactProblem& problem) {
  const auto bonds = std::count_if(problem.laws().begin(), problem.laws().end(),
                                   [](const ContactLaw& law) { return law.has_traction(); });
  const bool goes_through_W = problem.has_mass() && problem.mass().has_compliance();
  return bonds > 0 && !(goes_through_W && bonds <= kMaxBondsInW);
}

CanonicalProblem set_up(const ContactProblem& problem, const Executor& executor, TractionForm form) {
  CanonicalProblem canonical(problem, executor, form);
  const double unit = error_unit(problem, executor);
  canonical.set_error_unit(unit > 0 ? unit : 1.0);
  return canonical;
}

/// From solution.r, which it replaces.
void solve_as(TractionForm form, const SolverEntry& solver, const ContactProblem& problem,
              const SolveOptions& options, const Executor& executor, Solution& solution) {
  const auto start = Clock::now();
  CanonicalProblem canonical = set_up(problem, executor, form);
  SolveReport& report = solution.report;
  report.status = Status::converged;
  const int before = report.iterations;
  report.iterations = 0;
  report.seconds_setup += seconds_since(start);
  Eigen::VectorXd x = canonical.canonical_from_impulse(solution.r);
  SolveOptions rest = options;
  rest.work_limit -= report.work;
  IslandSolves(canonical, solver, rest, free_velocity_norm(problem), executor, x).run(report);
  report.iterations += before;
  solution.r = canonical.impulse_from_canonical(x);
}

}  // namespace

void check_solve(const ContactProblem& problem, const Eigen::VectorXd& first_guess,
                 const SolveOptions& options) {
  if (!(options.tolerance > 0))
    throw InputError("tolerance: is " + std::to_string(options.tolerance) + ", expected a number > 0");
  if (options.max_iterations < 0)
    throw InputError("max_iterations: is " + std::to_string(options.max_iterations) + ", expected 0 or more");
  if (!(options.work_limit > 0))
    throw InputError("work_limit: is " + std::to_string(options.work_limit) + ", expected a number > 0");
  if (!(options.time_limit > 0))
    throw InputError("time_limit: is " + std::to_string(options.time_limit) + ", expected a number > 0");
  if (first_guess.size() != problem.b().size())
    throw InputError("first guess: has " + std::to_string(first_guess.size()) + " entries, expected " +
                     std::to_string(problem.b().size()));
  if (!first_guess.allFinite()) throw InputError("first guess: has an entry that is not finite");
}

void find_velocities(const ContactProblem& problem, const Executor& executor, Solution& solution) {
  if (!problem.has_mass()) {
    solution.u = problem.relative_velocity(solution.r);
    return;
  }
  solution.v = problem.velocity(solution.r, executor);
  solution.u = problem.relative_velocity_of(solution.v, executor);
}

Solution solve(const ContactProblem& problem, const SolveOptions& options) {
  return solve(problem, Eigen::VectorXd::Zero(problem.b().size()), options);
}

Solution solve(const ContactProblem& problem, const Eigen::VectorXd& first_guess,
               const SolveOptions& options) {
  check_solve(problem, first_guess, options);
  const SolverEntry& solver = find_solver(options.solver);
  const Executor& given = options.executor ? *options.executor : serial_executor();
  std::optional<Team> team;
  if (problem.contacts() >= int(kLargeIsland)) team.emplace(given);
  const Executor& executor = team ? *team : given;
  Solution solution;
  SolveReport& report = solution.report;
  report.solver = solver.name;
  solution.r = first_guess;
  const auto start = Clock::now();
  if (problem.contacts() > 0) {
    const bool in_contact = solver.with_springs && are_better_in_contact(problem);
    if (in_contact)
      solve_as(TractionForm::in_contact, {solver.name, "", solver.default_iterations, solver.with_springs},
               problem, options, executor, solution);
    const double softening = in_contact ? work_of_softening(problem) : 0;
    const bool give_up = report.status == Status::converged ||
                         report.work + softening >= options.work_limit ||
                         problem.b().size() > options.most_direct_rows;
    if (!in_contact || !give_up) {
      report.work += softening;
      solve_as(TractionForm::in_mass, solver, problem, options, executor, solution);
    }
  }
  report.seconds_solve = seconds_since(start) - report.seconds_setup;
  find_velocities(problem, executor, solution);
  report.certificate = certify(problem, solution.r, solution.u, executor);
  // The certificate has the last word: what the solver saw in its own variables does not count.
  const double value =
      options.measure == Measure::error ? report.certificate.error : report.certificate.natural_map_error;
  if (value <= options.tolerance)
    report.status = Status::converged;
  else if (report.status == Status::converged)
    report.status = Status::stalled;
  return solution;
}

const SolverEntry& find_solver(const std::string& name) {
  for (const SolverEntry& entry : solvers())
    if (entry.name == name) return entry;
  std::string known;
  for (const SolverEntry& entry : solvers()) known += (known.empty() ? "" : ", ") + entry.name;
  throw InputError("solver: there is no '" + name + "'; there are " + known);
}

}  // namespace capstan
