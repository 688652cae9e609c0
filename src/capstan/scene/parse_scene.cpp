#include <algorithm>
#include <cmath>

#include "capstan/errors.hpp"
#include "capstan/files/whole_file.hpp"
#include "capstan/scene/names.hpp"
#include "capstan/scene/override.hpp"
#include "capstan/scene/scene_parts.hpp"
#include "capstan/scene/suggest.hpp"

namespace capstan {
namespace scene_text {

std::optional<Adhesion> read_adhesion(TableReader& friction) {
  std::optional<TableReader> table = friction.table("adhesion", "adhesion");
  if (!table) return std::nullopt;
  Adhesion adhesion;
  adhesion.stiffness = table->required("stiffness", table->number("stiffness"));
  adhesion.tangential = table->number("tangential").value_or(1);
  adhesion.energy = table->required("energy", table->number("energy"));
  adhesion.viscosity = table->required("viscosity", table->number("viscosity"));
  adhesion.bonding_rate = table->number("bonding_rate").value_or(0);
  adhesion.saturation = table->number("saturation").value_or(0);
  adhesion.debond_gap = table->required("debond_gap", table->number("debond_gap"));
  adhesion.initial = table->number("initial").value_or(0);
  if (table->text("steps").value_or("exponential") == "euler") adhesion.steps = BondSteps::euler;
  if (table->text("coupling").value_or("rcc") == "box") adhesion.coupling = Coupling::box;
  table->finish();
  return adhesion;
}

PairFriction read_pair(TableReader& table) {
  PairFriction pair;
  const std::string model = table.text("model").value_or("isotropic");
  table.decided_by("model", model);
  pair.mu = table.required("mu", table.number("mu"));
  pair.restitution = table.number("restitution").value_or(0);
  pair.mu_spin = table.number("spin").value_or(0);
  pair.adhesion = read_adhesion(table);
  if (pair.adhesion && model == "one_sided") table.wrong("adhesion", "none beside one-sided friction");
  if (pair.adhesion && pair.adhesion->coupling == Coupling::box && pair.mu_spin > 0)
    table.wrong("spin", "0 beside adhesion with coupling \"box\"");
  if (model == "isotropic") return pair;
  pair.mu_across = table.required("across", table.number("across"));
  if (table.text("missing_grain").value_or("other_decides") == "isotropic")
    pair.missing_grain = MissingGrain::isotropic;
  if (model == "matchstick") {
    pair.model = FrictionModel::matchstick;
    pair.mu_spin_isotropic = table.number("spin_isotropic");
  } else if (table.text("grain_of").value_or("first") == "second") {
    pair.grain_of = GrainOf::b;
  }
  if (model == "one_sided") {
    pair.model = FrictionModel::one_sided;
    pair.mu_with = table.required("with", table.number("with"));
    pair.mu_against = table.required("against", table.number("against"));
    return pair;
  }
  if (model == "ellipse") pair.model = FrictionModel::ellipse;
  pair.mu_along = table.required("along", table.number("along"));
  return pair;
}

/// A torque about the normal needs two bodies that turn as a whole.
void check_spin(TableReader& table, const Scene& scene, const std::vector<std::string>& names,
                const PairFriction& pair) {
  if (pair.mu_spin == 0 && pair.mu_spin_isotropic.value_or(0) == 0) return;
  const auto is_solid = [&](const std::string& name) {
    const auto has_name = [&](const auto& solid) { return solid.name == name; };
    return std::any_of(scene.rigid.begin(), scene.rigid.end(), has_name) ||
           std::any_of(scene.obstacles.begin(), scene.obstacles.end(), has_name);
  };
  const auto other = std::find_if_not(names.begin(), names.end(), is_solid);
  if (other != names.end())
    table.wrong(pair.mu_spin > 0 ? "spin" : "spin_isotropic",
                "0, or both names to be of rigid bodies or obstacles; '" + *other + "' is not");
}

void read_friction(TableReader table, Scene& scene) {
  const std::vector<std::string> known = known_names(scene);
  const auto names = table.two_texts("between");
  const PairFriction friction = read_pair(table);
  if (!names && !table.has("between")) table.missing("between");
  for (std::size_t i = 0; names && i < 2; ++i)
    if (std::find(known.begin(), known.end(), (*names)[i]) == known.end())
      table.wrong_item("between", i,
                       "is '" + (*names)[i] + "', expected the name of a material, strand, groom, bundle, " +
                           "rigid body, cloth, soft solid or obstacle" + did_you_mean((*names)[i], known));
  if (names) check_spin(table, scene, *names, friction);
  table.finish();
  if (names) scene.friction.push_back({(*names)[0], (*names)[1], friction});
}

/// What others refer to comes first: materials, then obstacles, then what is made of and carried by them.
void read_all(TableReader& top, Scene& scene) {
  scene.title = top.text("title").value_or("");
  if (auto simulation = top.table("simulation", "simulation")) read_simulation(*simulation, scene.simulation);
  for (const TableReader& table : top.tables("material", "material")) read_material(table, scene);
  for (const TableReader& table : top.tables("obstacle", "obstacle")) read_obstacle(table, scene);
  for (const TableReader& table : top.tables("rigid", "rigid")) read_rigid(table, scene);
  for (const TableReader& table : top.tables("cloth", "cloth")) read_cloth(table, scene);
  for (const TableReader& table : top.tables("soft", "soft")) read_soft(table, scene);
  for (const TableReader& table : top.tables("strand", "strand")) read_strand(table, scene);
  for (const TableReader& table : top.tables("groom", "groom")) read_groom(table, scene);
  for (const TableReader& table : top.tables("bundle", "bundle")) read_bundle(table, scene);
  for (const TableReader& table : top.tables("friction", "friction")) read_friction(table, scene);
  top.finish();
}

Scene parse(std::string_view text, const std::string& file_name, const std::vector<Override>& overrides) {
  Value tree = parse_toml(text, file_name);
  for (const Override& change : overrides) apply_override(tree, change);
  Errors errors(file_name);
  Scene scene;
  scene.folder = std::filesystem::path(file_name).parent_path();
  TableReader top(tree, "scene", "", errors);
  read_all(top, scene);
  if (errors.empty() && scene.strands.empty() && scene.grooms.empty() && scene.bundles.empty() &&
      scene.rigid.empty() && scene.cloth.empty() && scene.soft.empty())
    errors.add({1, 1},
               "strand: is missing, expected at least one [[strand]], [[groom]], [[bundle]], [[rigid]], "
               "[[cloth]] or [[soft]]");
  errors.throw_if_any();
  return scene;
}

}  // namespace scene_text

int SimulationSettings::frames() const { return 1 + int(std::ceil(duration * fps * (1 - 1e-12))); }

const Material* Scene::find_material(const std::string& name) const {
  for (const Material& material : materials)
    if (material.name == name) return &material;
  return find_preset(name);
}

const ObstacleSpec* Scene::find_obstacle(const std::string& name) const {
  for (const ObstacleSpec& obstacle : obstacles)
    if (obstacle.name == name) return &obstacle;
  return nullptr;
}

Scene parse_scene(std::string_view text, const std::string& file_name,
                  const std::vector<Override>& overrides) {
  return scene_text::parse(text, file_name, overrides);
}

std::vector<FrictionPair> parse_friction(std::string_view text, const std::string& file_name,
                                         const Scene& scene) {
  using namespace scene_text;
  const Value tree = parse_toml(text, file_name);
  Errors errors(file_name);
  TableReader top(tree, "scene", "", errors);
  Scene with_them = scene;
  with_them.friction.clear();
  for (const TableReader& table : top.tables("friction", "friction")) read_friction(table, with_them);
  top.finish();
  errors.throw_if_any();
  return with_them.friction;
}

Scene read_scene(const std::filesystem::path& path, const std::vector<Override>& overrides) {
  return parse_scene(files::read_whole_file(path), path.string(), overrides);
}

}  // namespace capstan
