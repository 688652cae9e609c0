#include "capstan/scene/starter.hpp"

namespace capstan {
namespace {

constexpr const char* kScene = R"(
# Units are SI: metres, seconds, kilograms, newtons, radians. z is up.
# docs/scene.md explains every key; 'capstan check FILE' tells what is wrong, with line and column.

[simulation]
duration = 2           # s
fps = 25               # frames kept per second
dt = 2e-3              # s; the largest step, shortened where needed
tolerance = 1e-4       # of the contact solve

# A material starts from a built-in one (hair_straight, hair_wavy, hair_curly, spaghetti, nylon, suture,
# suture_silk, rope, elastomer, nitinol, cotton_thread); every number can be replaced.
[[material]]
name = "hair"
preset = "hair_wavy"
collision_radius = 1.5e-3    # each strand stands for a wisp
friction = 0.3

[[obstacle]]
name = "floor"
shape = "plane"              # normal up; also sphere, capsule, box, cylinder, mesh, head, shoulders, bust

[[obstacle]]
name = "ball"
shape = "sphere"
radius = 0.1
position = [0, 0, 0.4]
keys = [                     # poses relative to the start, smooth in between
  { t = 0.5 },
  { t = 1.0, rotation = [0, 0, 1.5] },
  { t = 1.5, rotation = [0, 0, -0.5] },
]

# Hair that grows on the ball and moves with it.
[[groom]]
name = "hairdo"
model = "super_helix"        # also mass_spring, corde, discrete_elastic
material = "hair"
on = "ball"
count = 30
elements = 6
length = 0.2
seed = 1

# A single strand beside it, held at its root, that hangs down to the floor.
[[strand]]
name = "string"
model = "discrete_elastic"
material = "nylon"
elements = 30
shape = "line"
start = [0.4, 0, 0.3]
direction = [1, 0, 0]
length = 0.4
[strand.root]
hold = "clamped"

# Friction of a pair is the geometric mean of both unless it is given.
[[friction]]
between = ["hair", "ball"]
mu = 0.5
)";

/// As a TOML text.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') result += '\\';
    if (static_cast<unsigned char>(letter) >= ' ') result += letter;
  }
  return result + "\"";
}

}  // namespace

std::string starter_scene(const std::string& title) { return "title = " + quoted(title) + "\n" + kScene; }

}  // namespace capstan
