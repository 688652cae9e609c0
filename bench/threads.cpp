// What a second thread is worth, and that it costs nothing where another program has the second core: the
// same solve on one thread and on several, in turn, in a quiet machine and beside programs that only spin.
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include <atomic>
#include <chrono>

#include "apps/problem_source.hpp"
#include "apps/report.hpp"
#include "apps/text_table.hpp"
#include "bench/bench_main.hpp"
#include "bench/timing.hpp"
#include "capstan/errors.hpp"
#include "capstan/parallel/tbb_executor.hpp"
#include "capstan/solve/solver.hpp"

namespace capstan {
namespace {

struct Arguments {
  std::vector<std::string> problems{"sample:rods_20000"};
  int threads = 2;
  int repeats = 15;
  int busy = 1;
  double tolerance = 1e-6;
};

/// Programs that do nothing, as fast as they can, while it lives.
class Spinners {
 public:
  explicit Spinners(int count) {
    for (int k = 0; k < count; ++k) {
      const pid_t child = fork();
      if (child == 0)
        for (std::atomic<unsigned> turn{0};;) turn.fetch_add(1, std::memory_order_relaxed);
      if (child > 0) children_.push_back(child);
    }
  }
  ~Spinners() {
    for (const pid_t child : children_) {
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
    }
  }
  Spinners(const Spinners&) = delete;
  Spinners& operator=(const Spinners&) = delete;

 private:
  std::vector<pid_t> children_;
};

struct Run {
  double seconds;
  std::string hash;
};

Run timed_solve(const ContactProblem& problem, int threads, double tolerance) {
  const TbbExecutor executor(threads);
  SolveOptions options;
  options.tolerance = tolerance;
  options.measure = Measure::natural_map;
  options.executor = &executor;
  const auto start = std::chrono::steady_clock::now();
  const Solution answer = solve(problem, options);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  return {seconds.count(), app::hash_of(answer.r)};
}

void compare(const std::string& name, const ContactProblem& problem, int busy, const Arguments& arguments,
             const app::TextTable& table) {
  const Spinners spinners(busy);
  std::vector<double> one, many;
  bool same_bits = true;
  for (int k = 0; k < arguments.repeats; ++k) {
    // Each is the first as often as the other.
    const bool one_first = k % 2 == 0;
    Run alone, together;
    if (one_first) alone = timed_solve(problem, 1, arguments.tolerance);
    together = timed_solve(problem, arguments.threads, arguments.tolerance);
    if (!one_first) alone = timed_solve(problem, 1, arguments.tolerance);
    same_bits = same_bits && alone.hash == together.hash;
    one.push_back(alone.seconds);
    many.push_back(together.seconds);
  }
  const auto ratio = [&](double part) {
    return fmt::format("{:.3f}", bench::quantile(one, part) / bench::quantile(many, part));
  };
  fmt::print("{}", table.row({{name},
                              {std::to_string(problem.contacts())},
                              {std::to_string(busy)},
                              {fmt::format("{:.4f}", bench::median(one))},
                              {fmt::format("{:.4f}", bench::median(many))},
                              {ratio(0.5)},
                              {ratio(0.25)},
                              {ratio(0)},
                              {same_bits ? "same" : "DIFFER"}}));
  std::fflush(stdout);
  if (!same_bits) throw InputError(name + ": the bits of the answer depend on the number of threads");
}

void parse(CLI::App& app, Arguments& arguments) {
  app.add_option("PROBLEM", arguments.problems, "Files, or sample:NAME")->capture_default_str();
  app.add_option("--threads", arguments.threads, "Beside one thread")
      ->check(CLI::Range(2, 1024))
      ->capture_default_str();
  app.add_option("--repeats", arguments.repeats, "Of both, in turn")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--busy", arguments.busy,
                 "Programs that spin in the second row of a problem; 0: no such row")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--tol", arguments.tolerance, "On the natural map")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
}

int run(const Arguments& arguments) {
  const app::TextTable table({{"problem", 14, true},
                              {"contacts", 8},
                              {"spinning", 8},
                              {"1 thread, s", 11},
                              {fmt::format("{} threads", arguments.threads), 10},
                              {"ratio", 6},
                              {"quartiles", 9},
                              {"minima", 6},
                              {"bits", 6, true}});
  fmt::print("{} repeats of both in turn, set-up included; ratios of medians, first quartiles and minima\n{}",
             arguments.repeats, table.header());
  for (const app::ProblemSource& source : app::sources_of(arguments.problems)) {
    const ContactProblem problem = source.load();
    for (const int busy : {0, arguments.busy}) {
      compare(source.name, problem, busy, arguments, table);
      if (arguments.busy == 0) break;
    }
  }
  return 0;
}

}  // namespace
}  // namespace capstan

int main(int argc, char** argv) {
  return capstan::bench::bench_main<capstan::Arguments>(
      argc, argv, "What a second thread is worth, and what it costs beside another program", capstan::parse,
      capstan::run);
}
