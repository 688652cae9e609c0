#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "apps/bench_report.hpp"
#include "apps/bench_run.hpp"
#include "apps/commands.hpp"
#include "apps/number_checks.hpp"
#include "apps/problem_source.hpp"
#include "apps/report.hpp"
#include "apps/solve_options.hpp"
#include "apps/text_table.hpp"
#include "capstan/errors.hpp"
#include "capstan/parallel/tbb_executor.hpp"

namespace capstan::app {
namespace {

struct BenchArguments {
  std::vector<std::string> files, solvers{"auto"};
  std::vector<double> tolerances{1e-4, 1e-6, 1e-8};
  CommonSolveArguments common;
  int repeat = 5;
  std::string out;
};

TextTable table_for(const std::vector<ProblemSource>& sources, const std::vector<std::string>& solvers) {
  int problem = 0, solver = 0;
  for (const ProblemSource& source : sources) problem = std::max(problem, int(source.name.size()));
  for (const std::string& name : solvers) solver = std::max(solver, int(name.size()));
  return TextTable({{"problem", problem, true},
                    {"contacts", 8},
                    {"solver", solver, true},
                    {"tol", 6},
                    {"status", 15, true},
                    {"min s", 8},
                    {"median s", 8},
                    {"ratio", 6},
                    {"iterations", 10},
                    {"error", 7},
                    {"natural map", 7},
                    {"hash of r", 16}});
}

/// Every solver on every problem to every tolerance.
class BenchSeries {
 public:
  explicit BenchSeries(const BenchArguments& arguments)
      : arguments_(arguments),
        sources_(sources_of(arguments.files)),
        table_(table_for(sources_, arguments.solvers)),
        executor_(thread_count(arguments.common.threads)) {}

  int run() {
    const InterruptGuard guard;
    fmt::print("{}", table_.header());
    const std::size_t runs = arguments_.solvers.size() * arguments_.tolerances.size();
    progress_.start("bench");
    for (std::size_t k = 0; k < sources_.size() && !interrupted(); ++k) {
      try {
        run_problem(sources_[k], double(runs * sources_.size()));
      } catch (const InputError& error) {
        complain(sources_[k].argument, error.what());
      }
      done_ = runs * (k + 1);
    }
    return finish();
  }

 private:
  void run_problem(const ProblemSource& source, double all_runs) {
    const ContactProblem problem = source.load();
    for (const double tolerance : arguments_.tolerances)
      for (const std::string& solver : arguments_.solvers) {
        if (interrupted()) return;
        progress_.set_text(
            fmt::format("{} of {:.0f} runs, {} with {}", done_, all_runs, source.name, solver));
        progress_.set_fraction(double(done_++) / all_runs);
        SolveOptions options = solve_options(arguments_.common, executor_);
        options.tolerance = tolerance;
        options.on_judged = [](const HistoryPoint&) { return !interrupted(); };
        try {
          const BenchRow row = bench_one(source.name, problem, solver, options, arguments_.repeat);
          if (interrupted() && !row.converged()) return;
          rows_.push_back(row);
          show(row);
        } catch (const InputError& error) {  // a peer cannot express it: no row, and nobody's mistake
          progress_.hide();
          fmt::print(stderr, "capstan: {} with {} is left out: {}\n", source.name, solver, error.what());
        }
      }
  }

  void show(const BenchRow& row) {
    const double ratio = ratio_to_first(rows_, row, arguments_.solvers.front());
    progress_.hide();
    fmt::print("{}", table_.row({{row.problem},
                                 {std::to_string(row.contacts)},
                                 {row.solver},
                                 {fmt::format("{:g}", row.tolerance)},
                                 {to_string(row.status), style_of(row.status)},
                                 {seconds_text(row.minimum())},
                                 {seconds_text(row.median())},
                                 {ratio > 0 ? fmt::format("{:.2f}", ratio) : "-"},
                                 {std::to_string(row.iterations)},
                                 {error_text(row.error)},
                                 {error_text(row.natural_map)},
                                 {row.hash}}));
    std::fflush(stdout);
  }

