#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/commands.hpp"
#include "bench/peers.hpp"
#include "capstan/solve/solver.hpp"

namespace capstan::app {
namespace {

struct Line {
  std::string name, summary;
  int iterations;
  bool peer;
};

std::vector<Line> lines() {
  std::vector<Line> result;
  for (const SolverEntry& entry : solvers())
    result.push_back({entry.name, entry.summary, entry.default_iterations, false});
  for (const bench::Peer& peer : bench::peers())
    result.push_back({peer.name, peer.summary + " (bench only)", peer.default_iterations, true});
  return result;
}

int list_solvers(bool json) {
  std::size_t longest = 0;
  for (const Line& line : lines()) longest = std::max(longest, line.name.size());
  for (const Line& line : lines()) {
    if (json)
      fmt::print("{}\n", nlohmann::ordered_json{{"name", line.name},
                                                {"summary", line.summary},
                                                {"default_iterations", line.iterations},
                                                {"peer", line.peer}}
                             .dump());
    else
      fmt::print("{:<{}}  {}\n", line.name, longest, line.summary);
  }
  return kAllConverged;
}

}  // namespace

void add_solvers_command(CLI::App& app, Action& action) {
  auto json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("solvers", "List every solver with a line of explanation");
  command->add_flag("--json", *json, "One JSON object a line and solver");
  command->callback([&action, json] { action = [json] { return list_solvers(*json); }; });
}

}  // namespace capstan::app
