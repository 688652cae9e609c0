#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "apps/body_table.hpp"
#include "apps/commands.hpp"
#include "apps/run_summary.hpp"
#include "apps/svg_plot.hpp"
#include "capstan/errors.hpp"
#include "capstan/files/whole_file.hpp"
#include "capstan/record/run_directory.hpp"

namespace capstan::app {
namespace {

namespace fs = std::filesystem;
using record::StepStatistics;
using Steps = std::vector<StepStatistics>;

struct PlotArguments {
  std::string run, output;
  bool table = false;
};

constexpr std::size_t kMaxPoints = 2000;  // more than the picture has columns

/// Of every few neighbouring points the lowest and the highest, so that no peak is lost.
Series thinned(Series series) {
  auto& points = series.points;
  if (points.size() <= kMaxPoints) return series;
  const std::size_t bucket = 2 * points.size() / kMaxPoints + 1;
  std::vector<std::pair<double, double>> kept;
  for (std::size_t first = 0; first < points.size(); first += bucket) {
    const auto begin = points.begin() + std::ptrdiff_t(first),
               end = points.begin() + std::ptrdiff_t(std::min(first + bucket, points.size()));
    auto [low, high] = std::minmax_element(begin, end, [](auto& a, auto& b) { return a.second < b.second; });
    kept.push_back(*std::min(low, high));
    if (low != high) kept.push_back(*std::max(low, high));
  }
  points = std::move(kept);
  return series;
}

template <typename Value>
Series over_time(const std::string& name, const Steps& steps, Value&& value) {
  Series series{name, {}};
  for (const StepStatistics& row : steps) series.points.push_back({row.t, double(value(row))});
  return thinned(std::move(series));
}

Axis time_axis(const Steps& steps) {
  return {"t (s)", false, steps.front().t - steps.front().dt, steps.back().t};
}

Series tolerance_line(const Steps& steps, double tolerance) {
  return {"tolerance", {{steps.front().t, tolerance}, {steps.back().t, tolerance}}};
}

Plot error_plot(const Steps& steps, double tolerance) {
  Plot plot{"Error of the contact solve", time_axis(steps), {"error", true}, {}};
  plot.series.push_back(over_time("error", steps, [](const auto& row) { return row.error; }));
  if (tolerance > 0) plot.series.push_back(tolerance_line(steps, tolerance));
  return plot;
}

/// Sums of the phases, the largest first: painted over each other they are a stack. Neighbouring steps are
/// averaged, as the tops of a stack must be thinned alike.
Plot time_plot(const Steps& steps) {
  Plot plot{"Wall clock a step", time_axis(steps), {"s"}, {}};
  const std::size_t bucket = steps.size() / kMaxPoints + 1;
  const char* names[] = {"record", "advance", "solve", "assemble", "detect"};
  for (int top = 0; top < 5; ++top) {
    Series series{names[top], {}};
    series.area = true;
    for (std::size_t first = 0; first < steps.size(); first += bucket) {
      const std::size_t end = std::min(first + bucket, steps.size());
      double sum = 0;
      for (std::size_t k = first; k < end; ++k) {
        const double phases[] = {steps[k].record, steps[k].advance, steps[k].solve, steps[k].assemble,
                                 steps[k].detect};
        for (int phase = top; phase < 5; ++phase) sum += phases[phase];
      }
      series.points.push_back({steps[end - 1].t, sum / double(end - first)});
    }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

Plot energy_plot(const Steps& steps) {
  Plot plot{"Energy", time_axis(steps), {"J"}, {}};
  plot.series.push_back(over_time("kinetic", steps, [](const auto& row) { return row.kinetic; }));
  plot.series.push_back(over_time("elastic", steps, [](const auto& row) { return row.elastic; }));
  plot.series.push_back(over_time("gravity", steps, [](const auto& row) { return row.gravity; }));
  plot.series.push_back(
      over_time("total", steps, [](const auto& row) { return row.kinetic + row.elastic + row.gravity; }));
  return plot;
}

/// A dot a step: steps that reached the tolerance, and those that did not.
template <typename Value>
Plot against_nu(const std::string& title, const Axis& y, const Steps& steps, Value&& value) {
  Plot plot{title, {"nu = nd/m"}, y, {{"converged", {}}, {"above tolerance", {}}}};
  const std::size_t every = steps.size() / kMaxPoints + 1;
  for (std::size_t k = 0; k < steps.size(); ++k)
    if (k % every == 0 || !steps[k].converged)
      plot.series[steps[k].converged ? 0 : 1].points.push_back({steps[k].nu, value(steps[k])});
  for (Series& series : plot.series) {
    series.line = false;
    series.markers = true;
  }
  return plot;
}

template <typename Value>
Plot one_line(const std::string& title, const std::string& label, const Steps& steps, Value&& value) {
  Plot plot;
  plot.title = title;
  plot.x = time_axis(steps);
  plot.y.label = label;
  plot.series.push_back(over_time(label, steps, value));
  return plot;
}

std::vector<std::pair<const char*, Plot>> plots_of(const Steps& steps, double tolerance) {
  Axis seconds, error;
  seconds.label = "solve (s)";
  error.label = "error";
  error.logarithmic = true;
  std::vector<std::pair<const char*, Plot>> plots;
  plots.emplace_back("error.svg", error_plot(steps, tolerance));
  plots.emplace_back("sweeps.svg",
                     one_line("Sweeps", "sweeps", steps, [](const auto& row) { return row.sweeps; }));
  plots.emplace_back("contacts.svg",
                     one_line("Contacts", "contacts", steps, [](const auto& row) { return row.contacts; }));
  plots.emplace_back("time.svg", time_plot(steps));
  plots.emplace_back("energy.svg", energy_plot(steps));
  // [Bertails11, figs 10 and 11]
  plots.emplace_back("solve_time_nu.svg", against_nu("Time of the contact solve against nu", seconds, steps,
                                                     [](const StepStatistics& row) { return row.solve; }));
  plots.emplace_back("error_nu.svg", against_nu("Error of the contact solve against nu", error, steps,
                                                [](const StepStatistics& row) { return row.error; }));
  return plots;
}

int plot_run(const PlotArguments& arguments) {
  const record::RunListing listing = record::inspect_run(arguments.run);
  if (!listing.problems.empty()) fmt::print(stderr, "capstan: {}: {}", arguments.run, listing.problems);
  const Steps steps = record::read_statistics(arguments.run).steps;
  if (steps.empty()) throw InputError(arguments.run + ": has no step in its statistics yet");
  const fs::path output =
      arguments.output.empty() ? fs::path(arguments.run) / "plots" : fs::path(arguments.output);
  files::make_folders(output);
  for (const auto& [name, plot] : plots_of(steps, listing.manifest.tolerance)) {
    files::write_whole_file(output / name, svg(plot));
    fmt::print("{}\n", (output / name).string());
  }
  if (const std::string table = body_table(arguments.run); !table.empty()) {
    files::write_whole_file(output / "bodies.csv", table);
    fmt::print("{}\n", (output / "bodies.csv").string());
  }
  RunResult result;
  result.manifest = listing.manifest;
  result.manifest.frames = listing.frames;  // those of the journal too
  result.name = fs::path(listing.manifest.scene).stem().string();
  result.summary = summarize(result.manifest, steps);
  result.findings = record::judge(result.summary, {.tolerance = result.manifest.tolerance, .dt = 0});
  fmt::print("\n{}", summary_in_words(result));
  if (arguments.table) fmt::print("\n{}", summary_table(result));
  return kAllConverged;
}

}  // namespace

void add_plot_command(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<PlotArguments>();
  CLI::App* command = app.add_subcommand("plot", "Plot the statistics of a run");
  command->add_option("DIR", arguments->run, "Folder of a run; it may still be going on")->required();
  command->add_option("-o,--output", arguments->output, "Folder for the plots; DIR/plots if not given")
      ->type_name("DIR");
  command->add_flag("--table", arguments->table, "Print the row of figures that papers have, too");
  command->footer(R"(
Writes error, sweeps, contacts, time (by phase), energy, solve_time_nu and error_nu as SVG, where rigid things
are in each frame as bodies.csv, and prints what 'capstan run' prints at its end.

Example:
  capstan plot runs/hair -o plots)");
  command->callback([&action, arguments] { action = [arguments] { return plot_run(*arguments); }; });
}

}  // namespace capstan::app
