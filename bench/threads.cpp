// What a second thread is worth, and that it costs nothing where another program has the second core: the
// same solve on one thread and on several, in turn, in a quiet machine and beside programs that only spin.
// Cores share memory and sometimes more, so beside it stands what as many solves on one thread each get done
// side by side. That is no bound: they need the memory of several, where threads share that of one.
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <set>
#include <thread>

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

/// Seconds for as many solves side by side, one thread each, that share the problem and nothing else.
double side_by_side(const ContactProblem& problem, int threads, double tolerance) {
  const auto start = std::chrono::steady_clock::now();
  {
    std::vector<std::jthread> others;
    for (int k = 1; k < threads; ++k)
      others.emplace_back([&problem, tolerance] { timed_solve(problem, 1, tolerance); });
    timed_solve(problem, 1, tolerance);
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Seconds of each solve.
struct Times {
  std::vector<double> one, many;
  std::vector<double> again;  // on one thread once more: how far apart chance puts two equal things
  std::vector<double> apart;  // side by side
};

Times measure(const std::string& name, const ContactProblem& problem, int busy, const Arguments& arguments) {
  const Spinners spinners(busy);
  Times times;
  std::set<std::string> answers;
  const auto solve_on = [&](int threads, std::vector<double>& seconds) {
    const Run run = timed_solve(problem, threads, arguments.tolerance);
    answers.insert(run.hash);
    seconds.push_back(run.seconds);
  };
  const std::array<std::function<void()>, 3> kinds{[&] { solve_on(1, times.one); },
                                                   [&] { solve_on(arguments.threads, times.many); },
                                                   [&] { solve_on(1, times.again); }};
  for (int k = 0; k < arguments.repeats; ++k) {
    // Each is the first as often as the others.
    for (std::size_t turn = 0; turn < kinds.size(); ++turn) kinds[(k + turn) % kinds.size()]();
    if (busy == 0) times.apart.push_back(side_by_side(problem, arguments.threads, arguments.tolerance));
  }
  if (answers.size() > 1) throw InputError(name + ": the bits of the answer depend on the number of threads");
  return times;
}

void compare(const std::string& name, const ContactProblem& problem, int busy, const Arguments& arguments,
             const app::TextTable& table) {
  const Times times = measure(name, problem, busy, arguments);
  const double one = bench::median(times.one);
  const auto ratio = [&](const std::vector<double>& others, double part) {
    return fmt::format("{:.3f}", bench::quantile(times.one, part) / bench::quantile(others, part));
  };
  const std::string bound =
      times.apart.empty() ? "" : fmt::format("{:.3f}", arguments.threads * one / bench::median(times.apart));
  fmt::print("{}", table.row({{name},
                              {std::to_string(problem.contacts())},
                              {std::to_string(busy)},
                              {fmt::format("{:.4f}", one)},
                              {fmt::format("{:.4f}", bench::median(times.many))},
                              {ratio(times.many, 0.5)},
                              {ratio(times.many, 0.25)},
                              {ratio(times.many, 0)},
                              {ratio(times.again, 0.5)},
                              {bound}}));
  std::fflush(stdout);
}

void parse(CLI::App& app, Arguments& arguments) {
  app.add_option("PROBLEM", arguments.problems, "Files, or sample:NAME")->capture_default_str();
  app.add_option("--threads", arguments.threads, "Beside one thread")
      ->check(CLI::Range(2, 1024))
      ->capture_default_str();
  app.add_option("--repeats", arguments.repeats, "Of each, in turn")
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
                              {"one to one", 10},
                              {"machine", 7}});
  fmt::print(
      "{} repeats of each in turn, set-up included, all to the same bits; ratios of medians, first "
      "quartiles, minima\n"
      "one to one: one thread and one thread again, what chance does to a ratio of medians\n"
      "machine: what {} solves on one thread each get done side by side, each with memory of its own\n{}",
      arguments.repeats, arguments.threads, table.header());
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
