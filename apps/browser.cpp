#include "apps/browser.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "apps/terminal.hpp"
#include "capstan/errors.hpp"

namespace capstan::app {
namespace {

constexpr int kUsualPort = 8377;

void start(serve::LoopbackServer& server, const std::optional<int>& port) {
  if (port) return server.start(*port);
  try {
    server.start(kUsualPort);
  } catch (const InputError&) {
    server.start(0);
  }
}

void open_browser(const std::string& url) {
  if (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY")) return;
  // The address has been printed: without xdg-open one can still follow it.
  [[maybe_unused]] const int status = std::system(("xdg-open '" + url + "' >/dev/null 2>&1 &").c_str());
}

}  // namespace

void add_browser_options(CLI::App& command, BrowserOptions& options) {
  command.add_option("--port", options.port, fmt::format("Instead of {} or any free one", kUsualPort))
      ->type_name("N")
      ->check(CLI::Range(0, 65535));
  command.add_flag("--no-browser", options.stay_away, "Only print the address");
}

void serve_until_interrupted(serve::LoopbackServer& server, const BrowserOptions& options) {
  const InterruptGuard guard;
  start(server, options.port);
  fmt::print("{}  (Ctrl-C ends)\n", server.url());
  std::fflush(stdout);
  if (!options.stay_away) open_browser(server.url());
  while (!interrupted()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  server.stop();
}

}  // namespace capstan::app
