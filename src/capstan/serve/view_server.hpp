#pragma once
#include <vector>

#include "capstan/serve/run_files.hpp"

namespace capstan::serve {

/// The page at /, the list of runs at /api/runs, their files below /runs/N/.
void serve_runs(LoopbackServer& server, std::vector<RunFiles> runs);

}  // namespace capstan::serve
