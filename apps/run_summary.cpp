#include "apps/run_summary.hpp"

#include <fmt/format.h>

#include <cmath>

#include "apps/terminal.hpp"
#include "apps/text_table.hpp"
#include "capstan/step/thickness.hpp"

namespace capstan::app {
namespace {

std::string line(const std::string& title, const std::string& text) {
  return fmt::format("  {:<10} {}\n", title, text);
}

std::string percent(double part) { return fmt::format("{:.2g} %", 100 * part); }

std::string steps_text(const RunResult& run) {
  const record::Summary& s = run.summary;
  if (s.steps == 0) return "none";
  if (s.unconverged == 0)
    return fmt::format("{}, all certified to an error of {:.2g} (the largest is {:.1e})", s.steps,
                       run.manifest.tolerance, s.max_error);
  return fmt::format("{}, of which {} are above the tolerance of {:.2g} (the largest error is {:.1e})",
                     s.steps, s.unconverged, run.manifest.tolerance, s.max_error);
}

std::string crossings_text(const record::Summary& s) {
  if (s.crossings == record::kNotRecorded) return "not known for all steps";
  if (s.crossings == 0) return "none: nothing passed through anything";
  return fmt::format("{} place{} where things passed through each other", s.crossings,
                     s.crossings == 1 ? "" : "s");
}

std::string overlap_text(const record::Summary& s) {
  if (s.max_penetration <= 0) return "none";
  std::string text = fmt::format("{:.2g} mm at the deepest", 1e3 * s.max_penetration);
  if (!std::isnan(s.max_penetration_ratio))
    text += fmt::format(", {} of the thickness of what overlaps at most", percent(s.max_penetration_ratio));
  if (s.max_obstacle_penetration > 0)
    text += fmt::format("; {:.2g} mm with an obstacle", 1e3 * s.max_obstacle_penetration);
  return text;
}

std::string start_text(const UntangleReport& start) {
  const auto depth = [](const OverlapReport& overlap) {
    return fmt::format("{:.2g} mm ({} of the thickness)", 1e3 * overlap.penetration,
                       percent(overlap.penetration_ratio));
  };
  return fmt::format(
      "overlaps of up to {} were undone in {} rounds, by moving things up to {:.2g} mm; {} left",
      depth(start.before), start.rounds, 1e3 * start.moved,
      start.after.penetration_ratio > kNegligibleOverlap ? depth(start.after) : "nothing is");
}

std::string time_text(const record::Summary& s) {
  const auto part = [&](double mean) { return fmt::format("{:.0f} %", 100 * mean / s.mean_step); };
  return fmt::format(
      "{} per step, {} for the longest; finding contacts {}, assembling {}, solving {}, moving {}, recording "
      "{}",
      short_duration_text(s.mean_step), short_duration_text(s.max_step), part(s.mean_detect),
      part(s.mean_assemble), part(s.mean_solve), part(s.mean_advance), part(s.mean_record));
}

std::string verdict_text(const std::vector<record::Finding>& findings) {
  if (findings.empty())
    return styled("Verdict: good.", Style::good) + fmt::format(
                                                       " Every step is certified, nothing passed through "
                                                       "anything, no overlap is above {:.0f} % of the "
                                                       "thickness.\n",
                                                       100 * record::kLargestGoodOverlap);
  std::string text = styled("Verdict: not good.", Style::bad) + "\n";
  for (const record::Finding& finding : findings)
    text += fmt::format("  - {}.\n    To change it: {}.\n", finding.what, finding.advice);
  return text;
}

nlohmann::ordered_json number_or_null(double value) {
  return std::isnan(value) ? nlohmann::ordered_json() : nlohmann::ordered_json(value);
}

nlohmann::ordered_json count_or_null(int count) {
  return count == record::kNotRecorded ? nlohmann::ordered_json() : nlohmann::ordered_json(count);
}

nlohmann::ordered_json start_json(const UntangleReport& start) {
  return {{"rounds", start.rounds},
          {"penetration_before", start.before.penetration},
          {"penetration_ratio_before", start.before.penetration_ratio},
          {"penetration_after", start.after.penetration},
          {"penetration_ratio_after", start.after.penetration_ratio},
          {"moved", start.moved}};
}

nlohmann::ordered_json findings_json(const std::vector<record::Finding>& findings) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const record::Finding& finding : findings)
    list.push_back({{"kind", finding.kind}, {"what", finding.what}, {"advice", finding.advice}});
  return list;
}

}  // namespace

