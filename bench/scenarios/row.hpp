#pragma once
#include <filesystem>
#include <optional>
#include <string>

namespace capstan::scenarios {

/// What became of one scene. Times are of the processor, so that what else the machine does counts little.
struct Row {
  std::string name;
  std::string end =
      "unfinished";    ///< "finished", "time limit", "clock limit", "crash: signal 11", "error: ..."
  std::string bodies;  ///< what is in it, in words
  double simulated = 0, wanted = 0;  ///< s of the scene's own time
  int steps = 0;
  int max_contacts = 0;
  double mean_contacts = 0;
  double start_seconds = 0;  ///< from the text to the first step, with overlaps at the start moved apart
  double total_seconds = 0;  ///< of all steps
  double median_step = 0, worst_step = 0;  ///< s
  double worst_step_t = 0;                 ///< s, when the step that took longest ended
  int worst_step_contacts = 0, worst_step_sweeps = 0, worst_step_attempts = 0;
  long sweeps = 0, contact_sweeps = 0;  ///< in all steps; the latter with each sweep times its contacts
  int attempts = 0;
  int above_tolerance = 0;      ///< steps
  double worst_error = 0;       ///< of the certificate, at the end of a step
  double start_overlap = 0;     ///< of the text of the scene, over the thickness of the thinner body
  double deepest_ratio = 0;     ///< deepest overlap over the thickness of the thinner body, of all moments
  double deepest = 0;           ///< m
  double deepest_t = 0;         ///< s
  std::string deepest_between;  ///< of what, and where on it, in words
  int crossings = 0;            ///< pairs of things that passed through each other, found by the judge
  std::string first_crossing;   ///< of what, when and where, in words
  int start_crossings = 0;      ///< pairs that were in each other before the first step
  int reported_crossings = 0;   ///< by the simulation itself
  int repaired_crossings = 0;   ///< that the simulation prevented
  /// Energy that appeared over that which was turned over; none where something is led or sticks.
  std::optional<double> energy_gained;

  bool finished() const { return end == "finished"; }
  double mean_step() const { return steps > 0 ? total_seconds / steps : 0; }
  double worst_over_median() const { return median_step > 0 ? worst_step / median_step : 0; }
};

std::string row_json(const Row& row);
/// Throws InputError, naming the file, if it cannot be read or is no row.
Row read_row(const std::filesystem::path& path);
/// Through a second file, so that whoever reads sees all of it or nothing.
void write_row(const Row& row, const std::filesystem::path& path);

std::string csv_header();
std::string csv_line(const Row& row);

}  // namespace capstan::scenarios
