#pragma once
#include <CLI/CLI.hpp>
#include <optional>

#include "capstan/serve/loopback_server.hpp"

namespace capstan::app {

struct BrowserOptions {
  std::optional<int> port;  ///< nothing: the usual one, or any if that is taken
  bool stay_away = false;   ///< only print the address
};
void add_browser_options(CLI::App& command, BrowserOptions& options);

/// Prints the address, opens it if there is a screen to show it on, and answers until Ctrl-C.
void serve_until_interrupted(serve::LoopbackServer& server, const BrowserOptions& options);

}  // namespace capstan::app
