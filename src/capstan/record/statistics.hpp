#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "capstan/record/durable_file.hpp"

namespace capstan::record {

/// Deepest overlaps of one moment.
struct Overlap {
  double penetration = 0;           ///< of all contacts, m
  double obstacle_penetration = 0;  ///< into an obstacle, m
  /// Largest overlap relative to the thickness of the thinner movable body of that contact; NaN: not
  /// recorded.
  double penetration_ratio = 0;
};

/// Value of a count in a row of an older run, which has no column for it.
inline constexpr int kNotRecorded = -1;

/// One row of DIR/stats.csv: what a step did, what it cost, and how good it was.
struct StepStatistics {
  int step = 0;
  double t = 0, dt = 0;  ///< s; t is the time the step has reached
  int contacts = 0;
  double nu = 0;  ///< nd/m: contact equations over degrees of freedom [Bertails11, sec. 4.4]
  int sweeps = 0;
  double error = 0;  ///< of the certificate
  bool converged = true;
  double detect = 0, assemble = 0, solve = 0, advance = 0, record = 0;  ///< s of wall clock
  double kinetic = 0, elastic = 0, gravity = 0;                         ///< J
  double penetration = 0;                                               ///< deepest overlap, m
  double obstacle_penetration = 0;                                      ///< deepest into an obstacle, m
  double penetration_ratio = 0;                                         ///< as in Overlap
  int crossings = 0;   ///< of surfaces that the step let pass through each other; or kNotRecorded
  std::string status;  ///< a word or two, no comma

  double seconds() const { return detect + assemble + solve + advance + record; }
};

std::filesystem::path stats_path(const std::filesystem::path& run);

class StatsWriter {
 public:
  static StatsWriter create(const std::filesystem::path& run);
  /// Goes on behind the rows up to time t and forgets the later ones; the file changes as a whole or not. An
  /// older file gets the columns that it does not have.
  static StatsWriter resume(const std::filesystem::path& run, double t);

  void write(const StepStatistics& row);
  void sync() { file_.sync(); }

 private:
  explicit StatsWriter(const std::filesystem::path& run) : file_(stats_path(run)) {}
  AppendFile file_;
};

struct Statistics {
  std::vector<StepStatistics> steps;
  bool torn = false;  ///< the last row was cut off and is left out
};

/// Reads the rows, also those of runs that were recorded before some of the columns existed. Throws
/// InputError `file:line: ...` for a row that is wrong in the middle.
Statistics read_statistics(const std::filesystem::path& run);
/// Reads the text of a stats.csv; `name` is what errors call it.
Statistics parse_statistics(const std::string& text, const std::string& name);

}  // namespace capstan::record
