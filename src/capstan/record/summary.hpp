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
  double total = 0;                                          ///< s of wall clock
  double max_penetration = 0, max_obstacle_penetration = 0;  ///< m

  /// T_solv of the paper: the solver with the assembly of its problem. T_GS is mean_solve.
  double mean_contact() const { return mean_assemble + mean_solve; }
};

Summary summarize(const Manifest& manifest, const std::vector<StepStatistics>& steps);

}  // namespace capstan::record
