#include "capstan/record/verdict.hpp"

#include <cmath>
#include <cstdio>

namespace capstan::record {
namespace {

template <class... Values>
std::string text_of(const char* format, const Values&... values) {
  char text[1024];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

std::string smaller_step(const RunDemands& demands) {
  if (demands.dt <= 0) return "with a smaller dt in [simulation]";
  return text_of("--set simulation.dt=%.3g (half of what it is)", demands.dt / 2);
}

Finding about_crossings(const Summary& summary, const RunDemands& demands) {
  return {"crossings",
          text_of("things passed through each other in %d place%s", summary.crossings,
                  summary.crossings == 1 ? "" : "s"),
          "take smaller steps, " + smaller_step(demands) +
              ", do not set dt_min or adaptive, and look whether something that is moved by the scene leaves "
              "no way out"};
}

Finding about_tolerance(const Summary& summary, const RunDemands& demands) {
  return {"tolerance",
          text_of("%d of %d steps ended above the tolerance of %.2g, the largest error is %.2g",
                  summary.unconverged, summary.steps, demands.tolerance, summary.max_error),
          "try smaller steps, " + smaller_step(demands) +
              "; what is squeezed between two things that the scene moves or holds has no exact answer, so "
              "give it more room; a tolerance of 1e-4 is enough for pictures"};
}

Finding about_overlap(const Summary& summary, const RunDemands& demands) {
  return {"overlap",
          text_of("the deepest overlap is %.2g %% of the thickness of what overlaps",
                  100 * summary.max_penetration_ratio),
          "take smaller steps, " + smaller_step(demands) +
              ", or make thin things thicker (radius, collision_radius, thickness); look also at what is "
              "reported about the start"};
}

}  // namespace

std::vector<Finding> judge(const Summary& summary, const RunDemands& demands) {
  std::vector<Finding> findings;
  if (summary.crossings > 0) findings.push_back(about_crossings(summary, demands));
  if (summary.unconverged > 0) findings.push_back(about_tolerance(summary, demands));
  if (summary.max_penetration_ratio > kLargestGoodOverlap)
    findings.push_back(about_overlap(summary, demands));
  if (summary.crossings == kNotRecorded || std::isnan(summary.max_penetration_ratio))
    findings.push_back(
        {"not_recorded",
         "crossings and overlaps of the first steps are not known: an older version, which did "
         "not record them, began this run",
         "simulate it again with --overwrite"});
  return findings;
}

}  // namespace capstan::record
