#pragma once
#include <functional>
#include <string>
#include <vector>

#include "apps/problem_source.hpp"
#include "capstan/solve/solver.hpp"

namespace capstan::app {

/// One line of a benchmark. Speed never comes without accuracy: both are here, judged by certify() for
/// everyone.
struct BenchRow {
  std::string problem, solver;
  int contacts = 0;
  double tolerance = 0;
  Status status = Status::iteration_limit;
  std::vector<double> seconds;  ///< of each repeat, sorted; set-up included, reading the file not
  int iterations = 0;
  double error = 0, natural_map = 0;
  std::string hash;                   ///< of r
  std::vector<HistoryPoint> history;  ///< seconds from the start of set-up; one point for a peer

  bool converged() const { return status == Status::converged; }
  double minimum() const { return seconds.front(); }
  double median() const;
};

/// Runs `solver` on the problem up to `repeat` times; once, if it does not converge. The executor, the
/// measure and the limits are those of `options`.
BenchRow bench_one(const std::string& name, const ContactProblem& problem, const std::string& solver,
                   const SolveOptions& options, int repeat);

/// Time over that of the first solver on the same problem to the same tolerance; 0 if either did not
/// converge.
double ratio_to_first(const std::vector<BenchRow>& rows, const BenchRow& row, const std::string& first);

}  // namespace capstan::app
