#include <cmath>

#include "bench/scenarios/grammar.hpp"

namespace capstan::scenarios {
namespace {

using Eigen::Vector3d;

void add_common(Draft& draft, double height) {
  Dice& dice = draft.dice;
  draft.toml.add("position", Vector3d(dice.between(-0.1, 0.1) * draft.size, 0, height));
  if (dice.chance(0.4)) draft.toml.add("friction", dice.between(0, 1));
  if (dice.chance(0.15)) draft.toml.add("velocity", dice.vector(0, 1));
}

}  // namespace

void add_cloth(Draft& draft) {
  Dice& dice = draft.dice;
  TomlText& toml = draft.toml;
  const double side = draft.size * dice.between(1, 3), other = side * dice.between(0.5, 1);
  int cells = dice.count(6, 14);
  if (draft.large) cells *= 2;
  if (draft.groups > 2) cells = std::max(6, cells / 2);
  const int other_cells = std::max(3, int(cells * other / side));
  const double edge = side / cells, z = draft.top + 0.1 * draft.size;
  toml.section("[[cloth]]");
  toml.add("name", draft.name("cloth", NameKind::soft));
  toml.add("size", {side, other});
  toml.add("cells", {double(cells), double(other_cells)});
  if (dice.chance(0.4)) toml.add("model", "mass_spring");
  double tilt = 0;
  if (dice.chance(0.3)) {
    tilt = dice.between(0.1, 1.2);
    toml.add("rotation", Vector3d(tilt, 0, 0));
  }
  const double rise = 0.5 * other * std::sin(tilt);
  add_common(draft, z + rise);
  if (edge < 6e-3) toml.add("thickness", 0.2 * edge);  // the default is 2 mm
  if (dice.chance(0.5)) toml.add("density", dice.between(0.05, 0.5));
  if (dice.chance(0.5)) toml.add("stretch", dice.log_between(50, 2000));
  if (dice.chance(0.5)) toml.add("bending", dice.log_between(1e-7, 1e-4));
  if (tilt == 0 && dice.chance(0.35)) {
    toml.section("[[cloth.hold]]");
    const double half = 0.5 * side, far = 10 * side;
    toml.add("low", Vector3d(-far, -far, z - 0.1 * edge));
    toml.add("high", Vector3d(-half + 0.1 * draft.size + 0.4 * edge, far, z + 0.1 * edge));
    if (dice.chance(0.6)) toml.add_lines(motion_lines(draft, 0.5 * draft.size));
  }
  draft.top = z + 2 * rise + 0.1 * draft.size + (draft.groups > 1 ? 4e-3 : 0);
}

void add_soft(Draft& draft) {
  Dice& dice = draft.dice;
  TomlText& toml = draft.toml;
  const int count = dice.count(1, draft.groups > 1 ? 2 : 4);
  for (int k = 0; k < count; ++k) {
    const double radius = draft.size * dice.between(0.3, 0.7);
    toml.section("[[soft]]");
    toml.add("name", draft.name("soft", NameKind::soft));
    double half = radius;
    if (dice.chance(0.5)) {
      toml.add("shape", "ball");
      toml.add("radius", radius);
      toml.add("cell", radius / dice.between(1.5, draft.large ? 3.5 : 2.5));
    } else {
      const Vector3d size =
          radius * Vector3d{dice.between(0.8, 2), dice.between(0.6, 1.5), dice.between(0.4, 1.2)};
      const double cell = size.maxCoeff() / dice.count(2, draft.large ? 8 : 5);
      toml.add("shape", "box");
      toml.add("size", size);
      toml.add("cells", {std::ceil(size[0] / cell), std::ceil(size[1] / cell), std::ceil(size[2] / cell)});
      half = 0.5 * size.norm();
    }
    if (dice.chance(0.4)) toml.add("model", "neo_hookean");
    // Soft to the touch of its own weight: the larger, the stiffer.
    toml.add("young", 1000 * 9.81 * draft.size * dice.log_between(10, 1000));
    if (dice.chance(0.5)) toml.add("poisson", dice.between(0, 0.45));
    add_common(draft, draft.top + half + 0.1 * draft.size);
    if (dice.chance(0.5)) toml.add("rotation", dice.vector(0, 3));
    draft.top += 2 * half + 0.2 * draft.size;
  }
}

}  // namespace capstan::scenarios
