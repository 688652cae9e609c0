#include <cmath>

#include "bench/scenarios/grammar.hpp"

namespace capstan::scenarios {
namespace {

using Eigen::Vector3d;

const std::vector<std::string> kModels{"super_helix", "mass_spring", "corde", "discrete_elastic"};

struct Rod {
  std::string material;
  double radius;  ///< m, of collisions
};

/// Writes a [[material]] for rods that are about the size of the scene; its name is also that of a family.
Rod add_material(Draft& draft) {
  Dice& dice = draft.dice;
  TomlText& toml = draft.toml;
  const double radius = draft.size * dice.log_between(0.008, 0.05);
  const std::string name = "rod_material_" + std::to_string(draft.names.size() + 1);
  toml.section("[[material]]");
  toml.add("name", name);
  toml.add("radius", radius);
  toml.add("density", dice.between(500, 2000));
  toml.add("young", dice.log_between(1e5, 3e9));
  toml.add("poisson", dice.between(0.2, 0.5));
  if (dice.chance(0.5)) toml.add("friction", dice.between(0.05, 0.8));
  if (dice.chance(0.15))
    toml.add("natural_curvature",
             Vector3d(Vector3d{dice.between(-1, 1), dice.between(0, 3), 0} / draft.size));
  return {name, radius};
}

void add_rod_keys(Draft& draft, const std::string& stem, const Rod& rod, int elements) {
  draft.toml.add("name", draft.name(stem, NameKind::strands));
  if (draft.dice.chance(0.8)) draft.toml.add("model", draft.dice.one_of(kModels));
  draft.toml.add("material", rod.material);
  if (draft.dice.chance(0.8)) draft.toml.add("elements", elements);
}

}  // namespace

void add_bundle(Draft& draft) {
  Dice& dice = draft.dice;
  TomlText& toml = draft.toml;
  const Rod rod = add_material(draft);
  const double length = draft.size * dice.between(0.8, 2.5);
  const int count = draft.budget(dice.count(3, 30));
  const double spacing = rod.radius * dice.between(0.1, 3);
  const double across = std::sqrt(double(count)) * (2 * rod.radius + spacing);
  const bool upright = dice.chance(0.25);
  const bool tilted = dice.chance(0.5);
  toml.section("[[bundle]]");
  add_rod_keys(draft, "bundle", rod, dice.count(6, 18));
  toml.add("count", count);
  toml.add("length", length);
  const double height = upright ? length : across;
  toml.add("center", Vector3d(0, 0, draft.top + 0.6 * height + 0.1 * draft.size));
  if (upright) toml.add("direction", Vector3d(dice.between(-0.1, 0.1), 0, 1));
  toml.add("spacing", spacing);
  if (tilted) toml.add("tilt", std::min(0.3, 0.5 * spacing / length));
  toml.add("seed", dice.seed());
  draft.top += 1.2 * height + 0.2 * draft.size;
}

void add_brush(Draft& draft) {
  Dice& dice = draft.dice;
  TomlText& toml = draft.toml;
  const Rod rod = add_material(draft);
  const double length = draft.size * dice.between(0.8, 2);
  toml.section("[[bundle]]");
  add_rod_keys(draft, "brush", rod, dice.count(5, 14));
  toml.add("count", draft.budget(dice.count(5, 30)));
  toml.add("length", length);
  if (dice.chance(0.5)) toml.add("length_spread", dice.between(0, 0.3));
  const bool sideways = dice.chance(0.4);
  toml.add("center", Vector3d(sideways ? -0.5 * length : 0, 0,
                              draft.top + (sideways ? 0.3 * draft.size : 1.05 * length + 0.1 * draft.size)));
  toml.add("direction", sideways ? Vector3d(1, 0, 0) : Vector3d(0, 0, -1));
  toml.add("spacing", rod.radius * dice.between(0.2, 4));
  if (dice.chance(0.5)) toml.add("spread", dice.between(0, 0.4));
  toml.add("seed", dice.seed());
  toml.section("[bundle.root]");
  toml.add("hold", dice.chance(0.7) ? "clamped" : "pinned");
  if (dice.chance(0.6)) toml.add_lines(motion_lines(draft, draft.size));
  draft.top += 1.2 * length + 0.6 * draft.size;
}

void add_single_strands(Draft& draft) {
  Dice& dice = draft.dice;
  TomlText& toml = draft.toml;
  const Rod rod = add_material(draft);
  const int count = dice.count(1, 4);
  for (int k = 0; k < count; ++k) {
    const double length = draft.size * dice.between(1, 3), z = draft.top + 6 * rod.radius;
    toml.section("[[strand]]");
    add_rod_keys(draft, "strand", rod, dice.count(8, 30));
    const int shape = dice.count(0, 4);
    const double y = dice.between(-0.5, 0.5) * draft.width;
    double height = 6 * rod.radius;
    if (shape == 0) {
      toml.add("shape", "helix");
      const double radius = std::max(draft.size * dice.between(0.1, 0.3), 3 * rod.radius);
      toml.add("radius", radius);
      toml.add("pitch", rod.radius * dice.between(3, 12));
      toml.add("direction", Vector3d(0, 0, 1));
      toml.add("length", length);
      toml.add("start", Vector3d(0, y, z));
      height += length;
    } else if (shape == 1) {
      toml.add("shape", "arc");
      toml.add("radius", length / dice.between(1, 4));
      toml.add("normal", Vector3d(0, 1, 0));
      toml.add("length", length);
      toml.add("start", Vector3d(-0.5 * length, y, z));
    } else if (shape == 2) {
      const double loop = std::max(0.12 * draft.size, 5 * rod.radius);
      toml.add("shape", "overhand_knot");
      toml.add("radius", loop);
      toml.add("length", std::max(length, 21 * loop));
      toml.add("start", Vector3d(-0.5 * length, y, z + 2 * loop));
      height += 4 * loop;
    } else if (shape == 3) {
      std::string points = "[";
      for (int corner = 0; corner < 5; ++corner)
        points += (corner ? ", " : "") + value_text(Vector3d((corner / 4.0 - 0.5) * length,
                                                             y + dice.between(-0.15, 0.15) * draft.size, z));
      toml.add_raw("points", points + "]");
    } else {
      toml.add("length", length);
      toml.add("start", Vector3d(-0.5 * length, y, z));
    }
    if (dice.chance(0.2)) toml.add("rest", "straight");
    const int held = dice.count(0, 3);
    if (held >= 2) {
      toml.section("[strand.root]");
      toml.add("hold", held == 2 ? "pinned" : "clamped");
      if (dice.chance(0.3)) toml.add_lines(motion_lines(draft, 0.5 * draft.size));
      height += held == 2 ? 0 : 0.1 * length;
    }
    draft.top += height;
  }
}

void add_groom(Draft& draft) {
  Dice& dice = draft.dice;
  TomlText& toml = draft.toml;
  const double radius = draft.size;
  const double length = radius * dice.between(0.6, 2.5);
  const std::string material = "hair_material_" + std::to_string(draft.names.size() + 1);
  toml.section("[[material]]");
  toml.add("name", material);
  toml.add("preset", dice.one_of<std::string>({"hair_straight", "hair_wavy", "hair_curly"}));
  toml.add("collision_radius", radius * dice.between(0.006, 0.02));
  if (dice.chance(0.5)) toml.add("friction", dice.between(0.1, 0.6));
  const std::string on = draft.name("head", NameKind::obstacle);
  const double z = draft.top + radius + 0.6 * length;
  toml.section("[[obstacle]]");
  toml.add("name", on);
  const int shape = dice.count(0, 2);
  if (shape == 0) {
    toml.add("shape", "sphere");
    toml.add("radius", radius);
  } else if (shape == 1) {
    toml.add("shape", "capsule");
    toml.add("radius", 0.7 * radius);
    toml.add("length", 0.6 * radius);
  } else {
    toml.add("shape", "head");
    toml.add("scale", radius / 0.1);
  }
  toml.add("position", Vector3d(0, 0, z));
  if (dice.chance(0.6)) toml.add_lines(motion_lines(draft, 0.7 * radius));
  toml.section("[[groom]]");
  toml.add("name", draft.name("groom", NameKind::strands));
  // The sections of hair are ellipses, which mass_spring has not.
  if (dice.chance(0.7))
    toml.add("model", dice.one_of<std::string>({"super_helix", "corde", "discrete_elastic"}));
  toml.add("material", material);
  toml.add("on", on);
  toml.add("count", draft.budget(dice.count(15, 60)));
  toml.add("elements", dice.count(4, 10));
  toml.add("length", length);
  if (dice.chance(0.3)) toml.add("lift", dice.between(0, 1));
  if (radius < 0.06) {  // the defaults are those of a human head
    toml.add("droop", 0.3 * radius);
    toml.add("volume", 0.2 * radius);
    toml.add("skip_root", 0.1 * radius);
  }
  toml.add("seed", dice.seed());
  draft.top = z + 2.2 * radius + (shape == 2 ? 2 * radius : 0) + 0.2 * length;
}

}  // namespace capstan::scenarios
