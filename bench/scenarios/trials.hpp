#pragma once
#include <filesystem>
#include <vector>

#include "bench/scenarios/run_scenario.hpp"

namespace capstan::scenarios {

/// What a child process may use up before it is ended.
struct TrialLimits {
  int seconds = 60;      ///< of the processor; sixty times as many of the clock, for what only waits
  int megabytes = 4096;  ///< of address space
};

/// Runs a scene in a process of its own, so that one that crashes or never ends is a row like the others. The
/// row is kept in `folder`/rows; one that is there is not run again.
Row try_scenario(const Scenario& scenario, const std::filesystem::path& folder, const TrialOptions& options,
                 const TrialLimits& limits);

/// The same for a scene that is in a file.
Row try_scene(const std::filesystem::path& scene, const std::vector<Override>& overrides,
              const std::filesystem::path& folder, const TrialOptions& options, const TrialLimits& limits);

}  // namespace capstan::scenarios
