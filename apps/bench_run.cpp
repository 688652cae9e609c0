#include "apps/bench_run.hpp"

#include <algorithm>

#include "apps/report.hpp"
#include "bench/peers.hpp"

namespace capstan::app {
namespace {

struct Run {
  Eigen::VectorXd r;
  double seconds;
  int iterations;
  Status status;
  std::vector<HistoryPoint> history;
};

Run run_ours(const ContactProblem& problem, const SolveOptions& options) {
  Solution solution = solve(problem, options);
  SolveReport& report = solution.report;
  for (HistoryPoint& point : report.history) point.seconds += report.seconds_setup;
  return {solution.r, report.seconds_setup + report.seconds_solve, report.iterations, report.status,
          report.history};
}

/// A peer may stop a rounding error above its own tolerance; a hundredth is granted.
Run run_peer(const bench::Peer& peer, const ContactProblem& problem, const SolveOptions& options) {
  bench::PeerAnswer answer =
      peer.run(problem, {options.tolerance, options.max_iterations, options.time_limit});
  const Certificate certificate = certify(problem, answer.r);
  const double value = options.measure == Measure::error ? certificate.error : certificate.natural_map_error;
  const Status status = value <= 1.01 * options.tolerance ? Status::converged : Status::iteration_limit;
  return {std::move(answer.r),
          answer.seconds,
          answer.iterations,
          status,
          {{answer.iterations, value, answer.seconds}}};
}

Run run_once(const ContactProblem& problem, const SolveOptions& options) {
  for (const bench::Peer& peer : bench::peers())
    if (peer.name == options.solver) return run_peer(peer, problem, options);
  return run_ours(problem, options);
}

}  // namespace

double BenchRow::median() const {
  const std::size_t half = seconds.size() / 2;
  return seconds.size() % 2 == 1 ? seconds[half] : 0.5 * (seconds[half - 1] + seconds[half]);
}

BenchRow bench_one(const std::string& name, const ContactProblem& problem, const std::string& solver,
                   const SolveOptions& given, int repeat) {
  SolveOptions options = given;
  options.solver = solver;
  BenchRow row;
  row.problem = name;
  row.solver = solver;
  row.contacts = problem.contacts();
  row.tolerance = options.tolerance;
  Run run{};
  double total = 0;
  for (int k = 0; k < repeat && total <= options.time_limit; ++k) {
    run = run_once(problem, options);
    row.seconds.push_back(run.seconds);
    total += run.seconds;
    if (run.status != Status::converged) break;
  }
  std::sort(row.seconds.begin(), row.seconds.end());
  const Certificate certificate = certify(problem, run.r);
  row.status = run.status;
  row.iterations = run.iterations;
  row.error = certificate.error;
  row.natural_map = certificate.natural_map_error;
  row.hash = hash_of(run.r);
  row.history = std::move(run.history);
  return row;
}

double ratio_to_first(const std::vector<BenchRow>& rows, const BenchRow& row, const std::string& first) {
  for (const BenchRow& other : rows)
    if (other.solver == first && other.problem == row.problem && other.tolerance == row.tolerance)
      return other.converged() && row.converged() ? row.minimum() / other.minimum() : 0;
  return 0;
}

}  // namespace capstan::app
