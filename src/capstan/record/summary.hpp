#pragma once
#include <vector>

#include "capstan/record/manifest.hpp"
#include "capstan/record/statistics.hpp"

namespace capstan::record {

/// A run in one line: the columns of [Daviet11, Table 1], and what they leave out. A mean is over the steps.
struct Summary {
  int strands = 0, dofs = 0;
  int steps = 0, frames = 0;
  double simulated = 0;  ///< s
  double mean_contacts = 0;
  int max_contacts = 0;
  double mean_nu = 0, max_nu = 0;
  double above_tolerance = 0;  ///< fraction of the steps
  double mean_error = 0, max_error = 0;
  double mean_sweeps = 0;
  double mean_detect = 0, mean_assemble = 0, mean_solve = 0, mean_advance = 0, mean_record = 0;  ///< s
  double mean_step = 0;                                      ///< s: all of these
  double mean_frame = 0;                                     ///< s of wall clock a frame
  double max_step = 0;                                       ///< s: of the step that took longest
  double total = 0;                                          ///< s of wall clock
  double max_penetration = 0, max_obstacle_penetration = 0;  ///< m
  /// Of all moments, relative to thickness (see Overlap); NaN: some steps have no record of it.
  double max_penetration_ratio = 0;
  int crossings = 0;         ///< in all steps; kNotRecorded if some have no record of them
  int unconverged = 0;       ///< steps above the tolerance
  bool end_measured = true;  ///< whether overlaps include those after the last step

  /// T_solv of the paper: the solver with the assembly of its problem. T_GS is mean_solve.
  double mean_contact() const { return mean_assemble + mean_solve; }
};

/// A summary in the making: takes the rows one by one and keeps none of them.
class Tally {
 public:
  void add(const StepStatistics& row);
  /// Returns the summary so far; `manifest.end` counts with the overlaps if it is there.
  Summary summary(const Manifest& manifest) const;

 private:
  Summary sums_;  // its means are sums
  double begin_ = 0, end_ = 0;
};

/// The same of all rows.
Summary summarize(const Manifest& manifest, const std::vector<StepStatistics>& steps);

}  // namespace capstan::record
