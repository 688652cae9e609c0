#pragma once
#include <string>
#include <vector>

#include "capstan/record/summary.hpp"

namespace capstan::record {

/// Overlaps up to this part of the thickness are tolerated, dimensionless.
inline constexpr double kLargestGoodOverlap = 0.1;

/// Something about a run that its user should know.
struct Finding {
  std::string kind;    ///< "crossings", "tolerance", "overlap" or "not_recorded"
  std::string what;    ///< in words, with figures
  std::string advice;  ///< what to change
};

/// What was asked of a run, as far as its findings depend on it.
struct RunDemands {
  double tolerance = 0;  ///< of the contact solves
  double dt = 0;         ///< s, the largest step; 0: not known
};

/// Judges a run: things that passed through each other, steps above the tolerance, overlaps of more than
/// kLargestGoodOverlap, and what an older version did not record. Empty: the run is good.
std::vector<Finding> judge(const Summary& summary, const RunDemands& demands);

}  // namespace capstan::record
