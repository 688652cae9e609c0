#include "bench/scenarios/scenario.hpp"

#include <fstream>

#include "capstan/errors.hpp"

namespace capstan::scenarios {
namespace {

void write_text(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw InputError(path.string() + ": cannot be written");
}

}  // namespace

std::filesystem::path write_scenario(const Scenario& scenario, const std::filesystem::path& folder) {
  for (const auto& [name, text] : scenario.files) write_text(folder / name, text);
  const std::filesystem::path path = folder / (scenario.name + ".toml");
  write_text(path, scenario.toml);
  return path;
}

}  // namespace capstan::scenarios
