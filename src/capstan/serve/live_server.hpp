#pragma once
#include "capstan/run/live_run.hpp"
#include "capstan/serve/loopback_server.hpp"

namespace capstan::serve {

/// The page at /, what there is to see at /api/live, frames at /live/events, and what the hand does at
/// /live/command. docs/viewer.md has the messages.
void serve_live(LoopbackServer& server, LiveRun& run);

}  // namespace capstan::serve
