#include <fmt/format.h>

#include <map>
#include <memory>

#include "apps/commands.hpp"
#include "apps/terminal.hpp"
#include "apps/text_table.hpp"
#include "capstan/errors.hpp"
#include "capstan/run/start_warnings.hpp"
#include "capstan/scene/build_world.hpp"
#include "capstan/scene/grow_soft.hpp"
#include "capstan/scene/keys.hpp"
#include "capstan/scene/strand_spec.hpp"

namespace capstan::app {
namespace {

struct CheckArguments {
  std::vector<std::string> files, overrides;
  bool keys = false;
};

/// The strands of one source, added up.
struct Family {
  std::string name, model, material;
  int strands = 0, elements = 0;
  long dofs = 0;
  double length = 0;  // m, of all
};

std::vector<Family> families_of(const std::vector<StrandSpec>& strands) {
  std::map<int, Family> families;
  for (const StrandSpec& strand : strands) {
    Family& family = families[strand.family];
    family.name = strand.source;
    family.model = strand.model;
    family.material = strand.material;
    family.elements = strand.elements;
    family.strands += 1;
    family.dofs += dofs_of(strand);
    family.length += sample_curve(strand.shape, strand.elements).length;
  }
  std::vector<Family> result;
  for (const auto& [index, family] : families) result.push_back(family);
  return result;
}

void print_families(const std::vector<Family>& families) {
  std::size_t name = 4, material = 8;
  for (const Family& family : families) {
    name = std::max(name, family.name.size());
    material = std::max(material, family.material.size());
  }
  const TextTable table({{"name", int(name), true},
                         {"model", 16, true},
                         {"material", int(material), true},
                         {"strands", 7},
                         {"elements", 8},
                         {"unknowns", 9},
                         {"mean length", 11}});
  fmt::print("{}", table.header());
  for (const Family& family : families)
    fmt::print("{}", table.row({{family.name},
                                {family.model},
                                {family.material},
                                {fmt::format("{}", family.strands)},
                                {fmt::format("{}", family.elements)},
                                {fmt::format("{}", family.dofs)},
                                {fmt::format("{:.3g} m", family.length / family.strands)}}));
}

std::string obstacles_text(const Scene& scene) {
  std::string text;
  for (const ObstacleSpec& obstacle : scene.obstacles)
    text += (text.empty() ? "" : ", ") + obstacle.name + (obstacle.motion.moves() ? " (moving)" : "");
  return text.empty() ? "none" : text;
}

std::string rigid_text(const Scene& scene) {
  std::string text;
  for (const RigidSpec& rigid : scene.rigid)
    text += (text.empty() ? "" : ", ") + rigid.name +
            (rigid.count() > 1 ? fmt::format(" ({})", rigid.count()) : "");
  return text.empty() ? "none" : text;
}

int places_in(const std::vector<StartOverlap>& overlaps) {
  int places = 0;
  for (const StartOverlap& overlap : overlaps) places += overlap.places;
  return places;
}

/// The soft bodies of a scene, and their degrees of freedom in all.
struct SoftText {
  std::string text;
  long dofs = 0;
};

SoftText soft_text(const Scene& scene) {
  SoftText soft;
  const auto add = [&](const std::string& name, const WorldSoft& grown) {
    const long nodes = grown.body->positions().cols();
    soft.text += fmt::format("{}{} ({} nodes)", soft.text.empty() ? "" : ", ", name, nodes);
    soft.dofs += 3 * nodes;
  };
  for (const ClothSpec& cloth : scene.cloth) add(cloth.name, grow_cloth(scene, cloth, 0));
  for (const SolidSoftSpec& solid : scene.soft) add(solid.name, grow_soft(scene, solid, 0));
  if (soft.text.empty()) soft.text = "none";
  return soft;
}

/// What a run would say about its start, and about overlaps that it would first move apart.
void print_start(const Scene& scene, Progress& progress) {
  progress.start("looking for overlaps");
  if (const std::string note = frame_rate_note(scene.simulation); !note.empty())
    fmt::print(stderr, "note: {}\n", note);
  const World world = build_world(scene);
  const std::vector<StartOverlap> overlaps = start_overlaps(world);
  const std::vector<std::string> roots = held_root_warnings(world);
  progress.clear();
  if (!scene.simulation.untangle) {
    for (const std::string& warning : start_warnings(world)) fmt::print(stderr, "warning: {}\n", warning);
    return;
  }
  if (!overlaps.empty())
    fmt::print(stderr, "note: in {} place{} things overlap; a run first moves them apart\n",
               places_in(overlaps), places_in(overlaps) == 1 ? "" : "s");
  for (const StartOverlap& overlap : overlaps) fmt::print(stderr, "note: {}\n", in_words(overlap));
  for (const std::string& warning : roots) fmt::print(stderr, "warning: {}\n", warning);
}

void check_one(const std::string& file, const std::vector<Override>& overrides) {
  Progress progress;
  progress.start("reading " + file);
  const Scene scene = read_scene(file, overrides);
  const std::vector<StrandSpec> strands = expand(scene);
  long dofs = 0;
  for (const StrandSpec& strand : strands) dofs += dofs_of(strand);
  for (const RigidSpec& rigid : scene.rigid) dofs += 6L * rigid.count();
  const SoftText soft = soft_text(scene);
  dofs += soft.dofs;
  progress.hide();
  fmt::print("{}{}{}\n\n", file, scene.title.empty() ? "" : ": ", scene.title);
  if (!strands.empty()) print_families(families_of(strands));
  fmt::print(
      "\nstrands    {}\nrigid      {}\nsoft       {}\nunknowns   {}\nobstacles  {}\nduration   {} s, {} "
      "frames, steps of {} "
      "s{}\n",
      strands.size(), rigid_text(scene), soft.text, dofs, obstacles_text(scene), scene.simulation.duration,
      scene.simulation.frames(), scene.simulation.dt,
      scene.simulation.adaptive ? fmt::format(" or less, not below {} s", scene.simulation.dt_min) : "");
  std::fflush(stdout);
  print_start(scene, progress);
}

int check(const CheckArguments& arguments) {
  if (arguments.keys) {
    fmt::print("{}", key_tables());
    return kAllConverged;
  }
  if (arguments.files.empty()) throw InputError("check: expected a scene file");
  std::vector<Override> overrides;
  for (const std::string& text : arguments.overrides) overrides.push_back(parse_override(text));
  for (const std::string& file : arguments.files) check_one(file, overrides);
  return kAllConverged;
}

}  // namespace

void add_check_command(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<CheckArguments>();
  CLI::App* command = app.add_subcommand("check", "Read a scene and tell what is in it, or what is wrong");
  command->add_option("SCENE", arguments->files, "Scene files (.toml)");
  command
      ->add_option("--set", arguments->overrides,
                   "Change a value first, as in groom.scalp.count=250 or groom.0.count=250")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  command->add_flag("--keys", arguments->keys, "Print every key a scene may have, as in docs/scene.md");
  command->footer(R"(
Examples:
  capstan check scene.toml
  capstan check scenes/strands/free_1920_A.toml --set groom.scalp.count=250)");
  command->callback([&action, arguments] { action = [arguments] { return check(*arguments); }; });
}

}  // namespace capstan::app
