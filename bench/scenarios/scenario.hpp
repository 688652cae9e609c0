#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "capstan/scene/scene.hpp"

/// Random scenes, and a judge that knows nothing of how the simulation finds contacts.
namespace capstan::scenarios {

/// A scene as a user would write it: the text of a file, and the files that it names.
struct Scenario {
  std::string name;                          ///< of its file, without an extension
  std::string toml;                          ///< text of the scene
  std::map<std::string, std::string> files;  ///< name and text of its meshes
  std::vector<Override> overrides = {};      ///< as given on the command line with --set
};

/// Writes the scene and its files into a folder that exists, and returns the path of the scene.
std::filesystem::path write_scenario(const Scenario& scenario, const std::filesystem::path& folder);

/// Returns the scene of a seed: always the same for the same seed. Everything that the grammar does not name
/// has its default.
Scenario random_scenario(std::uint64_t seed);

/// Names of the scenes that were tried by hand and went wrong.
std::vector<std::string> case_names();
/// Throws InputError for an unknown name.
Scenario case_scenario(const std::string& name);

}  // namespace capstan::scenarios
