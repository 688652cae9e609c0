#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "capstan/record/manifest.hpp"
#include "capstan/record/summary.hpp"
#include "capstan/record/verdict.hpp"
#include "capstan/step/simulation.hpp"

namespace capstan::app {

/// A run as a whole, to be shown at its end.
struct RunResult {
  std::string name;
  record::Manifest manifest;
  record::Summary summary;
  std::optional<UntangleReport> start;  ///< none: the run was resumed
  std::vector<record::Finding> findings;
};

/// What happened, in plain words and units, and the verdict.
std::string summary_in_words(const RunResult& run);
/// One row with the columns of [Daviet11, Table 1] and their like.
std::string summary_table(const RunResult& run);
nlohmann::ordered_json summary_json(const RunResult& run);

}  // namespace capstan::app
