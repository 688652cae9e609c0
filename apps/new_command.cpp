#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "apps/commands.hpp"
#include "capstan/errors.hpp"
#include "capstan/files/whole_file.hpp"
#include "capstan/scene/starter.hpp"

namespace capstan::app {
namespace {

int write_starter(const std::string& name) {
  std::filesystem::path path = name;
  if (path.extension() != ".toml") path += ".toml";
  if (std::filesystem::exists(path))
    throw InputError(path.string() + ": is there already, expected a new name");
  files::make_folders_for(path);
  files::write_whole_file(path, starter_scene(path.stem().string()));
  fmt::print("{}: change it, then 'capstan check {}'\n", path.string(), path.string());
  return kAllConverged;
}

}  // namespace

void add_new_command(CLI::App& app, Action& action) {
  auto name = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("new", "Write a small scene with comments to start from");
  command->add_option("NAME", *name, "The file to write; .toml is added")->required();
  command->footer(R"(
Example:
  capstan new curls
  capstan check curls.toml)");
  command->callback([&action, name] { action = [name] { return write_starter(*name); }; });
}

}  // namespace capstan::app
