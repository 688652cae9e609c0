#include <fmt/format.h>

#include <memory>

#include "apps/browser.hpp"
#include "apps/commands.hpp"
#include "capstan/errors.hpp"
#include "capstan/files/whole_file.hpp"
#include "capstan/record/frame_reader.hpp"
#include "capstan/serve/view_server.hpp"
#include "capstan/serve/viewer_page.hpp"

namespace capstan::app {
namespace {

struct ViewArguments {
  std::vector<std::string> runs;
  BrowserOptions browser;
  std::string page;
};

/// What cannot be read is told here too, not only in the page; what can is shown all the same.
void warn_of_damage(const std::string& run) {
  try {
    const record::FrameReader reader(run);
    if (!reader.dropped().empty()) fmt::print(stderr, "capstan: {}: {}\n", run, reader.dropped());
  } catch (const InputError& error) {
    fmt::print(stderr, "capstan: {}\n", error.what());
  }
}

int view(const ViewArguments& arguments) {
  std::vector<serve::RunFiles> runs;
  for (const std::string& run : arguments.runs) {
    runs.emplace_back(run);
    warn_of_damage(run);
  }
  if (!arguments.page.empty()) {
    const std::string page = serve::page_with(runs);
    files::write_whole_file(arguments.page, page);
    fmt::print("{}: {:.1f} MB, opens in any browser\n", arguments.page,
               1e-6 * static_cast<double>(page.size()));
    return kAllConverged;
  }
  serve::LoopbackServer server;
  serve_runs(server, std::move(runs));
  server.get("/api/render", [](const std::string&) { return serve::nothing(); });
  serve_until_interrupted(server, arguments.browser);
  return kAllConverged;
}

}  // namespace

void add_view_command(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<ViewArguments>();
  CLI::App* command = app.add_subcommand("view", "Look at runs in the browser");
  command
      ->add_option("DIR", arguments->runs, "Folders of runs, shown side by side; they may still be going on")
      ->required()
      ->type_name("...");
  add_browser_options(*command, arguments->browser);
  command->add_option("--export", arguments->page, "Write one page with the runs in it, to send to somebody")
      ->type_name("FILE");
  command->footer(R"(
Examples:
  capstan view runs/hair
  capstan view runs/smooth runs/rough           side by side, one timeline
  capstan view runs/knot --export knot.html     one file, needs nothing else

The server answers this machine alone, and ends with Ctrl-C.)");
  command->callback([&action, arguments] { action = [arguments] { return view(*arguments); }; });
}

}  // namespace capstan::app
