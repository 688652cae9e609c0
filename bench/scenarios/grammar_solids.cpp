#include <array>
#include <cmath>

#include "bench/scenarios/closed_meshes.hpp"
#include "bench/scenarios/grammar.hpp"

namespace capstan::scenarios {
namespace {

using Eigen::Vector3d;

/// Writes the shape of a solid that fits into a ball of radius `reach`, and returns the radius of a ball
/// that it fits into.
double add_shape(Draft& draft, double reach, bool with_meshes) {
  Dice& dice = draft.dice;
  TomlText& toml = draft.toml;
  const int kind = dice.count(0, with_meshes ? 6 : 4);
  if (kind == 0) {
    toml.add("shape", "sphere");
    toml.add("radius", reach);
  } else if (kind == 1) {
    const Vector3d ratio{1, dice.between(0.4, 1), dice.between(0.25, 1)};
    toml.add("shape", "box");
    toml.add("size", Vector3d(2 * reach / ratio.norm() * ratio));
  } else if (kind == 2) {
    const double slimness = dice.between(0.25, 0.7);
    toml.add("shape", "capsule");
    toml.add("radius", slimness * reach);
    toml.add("length", 2 * (1 - slimness) * reach);
  } else if (kind == 3) {
    const double angle = dice.between(0.3, 1.3);
    toml.add("shape", "cylinder");
    toml.add("radius", std::sin(angle) * reach);
    toml.add("length", 2 * std::cos(angle) * reach);
  } else if (kind == 4) {
    std::string points = "[";
    const int corners = dice.count(5, 14);
    for (int k = 0; k < corners; ++k) points += (k ? ", " : "") + value_text(dice.vector(0.7 * reach, reach));
    toml.add("shape", "hull");
    toml.add_raw("points", points + "]");
  } else if (kind == 5) {
    const Vector3d ratio{1, dice.between(0.4, 1), dice.between(0.3, 0.7)};
    toml.add("shape", "mesh");
    toml.add("file", draft.file("wedge", wedge_obj(1.6 * reach / ratio.norm() * ratio)));
  } else {
    const int rings = dice.count(8, 12);
    toml.add("shape", "mesh");
    toml.add("file", draft.file("blob", blob_obj(0.75 * reach, 0.3, dice.random(), rings)));
  }
  return reach;
}

void add_structure(Draft& draft) {
  draft.toml.add_raw("structure",
                     "{ kind = \"constant\", direction = " + value_text(draft.dice.direction()) + " }");
}

}  // namespace

void add_floor(Draft& draft) {
  Dice& dice = draft.dice;
  const bool grain = dice.chance(0.15);
  draft.toml.section("[[obstacle]]");
  draft.toml.add("name", draft.name("floor", NameKind::obstacle, grain));
  draft.toml.add("shape", "plane");
  if (grain) draft.toml.add_raw("structure", "{ kind = \"constant\", direction = [1, 0, 0] }");
  if (dice.chance(0.2)) {
    draft.toml.add("normal", Vector3d{dice.between(-0.15, 0.15), dice.between(-0.15, 0.15), 1});
    draft.top = 0.65 * draft.size;  // what falls is up to three sizes wide
  }
  if (dice.chance(0.4)) draft.toml.add("friction", dice.between(0, 1));
}

void add_bowl(Draft& draft) {
  Dice& dice = draft.dice;
  const double radius = draft.size * dice.between(2, 3);
  const double wall = radius * dice.between(0.03, 0.1);
  const double depth = radius * dice.between(0.6, 1);
  draft.toml.section("[[obstacle]]");
  draft.toml.add("name", draft.name("bowl", NameKind::obstacle));
  draft.toml.add("shape", "mesh");
  draft.toml.add("file", draft.file("bowl", bowl_obj(radius, wall, depth)));
  draft.toml.add("position", Vector3d(0, 0, draft.top + radius + wall + 0.5 * draft.size));
  draft.width = 0.6 * radius;
  draft.top += 1.5 * wall + 0.5 * draft.size + depth;
}

void add_walls(Draft& draft) {
  const double at = draft.size * draft.dice.between(2, 3);
  for (const std::array<double, 2> side : {std::array{1.0, 0.0}, {-1.0, 0.0}, {0.0, 1.0}, {0.0, -1.0}}) {
    const Vector3d normal(side[0], side[1], 0.05);
    draft.toml.section("[[obstacle]]");
    draft.toml.add("name", draft.name("wall", NameKind::obstacle));
    draft.toml.add("shape", "plane");
    draft.toml.add("position", Vector3d(-at * side[0], -at * side[1], 0));
    draft.toml.add("normal", normal);
  }
  draft.width = 0.7 * at;
  draft.walled = true;
}

void add_obstacle(Draft& draft, bool may_move) {
  Dice& dice = draft.dice;
  const double reach = draft.size * dice.between(0.4, 1);
  const bool grain = dice.chance(0.15);
  draft.toml.section("[[obstacle]]");
  draft.toml.add("name", draft.name("obstacle", NameKind::obstacle, grain));
  add_shape(draft, reach, true);
  const double x = dice.between(-1, 1) * draft.width;
  const double y = dice.between(-1, 1) * draft.width;
  draft.toml.add("position", Vector3d(x, y, reach * dice.between(0.3, 1.2)));
  if (dice.chance(0.5)) draft.toml.add("rotation", dice.vector(0, 3));
  if (grain) add_structure(draft);
  const bool moves = dice.chance(0.4) && may_move;
  if (moves) draft.toml.add_lines(motion_lines(draft, draft.size, Way::along_the_floor));
  draft.top = std::max(draft.top, 2.2 * reach + (moves ? draft.size : 0));
}

void add_rigid_heap(Draft& draft) {
  Dice& dice = draft.dice;
  TomlText& toml = draft.toml;
  const double reach = draft.size * dice.between(0.15, 0.4), spacing = 2 * reach * dice.between(1.02, 1.4);
  const int across = std::max(1, std::min(4, int(2 * draft.width / spacing)));
  const int wanted = draft.budget(dice.count(4, 24));
  const int layers = std::max(1, std::min(wanted / (across * across), 8));
  const bool grain = dice.chance(0.1);
  toml.section("[[rigid]]");
  toml.add("name", draft.name("body", NameKind::rigid, grain));
  add_shape(draft, reach, true);
  if (grain) add_structure(draft);
  const double corner = -0.5 * (across - 1) * spacing;
  toml.add("position", Vector3d(corner, corner, draft.top + 1.1 * reach));
  toml.add("density", dice.chance(0.5) ? 1000 : dice.log_between(200, 8000));
  toml.add("friction", dice.between(0, 1));
  if (dice.chance(0.2)) toml.add("velocity", dice.vector(0, 2));
  if (across > 1 || layers > 1) {
    toml.add("repeat", {double(across), double(across), double(layers)});
    toml.add("spacing", Vector3d::Constant(spacing).eval());
    if (dice.chance(0.7)) toml.add("jitter", 0.1 * (spacing - 2 * reach));
  }
  if (dice.chance(0.7)) toml.add("tumble", dice.between(0.1, 3));
  toml.add("seed", dice.seed());
  draft.top += 2.2 * reach + (layers - 1) * spacing + 0.2 * (spacing - 2 * reach);
}

void add_projectile(Draft& draft) {
  Dice& dice = draft.dice;
  const double reach = draft.size * dice.between(0.15, 0.4), height = draft.top * dice.between(0.3, 0.9);
  const double speed = dice.between(5, 40) * draft.size;
  const double away = 2 * draft.width + 2 * draft.size;
  draft.toml.section("[[rigid]]");
  draft.toml.add("name", draft.name("projectile", NameKind::rigid));
  add_shape(draft, reach, false);
  draft.toml.add("position", Vector3d(-away, 0, std::max(height, 1.2 * reach)));
  draft.toml.add("velocity", Vector3d(std::min(speed, 5.0), 0, 0.3));
  draft.toml.add("spin", dice.vector(0, 20));
  draft.toml.add("density", dice.log_between(200, 8000));
}

}  // namespace capstan::scenarios
