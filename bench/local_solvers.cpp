// Table 2 and figure 11 of [Daviet11]: one Gauss-Seidel method, eleven local solvers, hundreds of one-step
// problems of hair. Writes a page with the table and a plot.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>

#include "apps/bench_report.hpp"
#include "apps/problem_source.hpp"
#include "apps/svg_plot.hpp"
#include "apps/terminal.hpp"
#include "bench/bench_main.hpp"
#include "capstan/errors.hpp"
#include "capstan/random.hpp"
#include "capstan/sample/sample.hpp"
#include "capstan/solve/solver.hpp"

namespace capstan {
namespace {

struct Arguments {
  int problems = 306;
  int fibers = 20;
  double tolerance = 1e-4;
  int max_sweeps = 1000;
  double time_limit = 20;
  double from = 0;
  std::vector<std::string> solvers{"gs:4sides",   "gs:duriez08", "gs:pac",         "gs:dac",
                                   "gs:mfb",      "gs:enum",     "gs:4sides+enum", "gs:duriez08+enum",
                                   "gs:pac+enum", "gs:dac+enum", "gs:mfb+enum",    "auto"};
  std::string out = "bench_out";
};

/// Column by column of the paper's table.
struct Tally {
  std::string solver;
  LocalStatistics local;
  int problems = 0, missed = 0;
  double sweeps = 0, seconds = 0;
  std::vector<int> needed;  // sweeps of each problem; max_sweeps + 1 where it was not solved
};

constexpr double kLowestNu = 0.5, kHighestNu = 3;

/// nu evenly from 0.5 to 3, another wisp for every problem.
FiberOptions problem_options(const Arguments& arguments, int index) {
  FiberOptions options;
  options.fibers = arguments.fibers;
  options.seed = std::uint64_t(index) + 1;
  const double share = arguments.problems > 1 ? double(index) / (arguments.problems - 1) : 0;
  options.nu = kLowestNu + (kHighestNu - kLowestNu) * share;
  return options;
}

/// The same with other forces, each by up to `part` of itself.
ContactProblem with_other_forces(const ContactProblem& problem, double part, std::uint64_t seed) {
  Random random(seed);
  Eigen::VectorXd f = problem.f();
  for (double& force : f) force *= 1 + random.uniform(-part, part);
  return ContactProblem::from_mass(problem.mass(), std::move(f), problem.H(), problem.w(), problem.laws());
}

/// As in a simulation: the answer of the step before, whose forces were a little other ones.
Eigen::VectorXd first_guess(const ContactProblem& problem, const Arguments& arguments, int index) {
  if (arguments.from == 0) return Eigen::VectorXd::Zero(problem.b().size());
  SolveOptions options;
  options.tolerance = 1e-2 * arguments.tolerance;
  options.time_limit = arguments.time_limit;
  return solve(with_other_forces(problem, arguments.from, std::uint64_t(index) + 1), options).r;
}

void add_run(Tally& tally, const ContactProblem& problem, const Eigen::VectorXd& guess,
             const Arguments& arguments) {
  SolveOptions options;
  options.solver = tally.solver;
  options.tolerance = arguments.tolerance;
  options.time_limit = arguments.time_limit;
  if (tally.solver != "auto") options.max_iterations = arguments.max_sweeps;
  options.on_judged = [](const HistoryPoint&) { return !app::interrupted(); };
  const SolveReport report = solve(problem, guess, options).report;
  if (app::interrupted() && report.status != Status::converged) return;
  ++tally.problems;
  tally.missed += report.status != Status::converged;
  tally.local.solves += report.local.solves;
  tally.local.fallbacks += report.local.fallbacks;
  tally.local.failures += report.local.failures;
  tally.sweeps += report.iterations;
  tally.seconds += report.seconds_setup + report.seconds_solve;
  tally.needed.push_back(report.status == Status::converged ? report.iterations : arguments.max_sweeps + 1);
}

std::vector<Tally> run_all(const Arguments& arguments) {
  std::vector<Tally> tallies;
  for (const std::string& solver : arguments.solvers) {
    tallies.emplace_back();
    tallies.back().solver = solver;
  }
  const app::InterruptGuard guard;
  app::Progress progress;
  progress.start("local solvers");
  for (int k = 0; k < arguments.problems && !app::interrupted(); ++k) {
    const ContactProblem problem = make_fibers(problem_options(arguments, k));
    progress.set_text(fmt::format("problem {} of {}", k + 1, arguments.problems));
    // Work grows about with nu squared.
    progress.set_fraction(double(k) * k / (double(arguments.problems) * arguments.problems));
    const Eigen::VectorXd guess = first_guess(problem, arguments, k);
    for (Tally& tally : tallies)
      if (!app::interrupted()) add_run(tally, problem, guess, arguments);
  }
  return tallies;
}

std::string percentage(long long part, long long whole) {
  return whole > 0 ? fmt::format("{:.4g}", 100.0 * double(part) / double(whole)) : "–";
}

std::string table(const std::vector<Tally>& tallies) {
  std::string text =
      "| local solver | % fail-safe | % local failures | % above tolerance | mean iterations | mean time, ms "
      "|\n"
      "|---|---:|---:|---:|---:|---:|\n";
  for (const Tally& tally : tallies) {
    const bool local = tally.local.solves > 0, hybrid = tally.solver.find('+') != std::string::npos;
    const int count = std::max(tally.problems, 1);
    text += fmt::format("| {} | {} | {} | {} | {:.0f} | {:.2f} |\n", tally.solver,
                        local && hybrid ? percentage(tally.local.fallbacks, tally.local.solves) : "–",
                        local ? percentage(tally.local.failures, tally.local.solves) : "–",
                        percentage(tally.missed, tally.problems), tally.sweeps / count,
                        1000 * tally.seconds / count);
  }
  return text;
}

/// The paper's figure 11: share of the problems that need more than k sweeps.
app::Plot survival_plot(const std::vector<Tally>& tallies, int max_sweeps) {
  app::Plot plot;
  plot.title = "One-step problems of hair that need more sweeps";
  plot.x = {"Gauss-Seidel sweeps", true, 10, double(max_sweeps)};
  plot.y = {"problems not solved yet", false, 0, 1, true};
  for (const Tally& tally : tallies) {
    std::vector<int> needed = tally.needed;
    std::sort(needed.begin(), needed.end());
    app::Series series{tally.solver, {{10, 1}}, true, false};
    for (std::size_t k = 0; k < needed.size(); ++k)
      if (needed[k] <= max_sweeps)
        series.points.emplace_back(std::max(needed[k], 10), 1 - double(k + 1) / double(needed.size()));
    series.points.emplace_back(max_sweeps, series.points.back().second);
    plot.series.push_back(std::move(series));
  }
  return plot;
}

std::string page(const Arguments& arguments, const std::vector<Tally>& tallies) {
  return fmt::format(
      "# Local solvers\n\n"
      "One Gauss-Seidel method with different solvers of a single contact, on {} one-step problems of hair\n"
      "(`fibers`, {} strands of 16 degrees of freedom, nu from {} to {}), as in Table 2 and figure 11 of\n"
      "[Daviet11]. Tolerance {:g} on `error`, at most {} sweeps, from {}, one thread. Made by\n"
      "`bench_local_solvers`.\n\n{}\n"
      "- % fail-safe: calls of the local solver that fell back on `enum`.\n"
      "- % local failures: local problems that did not reach the local tolerance.\n"
      "- % above tolerance: one-step problems not solved. `4sides` replaces the cone by a pyramid, so its "
      "answer\n"
      "  is that of another law and cannot reach the tolerance; the paper judged it by another measure.\n"
      "- mean iterations: sweeps, over all problems, those not solved counted with their limit. The error is "
      "judged\n"
      "  every tenth sweep.\n"
      "- mean time: set-up and sweeps.\n"
      "- Numbers are not to be held against the paper's one by one: its problems come from simulations and "
      "start from\n"
      "  the last step, its tolerance is absolute (1 kg between impulse and velocity) and contacts are "
      "frozen; here every\n"
      "  problem is made by formula, starts from zero, and the tolerance is relative to doing nothing.\n"
      "- `auto`, for comparison, is not a Gauss-Seidel method with a local solver; its iterations are of "
      "another kind.\n\n"
      "![problems that need more sweeps](local-solvers.svg)\n",
      tallies.front().problems, arguments.fibers, kLowestNu, kHighestNu, arguments.tolerance,
      arguments.max_sweeps,
      arguments.from == 0
          ? std::string("r = 0")
          : fmt::format("the answer for forces that were other ones by up to {:g}", arguments.from),
      table(tallies));
}

void parse(CLI::App& app, Arguments& arguments) {
  app.add_option("--problems", arguments.problems, "How many")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--fibers", arguments.fibers, "Strands of each")
      ->check(CLI::Range(2, 100000))
      ->capture_default_str();
  app.add_option("--tol", arguments.tolerance)->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--max-sweeps", arguments.max_sweeps)->check(CLI::Range(11, 1000000))->capture_default_str();
  app.add_option("--time-limit", arguments.time_limit, "Seconds a solve")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--from", arguments.from,
                 "Start from the answer for forces that are other ones by up to this part; 0: from r = 0")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--solvers", arguments.solvers)->delimiter(',');
  app.add_option("--out", arguments.out, "Folder for local-solvers.md and local-solvers.svg")
      ->capture_default_str();
}

int run(const Arguments& arguments) {
  for (const std::string& solver : arguments.solvers) app::check_solver_name(solver);
  std::filesystem::create_directories(arguments.out);
  const std::vector<Tally> tallies = run_all(arguments);
  const std::filesystem::path out(arguments.out);
  app::write_text(out / "local-solvers.md", page(arguments, tallies));
  app::write_text(out / "local-solvers.svg", svg(survival_plot(tallies, arguments.max_sweeps)));
  fmt::print("{}\nwrote {}/local-solvers.md and .svg\n", table(tallies), arguments.out);
  return app::interrupted() ? 130 : 0;
}

}  // namespace
}  // namespace capstan

int main(int argc, char** argv) {
  return capstan::bench::bench_main<capstan::Arguments>(
      argc, argv, "Local solvers inside one Gauss-Seidel method, on one-step problems of hair",
      capstan::parse, capstan::run);
}
