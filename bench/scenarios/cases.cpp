#include <functional>

#include "bench/scenarios/closed_meshes.hpp"
#include "bench/scenarios/scenario.hpp"
#include "bench/scenarios/toml_text.hpp"
#include "capstan/errors.hpp"
#include "capstan/scene/starter.hpp"

namespace capstan::scenarios {
namespace {

/// 20 soft rods fall into a bowl, two balls and a cloth on top of them.
Scenario pasta() {
  Scenario scenario{"pasta",
                    R"(title = "Pasta in a bowl, meatballs and a napkin"

[simulation]
duration = 1.2
dt = 2e-3

[[obstacle]]
name = "floor"
shape = "plane"

[[obstacle]]
name = "bowl"
shape = "mesh"
file = "pasta_bowl.obj"
position = [0, 0, 0.13]

[[material]]
name = "pasta"
radius = 2e-3
density = 1200
young = 2e5
poisson = 0.4
friction = 0.3

[[bundle]]
name = "noodles"
model = "discrete_elastic"
material = "pasta"
count = 20
elements = 16
length = 0.2
center = [0, 0, 0.16]
spacing = 2e-3
tilt = 0.05

[[rigid]]
name = "meatball"
shape = "sphere"
radius = 0.02
position = [-0.03, 0, 0.22]
repeat = [2, 1, 1]
spacing = [0.06, 0, 0]

[[cloth]]
name = "napkin"
size = [0.2, 0.2]
cells = [16, 16]
position = [0, 0, 0.27]
)",
                    {},
                    {}};
  scenario.files["pasta_bowl.obj"] = bowl_obj(0.12, 8e-3, 0.1);
  return scenario;
}

/// Bricks, balls and rods that are dropped on a floor.
Scenario pile() {
  return {"pile",
          R"(title = "27 bricks, 8 balls and 12 rods dropped on a floor"

[simulation]
duration = 1.2
dt = 4e-3

[[obstacle]]
name = "floor"
shape = "plane"

[[rigid]]
name = "brick"
shape = "box"
size = [0.1, 0.06, 0.03]
position = [-0.12, -0.08, 0.1]
repeat = [3, 3, 3]
spacing = [0.12, 0.08, 0.08]
jitter = 5e-3
tumble = 0.5
density = 1800

[[rigid]]
name = "ball"
shape = "sphere"
radius = 0.03
position = [-0.05, -0.05, 0.42]
repeat = [2, 2, 2]
spacing = [0.1, 0.1, 0.08]
jitter = 5e-3

[[material]]
name = "rod_material"
radius = 4e-3
density = 1000
young = 1e7
poisson = 0.4

[[bundle]]
name = "rods"
material = "rod_material"
count = 12
length = 0.25
center = [0, 0, 0.62]
spacing = 6e-3
tilt = 0.02
)",
          {},
          {}};
}

/// A cloth over nine boxes, with so many squares along each side.
Scenario cloth_over_boxes(int cells) {
  TomlText toml;
  toml.title("A cloth over nine boxes");
  toml.section("[simulation]");
  toml.add("duration", 0.6);
  toml.add("dt", 4e-3);
  toml.section("[[obstacle]]");
  toml.add("name", "floor");
  toml.add("shape", "plane");
  for (int k = 0; k < 9; ++k) {
    toml.section("[[obstacle]]");
    toml.add("name", "box_" + std::to_string(k + 1));
    toml.add("shape", "box");
    toml.add("size", {0.12, 0.12, 0.1});
    toml.add("position", {0.25 * (k % 3 - 1), 0.25 * (k / 3 - 1), 0.05});
  }
  toml.section("[[cloth]]");
  toml.add("name", "cloth");
  toml.add("size", {0.8, 0.8});
  toml.add("cells", {double(cells), double(cells)});
  toml.add("position", {0, 0, 0.12});
  return {"cloth" + std::to_string(cells + 1), toml.text(), {}, {}};
}

/// Hair on a ball that a rigid ball hits.
Scenario hair_ball() {
  return {"hair_ball",
          R"(title = "150 hairs on a ball, hit by a rigid ball at 4 m/s"

[simulation]
duration = 0.6
dt = 2e-3

[[material]]
name = "hair"
preset = "hair_wavy"
collision_radius = 1.5e-3

[[obstacle]]
name = "head"
shape = "sphere"
radius = 0.1
position = [0, 0, 0.4]

[[groom]]
name = "hairdo"
material = "hair"
on = "head"
count = 150
elements = 8
length = 0.2

[[rigid]]
name = "projectile"
shape = "sphere"
radius = 0.04
position = [-0.5, 0, 0.4]
velocity = [4, 0, 0.5]
)",
          {},
          {}};
}

/// The starter scene with the changes that the README makes to it.
Scenario curls() { return {"curls", starter_scene("curls"), {}, {{"groom.0.count", "100"}}}; }

struct Case {
  std::string name;
  std::function<Scenario()> make;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all{{"pasta", pasta},
                                     {"pile", pile},
                                     {"cloth61", [] { return cloth_over_boxes(60); }},
                                     {"cloth121", [] { return cloth_over_boxes(120); }},
                                     {"hair_ball", hair_ball},
                                     {"curls", curls}};
  return all;
}

}  // namespace

std::vector<std::string> case_names() {
  std::vector<std::string> names;
  for (const Case& each : cases()) names.push_back(each.name);
  return names;
}

Scenario case_scenario(const std::string& name) {
  std::string known;
  for (const Case& each : cases()) {
    if (each.name == name) return each.make();
    known += (known.empty() ? "" : ", ") + each.name;
  }
  throw InputError("--case: is '" + name + "', expected one of " + known);
}

}  // namespace capstan::scenarios
