#include <algorithm>
#include <memory>
#include <thread>

#include "apps/browser.hpp"
#include "apps/commands.hpp"
#include "capstan/serve/live_server.hpp"

namespace capstan::app {
namespace {

struct LiveArguments {
  std::string scene;
  std::vector<std::string> changes;
  BrowserOptions browser;
  int threads = 0;
};

int live(const LiveArguments& arguments) {
  std::vector<Override> overrides;
  for (const std::string& change : arguments.changes) overrides.push_back(parse_override(change));
  const Scene scene = read_scene(arguments.scene, overrides);
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  LiveRun run(scene, arguments.threads > 0 ? arguments.threads : cores);
  serve::LoopbackServer server;
  serve_live(server, run);
  serve_until_interrupted(server, arguments.browser);
  return kAllConverged;
}

}  // namespace

void add_live_command(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<LiveArguments>();
  CLI::App* command = app.add_subcommand("live", "Simulate a scene in the browser, and pull at it");
  command->add_option("SCENE", arguments->scene, "Scene file")->required();
  command->add_option("--set", arguments->changes, "Change the scene first: simulation.dt=2e-3")
      ->type_name("KEY=VALUE");
  add_browser_options(*command, arguments->browser);
  command->add_option("--threads", arguments->threads, "0: one a core")
      ->type_name("N")
      ->check(CLI::Range(0, 1024));
  command->footer(R"(
Examples:
  capstan live scenes/strands/knot_tight.toml     pull at the ends with the mouse
  capstan live scenes/strands/spaghetti_7.toml    and change the friction while it falls

Nothing is recorded. The server answers this machine alone, and ends with Ctrl-C.)");
  command->callback([&action, arguments] { action = [arguments] { return live(*arguments); }; });
}

}  // namespace capstan::app
