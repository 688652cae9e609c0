#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <thread>

#include "apps/commands.hpp"
#include "apps/problem_source.hpp"
#include "apps/report.hpp"
#include "apps/solve_options.hpp"
#include "apps/text_table.hpp"
#include "capstan/errors.hpp"
#include "capstan/files/problem_file.hpp"
#include "capstan/parallel/tbb_executor.hpp"
#include "capstan/solve/solver.hpp"

namespace capstan::app {
namespace {

namespace fs = std::filesystem;

struct SolveArguments {
  std::vector<std::string> files;
  CommonSolveArguments common;
  std::string solver = "auto";
  std::string write;
  bool json = false;
};

fs::path output_path(const std::string& folder, const ProblemSource& source) {
  return fs::path(folder) / (source.name + ".hdf5");
}

/// Refuses, before any work, names that would overwrite each other or an input.
void check_outputs(const std::string& folder, const std::vector<ProblemSource>& sources) {
  std::map<std::string, std::string> taken;  // name, argument
  for (const ProblemSource& source : sources) {
    const auto [entry, is_new] = taken.emplace(source.name, source.argument);
    if (!is_new)
      throw InputError("--write: " + entry->second + " and " + source.argument +
                       " would both be written to " + output_path(folder, source).string());
    if (source.name.empty() || source.name.find('/') != std::string::npos)
      throw InputError("--write: " + source.argument + " gives no file name");
  }
  for (const ProblemSource& output : sources)
    for (const ProblemSource& input : sources) {
      std::error_code none;
      if (!input.is_sample() && fs::equivalent(output_path(folder, output), input.argument, none))
        throw InputError("--write: " + output_path(folder, output).string() + " is one of the inputs");
    }
}

void make_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder))
    throw InputError("--write: cannot make the folder " + folder + (error ? ": " + error.message() : ""));
}

TextTable table_for(const std::vector<ProblemSource>& sources, const std::string& solver) {
  int longest = 0;
  for (const ProblemSource& source : sources) longest = std::max(longest, int(source.name.size()));
  return TextTable({{"problem", longest, true},
                    {"contacts", 8},
                    {"dofs", 6},
                    {"solver", int(solver.size()), true},
                    {"status", 15, true},
                    {"iterations", 10},
                    {"error", 7},
                    {"natural map", 7},
                    {"worst", 5},
                    {"open/stick/slide", 15},
                    {"setup s", 7},
                    {"solve s", 7}});
}

std::vector<Cell> table_row(const std::string& name, const ContactProblem& problem,
                            const SolveReport& report) {
  const Certificate& c = report.certificate;
  return {{name},
          {std::to_string(problem.contacts())},
          {problem.has_mass() ? std::to_string(problem.dofs()) : "-"},
          {report.solver},
          {to_string(report.status), style_of(report.status)},
          {std::to_string(report.iterations)},
          {error_text(c.error)},
          {error_text(c.natural_map_error)},
          {c.worst_contact < 0 ? "-" : std::to_string(c.worst_contact)},
          {states_text(c)},
          {seconds_text(report.seconds_setup)},
          {seconds_text(report.seconds_solve)}};
}

/// Solves problem after problem and shows each answer as soon as it is there.
class SolveRun {
 public:
  SolveRun(const SolveArguments& arguments, std::vector<ProblemSource> sources)
      : arguments_(arguments),
        sources_(std::move(sources)),
        table_(table_for(sources_, arguments.solver)),
        executor_(thread_count(arguments.common.threads)) {}

  int run() {
    const InterruptGuard guard;
    for (std::size_t k = 0; k < sources_.size() && !interrupted(); ++k) {
      progress_.start(fmt::format("[{}/{}] {}", k + 1, sources_.size(), sources_[k].name));
      try {
        solve_one(sources_[k]);
      } catch (const InputError& error) {
        complain(sources_[k], error.what());
      }
    }
    return finish();
  }

 private:
  void print(const std::string& text) {
    progress_.clear();
    fmt::print("{}", text);
    std::fflush(stdout);
  }

  void print_row(const std::vector<Cell>& row) {
    print((has_header_ ? "" : table_.header()) + table_.row(row));
    has_header_ = true;
  }

  void complain(const ProblemSource& source, const std::string& what) {
    progress_.clear();
    const bool named = what.find(source.argument) != std::string::npos;
    fmt::print(stderr, "capstan: {}{}\n", named ? "" : source.argument + ": ", what);
    ++bad_;
  }

