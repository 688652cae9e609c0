#pragma once
#include <CLI/CLI.hpp>
#include <limits>

#include "capstan/solve/solver.hpp"

namespace capstan::app {

/// What solve and bench have in common.
struct CommonSolveArguments {
  Measure measure = Measure::error;
  double tolerance = 1e-6;
  int max_iterations = 0;  ///< 0: the solver's own
  double time_limit = std::numeric_limits<double>::infinity();
  int threads = 0;  ///< 0: one a core
};

/// --measure, --tol, --max-iterations, --time-limit, --threads.
void add_common_options(CLI::App& command, CommonSolveArguments& arguments, bool with_tolerance = true);

int thread_count(int threads);

SolveOptions solve_options(const CommonSolveArguments& arguments, const Executor& executor);

}  // namespace capstan::app
