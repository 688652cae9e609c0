#include "capstan/record/summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace capstan::record {
namespace {

void add(Summary& sum, const Overlap& overlap) {
  sum.max_penetration = std::max(sum.max_penetration, overlap.penetration);
  sum.max_obstacle_penetration = std::max(sum.max_obstacle_penetration, overlap.obstacle_penetration);
  const bool known = !std::isnan(sum.max_penetration_ratio) && !std::isnan(overlap.penetration_ratio);
  sum.max_penetration_ratio = known ? std::max(sum.max_penetration_ratio, overlap.penetration_ratio)
                                    : std::numeric_limits<double>::quiet_NaN();
}

void add(Summary& sum, const StepStatistics& row) {
  ++sum.steps;
  sum.mean_contacts += row.contacts;
  sum.max_contacts = std::max(sum.max_contacts, row.contacts);
  sum.mean_nu += row.nu;
  sum.max_nu = std::max(sum.max_nu, row.nu);
  sum.unconverged += row.converged ? 0 : 1;
  sum.mean_error += row.error;
  sum.max_error = std::max(sum.max_error, row.error);
  sum.mean_sweeps += row.sweeps;
  sum.mean_detect += row.detect;
  sum.mean_assemble += row.assemble;
  sum.mean_solve += row.solve;
  sum.mean_advance += row.advance;
  sum.mean_record += row.record;
  sum.max_step = std::max(sum.max_step, row.seconds());
  sum.total += row.seconds();
  if (sum.crossings == kNotRecorded || row.crossings == kNotRecorded)
    sum.crossings = kNotRecorded;
  else
    sum.crossings += row.crossings;
  add(sum, Overlap{row.penetration, row.obstacle_penetration, row.penetration_ratio});
}

}  // namespace

void Tally::add(const StepStatistics& row) {
  if (sums_.steps == 0) begin_ = row.t - row.dt;
  end_ = row.t;
  record::add(sums_, row);
}

Summary Tally::summary(const Manifest& manifest) const {
  Summary result = sums_;
  result.strands = manifest.layout.strands();
  result.dofs = manifest.dofs;
  result.frames = manifest.frames;
  result.end_measured = manifest.end.has_value();
  if (manifest.end) record::add(result, *manifest.end);
  if (result.steps == 0) return result;
  result.above_tolerance = double(result.unconverged) / result.steps;
  result.simulated = end_ - begin_;
  for (double* mean :
       {&result.mean_contacts, &result.mean_nu, &result.mean_error, &result.mean_sweeps, &result.mean_detect,
        &result.mean_assemble, &result.mean_solve, &result.mean_advance, &result.mean_record})
    *mean /= result.steps;
  result.mean_step = result.total / result.steps;
  if (result.frames > 0) result.mean_frame = result.total / result.frames;
  return result;
}

Summary summarize(const Manifest& manifest, const std::vector<StepStatistics>& steps) {
  Tally tally;
  for (const StepStatistics& row : steps) tally.add(row);
  return tally.summary(manifest);
}

}  // namespace capstan::record