  SolveOptions options(const std::string& name) {
    SolveOptions result = solve_options(arguments_.common, executor_);
    result.solver = arguments_.solver;
    const double tolerance = result.tolerance;
    // Logarithms, because iterative methods gain about the same factor in the same time.
    auto first = std::make_shared<std::atomic<double>>(-1.0);
    result.on_judged = [this, name, tolerance, first](const HistoryPoint& point) {
      double none = -1;
      first->compare_exchange_strong(none, point.value);
      const double start = *first;
      if (start > tolerance && point.value > 0)
        progress_.set_fraction(std::log(start / point.value) / std::log(start / tolerance));
      return !interrupted();
    };
    return result;
  }

  void solve_one(const ProblemSource& source) {
    const ContactProblem problem = source.load();
    const Solution solution = solve(problem, options(source.name));
    const bool converged = solution.report.status == Status::converged;
    if (interrupted() && !converged) return;  // half an answer is not kept
    if (!arguments_.write.empty()) write_answer(source, problem, solution);
    if (arguments_.json)
      print(report_json(source.name, source.argument, problem, solution.report).dump() + "\n");
    else
      print_row(table_row(source.name, problem, solution.report));
    ++(converged ? converged_ : missed_);
  }

  void write_answer(const ProblemSource& source, const ContactProblem& problem, const Solution& solution) {
    const ProblemInfo info{source.name, "written by capstan solve", ""};
    write_fclib(output_path(arguments_.write, source), problem, &solution, info);
  }

  int finish() {
    progress_.clear();
    const std::size_t done = converged_ + missed_ + bad_;
    if (interrupted()) {
      fmt::print(stderr, "capstan: interrupted; {} of {} problems are done\n", done, sources_.size());
      return interrupted_code();
    }
    if (!arguments_.json && sources_.size() > 1)
      fmt::print("{} of {} converged to {} {:g}{}\n", converged_, sources_.size(),
                 arguments_.common.measure == Measure::error ? "error" : "natural map",
                 arguments_.common.tolerance, bad_ > 0 ? fmt::format("; {} could not be read", bad_) : "");
    if (bad_ > 0) return kBadInput;
    return missed_ > 0 ? kSomeDidNot : kAllConverged;
  }

  const SolveArguments& arguments_;
  std::vector<ProblemSource> sources_;
  TextTable table_;
  TbbExecutor executor_;
  Progress progress_;
  bool has_header_ = false;
  std::size_t converged_ = 0, missed_ = 0, bad_ = 0;
};

int solve_files(const SolveArguments& arguments) {
  check_solver_name(arguments.solver);
  find_solver(arguments.solver);  // a peer is for bench only
  std::vector<ProblemSource> sources = sources_of(arguments.files);
  if (!arguments.write.empty()) {
    check_outputs(arguments.write, sources);
    make_folder(arguments.write);
  }
  return SolveRun(arguments, std::move(sources)).run();
}

}  // namespace

void add_solve_command(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<SolveArguments>();
  CLI::App* command = app.add_subcommand("solve", "Solve contact problems and certify the answers");
  command->add_option("FILE", arguments->files,
                      "FCLib (.hdf5) or Siconos (.dat) files, or sample:NAME; none: the built-in problems");
  command->add_option("--solver", arguments->solver, "One of 'capstan solvers'")->capture_default_str();
  add_common_options(*command, arguments->common);
  command->add_option("--write", arguments->write, "Write DIR/NAME.hdf5: problem and answer, FCLib layout")
      ->type_name("DIR");
  command->add_flag("--json", arguments->json, "One JSON object a line and problem instead of the table");
  command->footer(R"(
Examples:
  capstan solve                                     the built-in problems
  capstan solve tower.dat rover.dat --tol 1e-8
  capstan solve *.hdf5 --solver gs --time-limit 10 --json
  capstan solve tower.hdf5.dat --write answers      writes answers/tower.hdf5

error: 1 is no better than doing nothing, 0 is exact; the same in any units. natural map: as Siconos.
worst: the contact with the largest error. Exit codes: 0 all converged, 1 some did not, 2 bad input.)");
  command->callback([&action, arguments] { action = [arguments] { return solve_files(*arguments); }; });
}

}  // namespace capstan::app