std::string summary_in_words(const RunResult& run) {
  const record::Summary& s = run.summary;
  std::string text = fmt::format("{}: {} frames, {:.4g} s simulated in {}\n", run.name, s.frames, s.simulated,
                                 short_duration_text(s.total));
  text += line("steps", steps_text(run));
  text += line("crossings", crossings_text(s));
  text += line("overlap", overlap_text(s));
  if (run.start && run.start->rounds > 0) text += line("start", start_text(*run.start));
  text += line("contacts", fmt::format("{:.0f} on average, {} at most", s.mean_contacts, s.max_contacts));
  if (s.steps > 0) text += line("time", time_text(s));
  return text + verdict_text(run.findings);
}

nlohmann::ordered_json summary_json(const RunResult& run) {
  const record::Summary& s = run.summary;
  return {{"frames", s.frames},
          {"steps", s.steps},
          {"strands", s.strands},
          {"dofs", s.dofs},
          {"mean_contacts", s.mean_contacts},
          {"max_contacts", s.max_contacts},
          {"above_tolerance", s.above_tolerance},
          {"steps_above_tolerance", s.unconverged},
          {"tolerance", run.manifest.tolerance},
          {"max_error", s.max_error},
          {"crossings", count_or_null(s.crossings)},
          {"penetration", s.max_penetration},
          {"penetration_obstacle", s.max_obstacle_penetration},
          {"penetration_ratio", number_or_null(s.max_penetration_ratio)},
          {"start", run.start ? start_json(*run.start) : nlohmann::ordered_json()},
          {"good", run.findings.empty()},
          {"findings", findings_json(run.findings)},
          {"mean_detect", s.mean_detect},
          {"mean_assemble", s.mean_assemble},
          {"mean_solve", s.mean_solve},
          {"mean_step", s.mean_step},
          {"max_step", s.max_step},
          {"seconds", s.total}};
}

std::string summary_table(const RunResult& run) {
  const record::Summary& s = run.summary;
  const std::string &name = run.name, &friction = run.manifest.friction;
  const TextTable table({{"run", std::max(8, int(name.size())), true},
                         {"strands", 7},
                         {"dofs", 7},
                         {"mu", std::max(4, int(friction.size()))},
                         {"contacts", 8},
                         {"max", 7},
                         {"% > tol", 7},
                         {"max error", 9},
                         {"sweeps", 6},
                         {"T_GS / T_solv (s)", 17},
                         {"T_dt (s)", 8},
                         {"T_frame (s)", 11},
                         {"T_tot", 9}});
  std::string text = table.header();
  text += table.row({{name},
                     {fmt::format("{}", s.strands)},
                     {fmt::format("{}", s.dofs)},
                     {friction.empty() ? "-" : friction},
                     {fmt::format("{:.0f}", s.mean_contacts)},
                     {fmt::format("{}", s.max_contacts)},
                     {fmt::format("{:.3g}", 100 * s.above_tolerance)},
                     {fmt::format("{:.1e}", s.max_error)},
                     {fmt::format("{:.1f}", s.mean_sweeps)},
                     {fmt::format("{:.3g} / {:.3g}", s.mean_solve, s.mean_contact())},
                     {fmt::format("{:.3g}", s.mean_step)},
                     {fmt::format("{:.3g}", s.mean_frame)},
                     {duration_text(s.total)}});
  return text + fmt::format(
                    "{} steps, {} frames, {:.4g} s simulated; nu {:.3g} (max {:.3g}); mean error {:.1e}; "
                    "deepest overlap {:.2g} mm, with an obstacle {:.2g} mm\n"
                    "a step: detect {:.3g} s, assemble {:.3g} s, solve {:.3g} s, advance {:.3g} s, record "
                    "{:.3g} s\n",
                    s.steps, s.frames, s.simulated, s.mean_nu, s.max_nu, s.mean_error,
                    1e3 * s.max_penetration, 1e3 * s.max_obstacle_penetration, s.mean_detect, s.mean_assemble,
                    s.mean_solve, s.mean_advance, s.mean_record);
}

}  // namespace capstan::app
