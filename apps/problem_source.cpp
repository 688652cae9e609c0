#include "apps/problem_source.hpp"

#include <filesystem>

#include "apps/suggest.hpp"
#include "bench/peers.hpp"
#include "capstan/errors.hpp"
#include "capstan/files/problem_file.hpp"
#include "capstan/sample/sample.hpp"
#include "capstan/solve/solver.hpp"

namespace capstan::app {
namespace {

constexpr const char* kSamplePrefix = "sample:";

bool strip_ending(std::string& name, const std::string& ending) {
  if (name.size() <= ending.size() || name.compare(name.size() - ending.size(), ending.size(), ending) != 0)
    return false;
  name.erase(name.size() - ending.size());
  return true;
}

}  // namespace

bool ProblemSource::is_sample() const { return argument.rfind(kSamplePrefix, 0) == 0; }

ContactProblem ProblemSource::load() const {
  return is_sample() ? make_sample(argument.substr(std::string(kSamplePrefix).size()))
                     : read_problem(argument);
}

std::string name_of(const std::string& path) {
  std::string name = std::filesystem::path(path).filename().string();
  while (strip_ending(name, ".dat") || strip_ending(name, ".hdf5")) {
  }
  return name;
}

std::vector<ProblemSource> sources_of(const std::vector<std::string>& arguments) {
  std::vector<ProblemSource> sources;
  for (const std::string& argument : arguments) {
    ProblemSource source{argument, name_of(argument)};
    if (source.is_sample()) source.name = argument.substr(std::string(kSamplePrefix).size());
    sources.push_back(std::move(source));
  }
  if (arguments.empty())
    for (const std::string& name : sample_names()) sources.push_back({kSamplePrefix + name, name});
  return sources;
}

void check_solver_name(const std::string& name) {
  std::vector<std::string> names;
  for (const SolverEntry& entry : solvers()) names.push_back(entry.name);
  for (const bench::Peer& peer : bench::peers()) names.push_back(peer.name);
  for (const std::string& known : names)
    if (known == name) return;
  throw InputError("solver: there is no '" + name + "'" + did_you_mean(name, names) +
                   " ('capstan solvers' lists them)");
}

}  // namespace capstan::app
