#include "apps/solve_options.hpp"

#include <thread>

#include "apps/number_checks.hpp"

namespace capstan::app {

void add_common_options(CLI::App& command, CommonSolveArguments& arguments, bool with_tolerance) {
  if (with_tolerance)
    command.add_option("--tol", arguments.tolerance, "Tolerance on the measure")
        ->check(above_zero())
        ->capture_default_str();
  const std::map<std::string, Measure> measures{{"error", Measure::error},
                                                {"natural_map", Measure::natural_map}};
  command
      .add_option("--measure", arguments.measure, "What the tolerance is held against: error or natural_map")
      ->transform(CLI::CheckedTransformer(measures).description(""))
      ->type_name("NAME")
      ->default_str("error");
  command
      .add_option("--max-iterations", arguments.max_iterations, "Limit of iterations; 0: the solver's own")
      ->check(not_negative());
  command.add_option("--time-limit", arguments.time_limit, "Limit of time a problem, seconds")
      ->check(above_zero())
      ->type_name("S");
  command.add_option("--threads", arguments.threads, "Threads, 0: one a core; answers do not depend on it")
      ->check(not_negative())
      ->type_name("N");
}

int thread_count(int threads) {
  return threads > 0 ? threads : std::max(1, int(std::thread::hardware_concurrency()));
}

SolveOptions solve_options(const CommonSolveArguments& arguments, const Executor& executor) {
  SolveOptions options;
  options.measure = arguments.measure;
  options.tolerance = arguments.tolerance;
  options.max_iterations = arguments.max_iterations;
  options.time_limit = arguments.time_limit;
  options.executor = &executor;
  return options;
}

}  // namespace capstan::app
