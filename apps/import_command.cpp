#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/commands.hpp"
#include "capstan/errors.hpp"
#include "capstan/files/whole_file.hpp"
#include "capstan/import/mjcf.hpp"
#include "capstan/scene/build_world.hpp"
#include "capstan/scene/scene.hpp"

namespace capstan::app {
namespace {

namespace fs = std::filesystem;

struct ImportArguments {
  std::string model, output;
  bool overwrite = false, json = false;
};

/// What is written must be what `check` accepts.
void check_scene(const std::string& toml, const fs::path& path) {
  build_world(parse_scene(toml, path.string()));
}

void print_import(const ImportArguments& arguments, const imports::ImportedScene& scene) {
  if (arguments.json) {
    nlohmann::ordered_json json = {{"model", arguments.model},
                                   {"scene", arguments.output},
                                   {"rigid", scene.rigid},
                                   {"obstacles", scene.obstacles},
                                   {"ignored", nlohmann::ordered_json::array()}};
    for (const imports::ImportNote& note : scene.ignored)
      json["ignored"].push_back({{"line", note.line}, {"times", note.times}, {"what", note.text}});
    fmt::print("{}\n", json.dump());
    return;
  }
  fmt::print("{}: {} rigid bodies, {} obstacles\n", arguments.output, scene.rigid, scene.obstacles);
  for (const imports::ImportNote& note : scene.ignored)
    fmt::print("{}:{}: {}{}\n", arguments.model, note.line, note.text,
               note.times > 1 ? fmt::format(" ({} times)", note.times) : "");
}

int import_model(const ImportArguments& arguments) {
  const fs::path model = arguments.model, output = arguments.output;
  if (model.extension() == ".usd" || model.extension() == ".usda" || model.extension() == ".hair")
    throw InputError(arguments.model + ": is a groom, which scenes read as it is: [[groom]] file = \"" +
                     model.filename().string() + "\"");
  if (output.extension() != ".toml")
    throw InputError("-o: is '" + arguments.output + "', expected a name that ends in .toml");
  if (fs::exists(output) && !arguments.overwrite)
    throw InputError(arguments.output + ": is there already, expected a new name, or --overwrite");
  const imports::ImportedScene scene =
      imports::scene_from_mjcf(files::read_whole_file(model), arguments.model, model.parent_path(),
                               fs::absolute(output).parent_path());
  check_scene(scene.toml, output);
  files::write_whole_file(output, scene.toml);
  print_import(arguments, scene);
  return kAllConverged;
}

}  // namespace

void add_import_command(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<ImportArguments>();
  CLI::App* command =
      app.add_subcommand("import", "Make a scene of a MuJoCo model (MJCF), as far as it goes");
  command->add_option("MODEL", arguments->model, "An .xml file of MJCF")->required();
  command->add_option("-o,--output", arguments->output, "Scene to write, .toml")
      ->type_name("FILE")
      ->required();
  command->add_flag("--overwrite", arguments->overwrite, "Replace what is there");
  command->add_flag("--json", arguments->json, "The summary as one JSON object");
  command->footer(R"(
Reads bodies with free joints, geoms (sphere, box, capsule, cylinder, plane, hulls of .obj meshes), their places,
friction, density and mass, defaults, timestep and gravity. What was ignored is listed with its line, and at the
head of the scene. docs/export.md tells more.

Example:
  capstan import model.xml -o model.toml
  capstan run model.toml)");
  command->callback([&action, arguments] { action = [arguments] { return import_model(*arguments); }; });
}

}  // namespace capstan::app
