#pragma once
#include <filesystem>
#include <functional>

#include "bench/scenarios/row.hpp"
#include "bench/scenarios/scenario.hpp"

namespace capstan::scenarios {

struct TrialOptions {
  int threads = 1;
  bool judge = true;                       ///< looks for crossings after every step
  std::filesystem::path picture = {};      ///< of the moment of the deepest overlap; empty: none
  std::filesystem::path end_picture = {};  ///< of the end; empty: none
  /// Folder for the contact problems that missed their tolerance, at most `max_hard_problems` of each scene;
  /// empty: they are not kept.
  std::filesystem::path hard_problems = {};
  int max_hard_problems = 5;
  /// Hears of the row as it is so far, after every step.
  std::function<void(const Row&)> on_step = {};
};

/// Runs a scene from its file to its end through the same door as `capstan run`, and measures it.
Row run_scenario(const std::filesystem::path& scene, const std::vector<Override>& overrides,
                 const TrialOptions& options);

}  // namespace capstan::scenarios
