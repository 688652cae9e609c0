#pragma once
#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "capstan/serve/loopback_server.hpp"

namespace capstan::app {

void add_port_option(CLI::App& command, std::optional<int>& port);
/// On the port asked for; without one on the usual port, or on any if that is taken.
void start_server(serve::LoopbackServer& server, const std::optional<int>& port);
/// If there is a screen to show it on.
void open_browser(const std::string& url);

}  // namespace capstan::app
