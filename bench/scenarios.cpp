// Random scenes, each run to its end with everything by default, and what became of them: times of steps,
// overlaps, crossings by a judge that shares no code with the detection of contacts, energy, tolerance.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <cstdio>

#include "apps/text_table.hpp"
#include "bench/bench_main.hpp"
#include "bench/scenarios/report.hpp"
#include "bench/scenarios/trials.hpp"
#include "capstan/errors.hpp"

namespace capstan::scenarios {
namespace {

struct Arguments {
  std::vector<std::string> seeds, cases, scenes, sets;
  std::filesystem::path out = "scenarios";
  TrialOptions trial;
  TrialLimits limits;
  bool no_judge = false, pictures = false, hard_problems = false, json = false, write_only = false;
};

/// "3" or "0:300", without the end.
std::vector<std::uint64_t> seeds_of(const std::string& text) {
  unsigned long first = 0, end = 0;
  char rest = 0;
  const int fields = std::sscanf(text.c_str(), "%lu:%lu%c", &first, &end, &rest);
  if (fields == 1 && text.find(':') == std::string::npos) end = first + 1;
  if (fields < 1 || fields > 2 || end <= first)
    throw InputError("--seeds: is '" + text + "', expected a number or FIRST:END");
  std::vector<std::uint64_t> seeds;
  for (unsigned long seed = first; seed < end; ++seed) seeds.push_back(seed);
  return seeds;
}

std::vector<Scenario> scenarios_of(const Arguments& arguments) {
  std::vector<Scenario> all;
  for (const std::string& text : arguments.seeds)
    for (const std::uint64_t seed : seeds_of(text)) all.push_back(random_scenario(seed));
  for (const std::string& name : arguments.cases) all.push_back(case_scenario(name));
  return all;
}

const app::TextTable& table() {
  static const app::TextTable result({{"scene", 12, true},
                                      {"end", 12, true},
                                      {"steps", 6},
                                      {"contacts", 8},
                                      {"total, s", 8},
                                      {"median, ms", 10},
                                      {"worst, ms", 9},
                                      {"overlap, %", 10},
                                      {"crossings", 9},
                                      {"above", 6}});
  return result;
}

void show(const Row& row) {
  fmt::print("{}", table().row({{row.name},
                                {row.end.substr(0, 12)},
                                {std::to_string(row.steps)},
                                {std::to_string(row.max_contacts)},
                                {fmt::format("{:.2f}", row.total_seconds)},
                                {fmt::format("{:.2f}", 1e3 * row.median_step)},
                                {fmt::format("{:.1f}", 1e3 * row.worst_step)},
                                {fmt::format("{:.2f}", 100 * row.deepest_ratio)},
                                {std::to_string(row.crossings)},
                                {std::to_string(row.above_tolerance)}}));
  std::fflush(stdout);
}

/// The options of one scene: its pictures have its name.
TrialOptions options_for(const Arguments& arguments, const std::string& name) {
  TrialOptions options = arguments.trial;
  options.judge = !arguments.no_judge;
  if (arguments.hard_problems) {
    options.hard_problems = arguments.out / "hard_problems";
    std::filesystem::create_directories(options.hard_problems);
  }
  if (!arguments.pictures) return options;
  const std::filesystem::path folder = arguments.out / "pictures";
  std::filesystem::create_directories(folder);
  options.picture = folder / (name + "_deepest.png");
  options.end_picture = folder / (name + "_end.png");
  return options;
}

int run(const Arguments& arguments) {
  const std::vector<Scenario> all = scenarios_of(arguments);
  if (arguments.write_only) {
    std::filesystem::create_directories(arguments.out / "scenes");
    for (const Scenario& scenario : all) write_scenario(scenario, arguments.out / "scenes");
    return 0;
  }
  std::vector<Override> overrides;
  for (const std::string& text : arguments.sets) overrides.push_back(parse_override(text));
  std::vector<Row> rows;
  if (!arguments.json) fmt::print("{}", table().header());
  const auto add = [&](const Row& row) {
    rows.push_back(row);
    if (!arguments.json) show(row);
  };
  for (Scenario scenario : all) {
    scenario.overrides.insert(scenario.overrides.end(), overrides.begin(), overrides.end());
    add(try_scenario(scenario, arguments.out, options_for(arguments, scenario.name), arguments.limits));
  }
  for (const std::filesystem::path scene : arguments.scenes)
    add(try_scene(scene, overrides, arguments.out, options_for(arguments, scene.stem().string()),
                  arguments.limits));
  write_report(rows, arguments.out);
  fmt::print("{}", arguments.json ? summary_json(rows) : summary_text(rows));
  return 0;
}

void parse(CLI::App& app, Arguments& arguments) {
  app.add_option("--seeds", arguments.seeds, "Random scenes: a number, or FIRST:END without the end");
  app.add_option("--case", arguments.cases,
                 "Scenes with a name: " + fmt::format("{}", fmt::join(case_names(), ", ")));
  app.add_option("--scene", arguments.scenes, "Scenes in files")->check(CLI::ExistingFile);
  app.add_option("--set", arguments.sets, "PATH=VALUE, a change to every scene");
  app.add_option("--out", arguments.out,
                 "Folder of scenes, rows, tables and pictures; rows that are there are kept")
      ->capture_default_str();
  app.add_option("--threads", arguments.trial.threads, "Of each simulation")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  app.add_option("--limit", arguments.limits.seconds, "Processor time of a scene, s")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_flag("--no-judge", arguments.no_judge, "Do not look for crossings");
  app.add_flag("--pictures", arguments.pictures, "Draw the deepest overlap and the end of each scene");
  app.add_flag("--hard-problems", arguments.hard_problems,
               "Keep the contact problems that missed their tolerance, as FCLib files");
  app.add_flag("--write-only", arguments.write_only, "Write the scenes, and run none");
  app.add_flag("--json", arguments.json, "Print the summary as JSON, and no table");
}

}  // namespace
}  // namespace capstan::scenarios

int main(int argc, char** argv) {
  return capstan::bench::bench_main<capstan::scenarios::Arguments>(
      argc, argv, "Random scenes, run by default, and what became of them", capstan::scenarios::parse,
      capstan::scenarios::run);
}
