#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "capstan/record/durable_file.hpp"

namespace capstan::record {

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
  std::string status;                                                   ///< a word or two, no comma

  double seconds() const { return detect + assemble + solve + advance + record; }
};

std::filesystem::path stats_path(const std::filesystem::path& run);

class StatsWriter {
 public:
  static StatsWriter create(const std::filesystem::path& run);
  /// Goes on behind the rows up to time t and forgets the later ones; the file changes as a whole or not.
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

/// InputError `file:line: ...` for a row that is wrong in the middle.
Statistics read_statistics(const std::filesystem::path& run);

}  // namespace capstan::record
