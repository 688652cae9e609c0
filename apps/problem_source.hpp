#pragma once
#include <string>
#include <vector>

#include "capstan/problem/contact_problem.hpp"

namespace capstan::app {

/// A problem as named on the command line: a file, or `sample:NAME`.
struct ProblemSource {
  std::string argument;
  std::string name;  ///< of the problem: the file's name without folder and endings, or the sample's

  bool is_sample() const;
  /// Reads or makes it. InputError names the file.
  ContactProblem load() const;
};

/// X for X.dat, X.hdf5, X.hdf5.dat, ...
std::string name_of(const std::string& path);

/// The named problems; the built-in set if there are none.
std::vector<ProblemSource> sources_of(const std::vector<std::string>& arguments);

/// Throws InputError with the nearest name if there is no such solver.
void check_solver_name(const std::string& name);

}  // namespace capstan::app
