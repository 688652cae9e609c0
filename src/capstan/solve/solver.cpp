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
void solve_islands(const CanonicalProblem& problem, const SolverEntry& solver, const SolveOptions& options,
                   double natural_map_unit, const Executor& executor, Eigen::VectorXd& x,
                   SolveReport& report) {
  auto islands = problem.islands();
  report.islands = static_cast<int>(islands.size());
  if (is_nearly_one(islands, problem.contacts())) islands = {all_contacts(problem.contacts())};
  std::vector<IslandResult> results(islands.size());
  std::mutex judging;
  const auto start = Clock::now();
  const auto monitor_options = [&](std::size_t contacts) {
    const double time_left = std::max(options.time_limit - seconds_since(start), 1e-9);
    // The certificate, which has the last word, differs by rounding.
    Monitor::Options result{options.measure, 0.999 * options.tolerance, 1.0, time_left, nullptr};
    // The parts of a sum of squares: each island may have its share of the whole.
    result.natural_map_unit = natural_map_unit * std::sqrt(double(contacts) / problem.contacts());
    if (options.on_judged)  // islands are judged by several threads; the caller hears them one at a time
      result.on_judged = [&](const HistoryPoint& point) {
        const std::lock_guard lock(judging);
        return options.on_judged(point);
      };
    return result;
  };
  const auto solve_part = [&](int k, const Executor& threads) {
    if (islands.size() == 1) {
      results[k] = solve_island(problem, x, solver, options, monitor_options(islands[k].size()), threads);
      return;
    }
    const CanonicalProblem island = problem.island(islands[k]);
    results[k] = solve_island(island, gather(x, islands[k], problem.dimension()), solver, options,
                              monitor_options(islands[k].size()), threads);
  };
  // The small ones side by side, then large ones one after the other, each on all threads. The largest comes
  // last: if time is limited, it must not cost the others theirs.
  std::vector<int> order(islands.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return islands[a].size() < islands[b].size(); });
  const auto large =
      std::find_if(order.begin(), order.end(), [&](int k) { return islands[k].size() >= kLargeIsland; });
  executor.for_each(static_cast<int>(large - order.begin()),
                    [&](int k) { solve_part(order[k], serial_executor()); });
  for (auto k = large; k != order.end(); ++k) solve_part(*k, executor);
  const int d = problem.dimension();
  std::size_t largest = 0;
  for (std::size_t k = 0; k < islands.size(); ++k) {
    for (std::size_t c = 0; c < islands[k].size(); ++c)
      x.segment(islands[k][c] * d, d) = results[k].x.segment(Eigen::Index(c) * d, d);
    report.iterations = std::max(report.iterations, results[k].iterations);
    report.local.solves += results[k].local.solves;
    report.local.fallbacks += results[k].local.fallbacks;
    report.local.failures += results[k].local.failures;
    report.status = std::max(report.status, results[k].status);
    if (islands[k].size() > islands[largest].size()) largest = k;
  }
  report.history = std::move(results[largest].history);
}

/// Bonds up to which a problem that goes through W is solved with their springs in it: W is then dense, the
/// springs cost a factorisation of their rows and save most sweeps where they hold light bodies.
constexpr int kMostBondsInW = 250;

/// Whether there are tractions, and sweeps had better know them one by one.
bool are_better_in_contact(const ContactProblem& problem) {
  const auto bonds = std::count_if(problem.laws().begin(), problem.laws().end(),
                                   [](const ContactLaw& law) { return law.has_traction(); });
  const bool goes_through_W = problem.has_mass() && problem.mass().has_compliance();
  return bonds > 0 && !(goes_through_W && bonds <= kMostBondsInW);
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
  solve_islands(canonical, solver, options, free_velocity_norm(problem), executor, x, report);
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
    const bool give_up = report.status == Status::converged || problem.b().size() > options.most_direct_rows;
    if (!in_contact || !give_up)
      solve_as(TractionForm::in_mass, solver, problem, options, executor, solution);
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
