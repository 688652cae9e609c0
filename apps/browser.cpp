#include "apps/browser.hpp"

#include <cstdlib>

#include "capstan/errors.hpp"

namespace capstan::app {

constexpr int kUsualPort = 8377;

void add_port_option(CLI::App& command, std::optional<int>& port) {
  command.add_option("--port", port, "Instead of " + std::to_string(kUsualPort) + " or any free one")
      ->type_name("N")
      ->check(CLI::Range(0, 65535));
}

void start_server(serve::LoopbackServer& server, const std::optional<int>& port) {
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

}  // namespace capstan::app
