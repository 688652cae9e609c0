// How the time and memory of a step grow with the contacts of a cloth: sheets of more and more nodes fall on
// nine boxes. Each case runs in a process of its own, for its peak of memory.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "apps/bench_report.hpp"
#include "apps/svg_plot.hpp"
#include "apps/text_table.hpp"
#include "bench/bench_main.hpp"
#include "bench/timing.hpp"
#include "capstan/errors.hpp"
#include "capstan/scene/build_world.hpp"
#include "capstan/step/simulation.hpp"

namespace capstan {
namespace {

struct Arguments {
  std::vector<int> nodes{31, 61, 121};
  int steps = 20;
  bool dense = false;
  std::string plot;  // file; empty: none
};

/// A sheet of nodes x nodes; whatever is not said here is a default of scenes.
std::string scene_of(int nodes) {
  return fmt::format(R"(
[[obstacle]]
name = "floor"
shape = "plane"

[[rigid]]
name = "box"
shape = "box"
size = [0.1, 0.1, 0.12]
position = [-0.2, -0.2, 0.0601]
repeat = [3, 3, 1]
spacing = [0.2, 0.2, 0.2]

[[cloth]]
name = "cloth"
size = [0.6, 0.6]
cells = [{0}, {0}]
position = [0.01, 0.02, 0.1225]
rotation = [0, 0, 0.1]
)",
                     nodes - 1);
}

/// What one case is like, means over the steps from the first one with cloth in contact.
struct Growth {
  double contacts = 0, seconds = 0, find = 0, assemble = 0, solve = 0, advance = 0, worst_error = 0;
  int most_contacts = 0, missed = 0;
};

Growth measure(int nodes, int steps, bool dense) {
  const Scene scene = parse_scene(scene_of(nodes), "cloth on boxes");
  Simulation simulation(build_world(scene), step_options(scene.simulation, serial_executor()));
  if (dense) simulation.world().soft[0].body->max_dense_nodes = std::numeric_limits<int>::max();
  const int of_boxes = 4 * 9;
  Growth mean;
  for (int counted = 0; counted < steps;) {
    StepReport report;
    const double seconds = bench::processor_seconds([&] { report = simulation.step(10); });
    if (report.contacts <= of_boxes) continue;
    ++counted;
    mean.contacts += report.contacts / double(steps);
    mean.seconds += seconds / steps;
    mean.find += report.seconds_detect / steps;
    mean.assemble += report.seconds_assemble / steps;
    mean.solve += report.seconds_solve / steps;
    mean.advance += report.seconds_advance / steps;
    mean.worst_error = std::max(mean.worst_error, report.error);
    mean.most_contacts = std::max(mean.most_contacts, report.contacts);
    mean.missed += report.status != Status::converged;
  }
  return mean;
}

/// The same in a process of its own. Returns its peak of memory, MB.
double measure_apart(int nodes, const Arguments& arguments, bool dense, Growth& growth) {
  int ends[2];
  if (pipe(ends) != 0) throw InputError("soft growth: there is no pipe to be had");
  const pid_t child = fork();
  if (child < 0) throw InputError("soft growth: there is no process to be had");
  if (child == 0) {
    const Growth found = measure(nodes, arguments.steps, dense);
    _exit(write(ends[1], &found, sizeof found) == static_cast<ssize_t>(sizeof found) ? 0 : 1);
  }
  close(ends[1]);
  const bool whole = read(ends[0], &growth, sizeof growth) == static_cast<ssize_t>(sizeof growth);
  close(ends[0]);
  rusage usage{};
  wait4(child, nullptr, 0, &usage);
  if (!whole) throw InputError("soft growth: a case ended early");
  return double(usage.ru_maxrss) / 1024;
}

void parse(CLI::App& app, Arguments& arguments) {
  app.add_option("NODES", arguments.nodes, "Along each side of a sheet")
      ->check(CLI::Range(2, 1000))
      ->capture_default_str();
  app.add_option("--steps", arguments.steps, "From the first one with cloth in contact")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_flag("--dense", arguments.dense, "Also with the dense inverse over touched nodes");
  app.add_option("--plot", arguments.plot, "An SVG of the growth, to be written there");
}

/// Seconds a step over contacts, and a line of the same start that is linear.
app::Plot growth_plot(const std::vector<std::pair<double, double>>& seconds,
                      const std::vector<std::pair<double, double>>& memory) {
  app::Plot plot;
  plot.title = "Cloth on boxes: a step with the contacts";
  plot.x = {"contacts", true};
  plot.y = {"seconds a step, and GB", true};
  plot.series.push_back({"seconds a step", seconds, false, true});
  plot.series.push_back({"peak of memory, GB", memory, false, true});
  const auto [contacts, start] = seconds.front();
  plot.series.push_back(
      {"linear", {{contacts, start}, {seconds.back().first, start * seconds.back().first / contacts}}});
  return plot;
}

int run(const Arguments& arguments) {
  std::vector<std::pair<double, double>> seconds, memory;
  const app::TextTable table({{"sheet", 9, true},
                              {"form", 6, true},
                              {"contacts", 8},
                              {"most", 5},
                              {"s a step", 8},
                              {"find", 6},
                              {"assemble", 8},
                              {"solve", 6},
                              {"move", 6},
                              {"error", 7},
                              {"missed", 6},
                              {"peak, MB", 8}});
  fmt::print(
      "{} steps each on one thread, means; seconds a step of the processor, its parts by the clock\n{}",
      arguments.steps, table.header());
  std::fflush(stdout);
  for (const int nodes : arguments.nodes)
    for (const bool dense : {false, true}) {
      if (dense && !arguments.dense) continue;
      Growth growth;
      const double peak = measure_apart(nodes, arguments, dense, growth);
      fmt::print("{}", table.row({{fmt::format("{0} x {0}", nodes)},
                                  {dense ? "dense" : "sparse"},
                                  {fmt::format("{:.0f}", growth.contacts)},
                                  {std::to_string(growth.most_contacts)},
                                  {fmt::format("{:.3f}", growth.seconds)},
                                  {fmt::format("{:.3f}", growth.find)},
                                  {fmt::format("{:.3f}", growth.assemble)},
                                  {fmt::format("{:.3f}", growth.solve)},
                                  {fmt::format("{:.3f}", growth.advance)},
                                  {fmt::format("{:.0e}", growth.worst_error)},
                                  {std::to_string(growth.missed)},
                                  {fmt::format("{:.0f}", peak)}}));
      std::fflush(stdout);
      if (dense) continue;
      seconds.emplace_back(growth.contacts, growth.seconds);
      memory.emplace_back(growth.contacts, peak / 1024);
    }
  if (!arguments.plot.empty()) app::write_text(arguments.plot, svg(growth_plot(seconds, memory)));
  return 0;
}

}  // namespace
}  // namespace capstan

int main(int argc, char** argv) {
  return capstan::bench::bench_main<capstan::Arguments>(
      argc, argv, "How the time and memory of a step grow with the contacts of a cloth", capstan::parse,
      capstan::run);
}