  void complain(const std::string& where, const std::string& what) {
    progress_.hide();
    fmt::print(stderr, "capstan: {}{}\n", what.find(where) == std::string::npos ? where + ": " : "", what);
    bad_ = true;
  }

  void write_files() const {
    const std::filesystem::path out(arguments_.out);
    const std::string measure = arguments_.common.measure == Measure::error ? "error" : "natural map";
    write_text(out / "results.csv", bench_csv(rows_, arguments_.solvers.front()));
    for (const double tolerance : arguments_.tolerances)
      write_text(out / fmt::format("profile_{:g}.svg", tolerance),
                 svg(performance_profile(rows_, tolerance)));
    for (const ProblemSource& source : sources_)
      if (std::any_of(rows_.begin(), rows_.end(),
                      [&](const BenchRow& row) { return row.problem == source.name; }))
        write_text(out / ("convergence_" + source.name + ".svg"),
                   svg(convergence_plot(rows_, source.name, measure)));
    fmt::print("\nwrote results.csv, profile_TOL.svg and convergence_PROBLEM.svg to {}\n", arguments_.out);
  }

  int finish() {
    progress_.clear();
    if (!rows_.empty()) fmt::print("\n{}", bench_summary(rows_));
    if (!rows_.empty() && !arguments_.out.empty()) write_files();
    if (interrupted()) {
      fmt::print(stderr, "capstan: interrupted; {} runs are kept\n", rows_.size());
      return interrupted_code();
    }
    if (bad_) return kBadInput;
    const bool all =
        std::all_of(rows_.begin(), rows_.end(), [](const BenchRow& row) { return row.converged(); });
    return all ? kAllConverged : kSomeDidNot;
  }

  const BenchArguments& arguments_;
  std::vector<ProblemSource> sources_;
  TextTable table_;
  TbbExecutor executor_;
  Progress progress_;
  std::vector<BenchRow> rows_;
  std::size_t done_ = 0;
  bool bad_ = false;
};

int bench_files(const BenchArguments& arguments) {
  for (const std::string& solver : arguments.solvers) check_solver_name(solver);
  if (!arguments.out.empty()) {
    std::error_code error;
    std::filesystem::create_directories(arguments.out, error);
    if (error) throw InputError("--out: cannot make the folder " + arguments.out + ": " + error.message());
  }
  return BenchSeries(arguments).run();
}

}  // namespace

void add_bench_command(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<BenchArguments>();
  arguments->common.time_limit = 60;
  arguments->common.threads = 1;
  CLI::App* command = app.add_subcommand("bench", "Time solvers against each other, with their accuracy");
  command->add_option("FILE", arguments->files, "Files or sample:NAME; none: the built-in problems");
  command
      ->add_option("--solvers", arguments->solvers, "Solvers, separated by commas; ratios are to the first")
      ->delimiter(',')
      ->type_name("A,B")
      ->default_str("auto");
  command->add_option("--tols", arguments->tolerances, "Tolerances, separated by commas")
      ->delimiter(',')
      ->check(above_zero())
      ->type_name("T,T")
      ->default_str("1e-4,1e-6,1e-8");
  command->add_option("--repeat", arguments->repeat, "Runs of each; the minimum and the median are shown")
      ->check(above_zero())
      ->capture_default_str();
  add_common_options(*command, arguments->common, false);
  command->add_option("--out", arguments->out, "Write results.csv and plots (SVG) to DIR")->type_name("DIR");
  command->footer(R"(
Examples:
  capstan bench --solvers auto,gs --repeat 3 --out bench_out        the built-in problems
  capstan bench tower.dat --solvers auto,siconos_nsgs --measure natural_map --tols 1e-6

Times include set-up and leave out reading the file; the default is one thread and at most 60 s a run. A run that
does not converge is not repeated. siconos_* are there if Capstan was built with Siconos; they stop at the natural
map, so compare with --measure natural_map. Equal hashes mean answers that are equal to the last bit.)");
  command->callback([&action, arguments] { action = [arguments] { return bench_files(*arguments); }; });
}

}  // namespace capstan::app
