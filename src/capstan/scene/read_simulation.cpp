#include "capstan/scene/scene_parts.hpp"
#include "capstan/solve/solver.hpp"

namespace capstan::scene_text {
namespace {

std::vector<std::string> solver_names() {
  std::vector<std::string> names;
  for (const SolverEntry& entry : solvers()) names.push_back(entry.name);
  return names;
}

bool contains(const std::vector<std::string>& words, const std::string& word) {
  for (const std::string& known : words)
    if (known == word) return true;
  return false;
}

}  // namespace

void read_simulation(TableReader table, SimulationSettings& simulation) {
  simulation.duration = table.number("duration").value_or(simulation.duration);
  simulation.fps = table.number("fps").value_or(simulation.fps);
  simulation.dt = table.number("dt").value_or(simulation.dt);
  const std::optional<double> floor = table.number("dt_min");
  simulation.dt_min = floor.value_or(std::min(simulation.dt_min, simulation.dt));
  if (floor && *floor > simulation.dt) table.wrong("dt_min", "a time not above dt");
  simulation.adaptive = table.boolean("adaptive").value_or(simulation.adaptive);
  simulation.theta = table.number("theta").value_or(simulation.theta);
  simulation.gravity = table.vector("gravity").value_or(simulation.gravity);
  simulation.air = table.vector("air").value_or(simulation.air);
  simulation.tolerance = table.number("tolerance").value_or(simulation.tolerance);
  if (const auto solver = table.text("solver")) {
    if (!contains(solver_names(), *solver)) table.wrong_word("solver", solver_names());
    simulation.solver = *solver;
  }
  simulation.max_sweeps = table.integer("max_sweeps").value_or(simulation.max_sweeps);
  simulation.warm_start = table.boolean("warm_start").value_or(simulation.warm_start);
  if (const auto start = table.text("start")) simulation.untangle = *start == "untangle";
  simulation.threads = table.integer("threads").value_or(simulation.threads);
  if (simulation.duration * simulation.fps > 1e7)
    table.wrong(table.has("fps") ? "fps" : "duration", "at most 1e7 frames in all");
  table.finish();
}

}  // namespace capstan::scene_text
