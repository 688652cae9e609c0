#include "capstan/record/summary.hpp"

#include <algorithm>

namespace capstan::record {
namespace {

void add(Summary& sum, const StepStatistics& row) {
  sum.mean_contacts += row.contacts;
  sum.max_contacts = std::max(sum.max_contacts, row.contacts);
  sum.mean_nu += row.nu;
  sum.max_nu = std::max(sum.max_nu, row.nu);
  sum.above_tolerance += row.converged ? 0 : 1;
  sum.mean_error += row.error;
  sum.max_error = std::max(sum.max_error, row.error);
  sum.mean_sweeps += row.sweeps;
  sum.mean_detect += row.detect;
  sum.mean_assemble += row.assemble;
  sum.mean_solve += row.solve;
  sum.mean_advance += row.advance;
  sum.mean_record += row.record;
  sum.total += row.seconds();
  sum.max_penetration = std::max(sum.max_penetration, row.penetration);
  sum.max_obstacle_penetration = std::max(sum.max_obstacle_penetration, row.obstacle_penetration);
}

}  // namespace

Summary summarize(const Manifest& manifest, const std::vector<StepStatistics>& steps) {
  Summary result;
  result.strands = manifest.layout.strands();
  result.dofs = manifest.dofs;
  result.frames = manifest.frames;
  result.steps = static_cast<int>(steps.size());
  if (steps.empty()) return result;
  for (const StepStatistics& row : steps) add(result, row);
  result.simulated = steps.back().t - (steps.front().t - steps.front().dt);
  for (double* mean : {&result.mean_contacts, &result.mean_nu, &result.above_tolerance, &result.mean_error,
                       &result.mean_sweeps, &result.mean_detect, &result.mean_assemble, &result.mean_solve,
                       &result.mean_advance, &result.mean_record})
    *mean /= result.steps;
  result.mean_step = result.total / result.steps;
  if (result.frames > 0) result.mean_frame = result.total / result.frames;
  return result;
}

}  // namespace capstan::record
