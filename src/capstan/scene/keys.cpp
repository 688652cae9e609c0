#include "capstan/scene/keys.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace capstan {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
const KeyRange kAny{};
const KeyRange kPositive{0, kInfinity, false};
const KeyRange kNotNegative{0, kInfinity};
const KeyRange kFraction{0, 1};
const KeyRange kCount{1, 1e6};
const std::vector<std::string> kModels{"super_helix", "mass_spring", "corde", "discrete_elastic"};
const std::vector<std::string> kAxes{"x", "y", "z"};

std::vector<KeyInfo> top_keys() {
  return {
      {"scene", "title", "text", "", "\"\"", "One line for summaries"},
      {"scene", "simulation", "table", "", "its defaults", "Time and solver"},
      {"scene", "material", "tables", "", "none", "Materials beside the built-in ones"},
      {"scene", "friction", "tables", "", "none", "Friction of pairs"},
      {"scene", "strand", "tables", "", "none", "Single strands"},
      {"scene", "groom", "tables", "", "none", "Hair on an obstacle, grown or from a file"},
      {"scene", "bundle", "tables", "", "none", "Rods side by side"},
      {"scene", "rigid", "tables", "", "none", "Rigid bodies that move freely"},
      {"scene", "cloth", "tables", "", "none", "Sheets of cloth"},
      {"scene", "soft", "tables", "", "none", "Soft solids"},
      {"scene", "obstacle", "tables", "", "none", "Rigid things, still or moving as told"},
  };
}

std::vector<KeyInfo> simulation_keys() {
  return {
      {"simulation", "duration", "number", "s", "1", "Time to simulate", kPositive},
      {"simulation", "fps", "number", "1/s", "25", "Frames kept per second", kPositive},
      {"simulation", "dt", "number", "s", "0.001", "Time step; the largest one if adaptive", kPositive},
      {"simulation", "dt_min", "number", "s", "1e-6", "Floor of the adaptive time step, not above dt",
       kPositive},
      {"simulation", "adaptive", "boolean", "", "true", "Shorten steps when motion is fast or contact hard"},
      {"simulation", "theta", "number", "", "1", "Implicitness: 1 implicit Euler, 0.5 trapezoidal", {0.5, 1}},
      {"simulation", "gravity", "3 numbers", "m/s^2", "[0, 0, -9.81]", "Acceleration; z is up"},
      {"simulation", "air", "3 numbers", "m/s", "[0, 0, 0]", "Velocity of the air"},
      {"simulation", "tolerance", "number", "", "1e-4", "Of the contact solve, on the certificate's error",
       kPositive},
      {"simulation", "solver", "text", "", "\"auto\"", "A name that `capstan solvers` lists"},
      {"simulation",
       "max_sweeps",
       "integer",
       "",
       "0",
       "Of the solver in a step, whatever the error is then, as programs with a fixed budget do; 0: as many "
       "as it takes",
       {0, 1e9}},
      {"simulation", "warm_start", "boolean", "", "true",
       "Begin each solve with the impulses of the last step"},
      {"simulation",
       "start",
       "text",
       "",
       "\"untangle\"",
       "What happens to overlaps before t = 0: they are moved apart, or stay as they are",
       kAny,
       {"untangle", "as_is"}},
      {"simulation", "threads", "integer", "", "0", "0: one a core", {0, 1024}},
  };
}

std::vector<KeyInfo> material_keys() {
  return {
      {"material", "name", "text", "", "required", "What strands refer to"},
      {"material", "preset", "text", "", "none", "Built-in material to start from"},
      {"material", "radius", "number", "m", "the preset's", "Of a round section", kPositive},
      {"material", "semi_axes", "2 numbers", "m", "the preset's",
       "Of an elliptic section, along the first and the second normal; instead of radius", kPositive},
      {"material", "density", "number", "kg/m^3", "the preset's", "Mass per volume", kPositive},
      {"material", "young", "number", "Pa", "the preset's", "Young's modulus E", kPositive},
      {"material", "shear", "number", "Pa", "the preset's", "Shear modulus G", kPositive},
      {"material",
       "poisson",
       "number",
       "",
       "the preset's",
       "G = E / (2 (1 + poisson)); instead of shear",
       {-1, 0.5, false}},
      {"material", "linear_density", "number", "kg/m", "from density", "Mass per length", kPositive},
      {"material", "bending", "number or 2 numbers", "N m^2", "from young",
       "Bending stiffness about the first and the second normal", kPositive},
      {"material", "twisting", "number", "N m^2", "from shear", "Twisting stiffness", kPositive},
      {"material", "stretching", "number", "N", "from young", "Stretching stiffness", kPositive},
      {"material", "internal_damping", "number", "s", "the preset's, or 0.001",
       "Rayleigh damping: force = -internal_damping K v", kNotNegative},
      {"material", "air_drag", "number", "kg/(m s)", "the preset's, or 0",
       "Drag force per length and velocity relative to the air", kNotNegative},
      {"material", "friction", "number", "", "the preset's, or 0.3", "Coulomb's mu against itself",
       kNotNegative},
      {"material", "collision_radius", "number", "m", "the radius",
       "Radius for contacts; a guide hair stands for a wisp and may be thicker", kPositive},
      {"material", "natural_curvature", "3 numbers", "1/m", "the preset's, or [0, 0, 0]",
       "Twist rate, then curvature about the first and the second normal, of the rod at rest"},
  };
}

std::vector<KeyInfo> friction_keys() {
  return {
      {"friction", "between", "2 texts", "", "required",
       "Names of materials, strands, grooms, bundles, rigid bodies or obstacles; twice the same: among its "
       "own"},
      {"friction", "mu", "number", "", "required", "Coulomb's mu of the pair", kNotNegative},
      {"friction", "restitution", "number", "", "0", "Speed after an impact over that before it", kFraction},
      {"friction", "spin", "number", "m", "0",
       "Torque about the normal over the normal force, at most; between solids only", kNotNegative},
      {"friction", "spin_isotropic", "number", "m", "spin",
       "With matchstick, where structures are at right angles", kNotNegative},
      {"friction",
       "model",
       "text",
       "",
       "\"isotropic\"",
       "How the structures of the surfaces count (docs/friction.md)",
       kAny,
       {"isotropic", "matchstick", "ellipse", "one_sided"}},
      {"friction", "along", "number", "", "required by matchstick and ellipse",
       "mu along the structure: of parallel structures (matchstick), of one body's (ellipse)", kNotNegative},
      {"friction", "with", "number", "", "required by one_sided",
       "mu of what slides the way the structure points (a strand's: from root to tip)", kNotNegative},
      {"friction", "against", "number", "", "required by one_sided", "mu of what slides the other way",
       kNotNegative},
      {"friction", "across", "number", "", "required unless isotropic", "mu across it", kNotNegative},
      {"friction",
       "missing_grain",
       "text",
       "",
       "\"other_decides\"",
       "Where one body has no structure: that of the other decides, or mu holds",
       kAny,
       {"other_decides", "isotropic"}},
      {"friction",
       "grain_of",
       "text",
       "",
       "\"first\"",
       "Whose structure an ellipse or one_sided follows, of the two names; the other's where it has none",
       kAny,
       {"first", "second"}},
      {"friction", "adhesion", "table", "", "none", "How the pair sticks (docs/adhesion.md)"},
      {"adhesion", "stiffness", "number", "N/m^3", "required", "C: traction over distance at full intensity",
       kPositive},
      {"adhesion", "tangential", "number", "", "1", "The part of it that holds along the surface",
       kNotNegative},
      {"adhesion", "energy", "number", "J/m^2", "required", "W: bonds decay where C g^2 beta exceeds it",
       kNotNegative},
      {"adhesion", "viscosity", "number", "J s/m^2", "required", "eta: how slowly they do", kPositive},
      {"adhesion", "bonding_rate", "number", "1/(Pa s)", "0", "r: how fast pressure makes bonds",
       kNotNegative},
      {"adhesion", "saturation", "number", "Pa", "0",
       "p0: a pressure p makes no bonds beyond the intensity p/p0; 0: up to 1", kNotNegative},
      {"adhesion", "debond_gap", "number", "m", "required", "What is further apart lets go", kPositive},
      {"adhesion", "initial", "number", "", "0", "Intensity of what touches at the start", kFraction},
      {"adhesion",
       "steps",
       "text",
       "",
       "\"exponential\"",
       "How the intensity is stepped: exactly at a held pressure and gap, or by Euler's explicit rule",
       kAny,
       {"exponential", "euler"}},
      {"adhesion",
       "coupling",
       "text",
       "",
       "\"rcc\"",
       "With friction: springs beside a cone of mu (1 - beta), or by axis the smaller of spring and friction",
       kAny,
       {"rcc", "box"}},
  };
}

std::vector<KeyInfo> common_strand_keys() {
  return {
      {"rods", "name", "text", "", "the section and a number", "What [[friction]] refers to"},
      {"rods", "model", "text", "", "\"super_helix\"", "Rod model", kAny, kModels},
      {"rods", "material", "text", "", "required", "A [[material]] or a built-in one"},
      {"rods", "elements", "integer", "", "10", "Pieces each strand is cut into", {1, 10000}},
      {"rods",
       "rest",
       "text",
       "",
       "\"material\"",
       "Shape without stress: straight, as the material or natural_curvature says, or as given at the start",
       kAny,
       {"material", "straight", "as_given"}},
      {"rods", "natural_curvature", "3 numbers", "1/m", "the material's", "As in [[material]]"},
      {"rods", "collision_radius", "number", "m", "the material's", "Radius for contacts", kPositive},
      {"rods", "self_contact", "boolean", "", "true; false for grooms", "Whether a strand can touch itself"},
      {"rods", "skip_root", "number", "m", "0; 0.01 for grooms",
       "Length next to the root that meets only strands farther from their own root", kNotNegative},
  };
}

std::vector<KeyInfo> strand_keys() {
  return {
      {"strand",
       "shape",
       "text",
       "",
       "\"points\" if there are points, else \"line\"",
       "How the strand lies at the start",
       kAny,
       {"points", "line", "natural", "arc", "helix", "wrap", "overhand_knot"}},
      {"strand", "points", "list of 3 numbers", "m", "required for points", "Corners of the centre line"},
      {"strand", "start", "3 numbers", "m", "[0, 0, 0]", "Place of the root; of the axis for wrap"},
      {"strand", "direction", "3 numbers", "", "[1, 0, 0]",
       "Tangent at the root; for a helix its axis, for a knot and a wrap that of the first tail"},
      {"strand", "normal", "3 numbers", "", "any",
       "First material normal at the root; an arc turns towards it, a wrap goes round it"},
      {"strand", "length", "number", "m", "required but for points and wrap", "Along the strand", kPositive},
      {"strand", "radius", "number", "m", "required for arc, helix, wrap, overhand_knot",
       "Of the centre line: of the arc, helix, wrap or loop", kPositive},
      {"strand", "pitch", "number", "m", "0", "Advance along the axis per turn, of a helix or wrap"},
      {"strand", "angle", "number", "rad", "required for wrap", "How far it is wrapped around", kPositive},
      {"strand", "tails", "2 numbers", "m", "required for wrap", "Straight lengths before and after",
       kPositive},
      {"strand", "twist", "number", "rad", "0", "Material twist from root to tip at the start"},
      {"strand", "root", "table", "", "free", "What holds the start"},
      {"strand", "tip", "table", "", "free", "What holds the end"},
      {"strand", "load", "tables", "", "none", "Forces that keep their direction"},
      {"load", "at", "number", "", "1", "Where, as a part of the length: 0 root, 1 tip", kFraction},
      {"load", "force", "3 numbers", "N", "required", "Force"},
      {"end",
       "hold",
       "text",
       "",
       "\"clamped\"",
       "A clamp holds place and direction, a pin the place",
       kAny,
       {"free", "pinned", "clamped"}},
      {"motion", "follow", "text", "", "none", "Obstacle that carries it along"},
      {"motion",
       "interpolation",
       "text",
       "",
       "\"smooth\"",
       "Smooth comes to rest at every key",
       kAny,
       {"smooth", "linear"}},
      {"motion", "keys", "tables", "", "none", "Where it is at given times, relative to the start"},
      {"motion", "oscillation", "tables", "", "none", "What swings on top of the keys"},
      {"keys", "t", "number", "s", "required", "Time, increasing from key to key"},
      {"keys", "x", "3 numbers", "m", "[0, 0, 0]", "Displacement"},
      {"keys", "rotation", "3 numbers", "rad", "[0, 0, 0]", "Rotation vector, world axes"},
      {"oscillation", "frequency", "number", "Hz", "required", "Of sin(2 pi frequency (t - start) + phase)",
       kPositive},
      {"oscillation", "phase", "number", "rad", "0", "At the start"},
      {"oscillation", "translation", "3 numbers", "m", "[0, 0, 0]", "Amplitude"},
      {"oscillation", "rotation", "3 numbers", "rad", "[0, 0, 0]", "Amplitude, a rotation vector"},
      {"oscillation", "start", "number", "s", "0", "At rest before", kNotNegative},
  };
}

std::vector<KeyInfo> groom_keys() {
  return {
      {"groom", "on", "text", "", "required unless file", "Obstacle that carries the roots", kAny},
      {"groom", "count", "integer", "", "required unless file", "Number of strands", kCount},
      {"groom", "length", "number", "m", "0.25", "Of the strands", kPositive},
      {"groom", "length_spread", "number", "", "0.1", "Lengths vary by up to this part", {0, 0.9}},
      {"groom",
       "hairline_front",
       "number",
       "rad",
       "1",
       "Angle from the top to the hairline above the face (+y)",
       {0, kPi}},
      {"groom", "hairline_back", "number", "rad", "2", "The same at the nape", {0, kPi}},
      {"groom", "lift", "number", "", "0.5", "1: roots stand upright, 0: they lie flat, combed down",
       kFraction},
      {"groom", "droop", "number", "m", "0.04", "Length over which strands turn down at the start",
       kPositive},
      {"groom",
       "flare",
       "number",
       "rad",
       "0.3",
       "Angle between the ends and the vertical at the start",
       {0, kPi}},
      {"groom", "volume", "number", "m", "0.02", "Thickness of the hair over the scalp at the start",
       kNotNegative},
      {"groom", "curl", "2 numbers", "m", "from the curvature", "Radius and pitch of curls at rest",
       kPositive},
      {"groom", "curl_spread", "number", "", "0.1", "Curvatures vary by up to this part", {0, 0.9}},
      {"groom", "jitter", "number", "", "0.3", "Disorder of roots and directions", kFraction},
      {"groom", "seed", "integer", "", "1", "Of everything random", {0, 9e15}},
      {"groom", "file", "text", "", "none", "A .hair, .data, .obj or .usda file, beside the scene"},
      {"groom", "scale", "number", "m", "1", "Metres per unit of the file; of .usda after its own",
       kPositive},
      {"groom", "up", "text", "", "\"z\"", "The file's axis that points up", kAny, kAxes},
      {"groom", "position", "3 numbers", "m", "[0, 0, 0]", "Where the file's origin goes"},
      {"groom", "limit", "integer", "", "all", "At most so many strands of the file, evenly chosen", kCount},
  };
}

std::vector<KeyInfo> bundle_keys() {
  return {
      {"bundle", "count", "integer", "", "required", "Number of rods", kCount},
      {"bundle", "length", "number", "m", "required", "Of each rod", kPositive},
      {"bundle", "length_spread", "number", "", "0", "Lengths vary by up to this part", {0, 0.9}},
      {"bundle", "center", "3 numbers", "m", "[0, 0, 0]",
       "Middle of the rods; of the roots if they are held"},
      {"bundle", "direction", "3 numbers", "", "[1, 0, 0]", "Of the rods"},
      {"bundle", "spacing", "number", "m", "0", "Gap between neighbours of the hexagonal packing",
       kNotNegative},
      {"bundle", "tilt", "number", "rad", "0", "Largest random angle to the direction", {0, kPi / 2}},
      {"bundle",
       "spread",
       "number",
       "rad",
       "0",
       "Angle to the direction at the rim, fanning out",
       {0, kPi / 2}},
      {"bundle", "bend", "number", "1/m", "0", "Curvature at the start, upwards"},
      {"bundle", "droop", "number", "m", "none: straight", "Length over which held rods turn down",
       kPositive},
      {"bundle", "seed", "integer", "", "1", "Of everything random", {0, 9e15}},
      {"bundle", "root", "table", "", "free", "What holds the roots"},
  };
}

std::vector<KeyInfo> solid_keys() {
  return {
      {"solid", "name", "text", "", "the section and a number", "What others refer to"},
      {"solid",
       "shape",
       "text",
       "",
       "required",
       "Axes of capsule and cylinder, normal of a plane: z",
       kAny,
       {"plane", "sphere", "capsule", "box", "cylinder", "hull", "mesh", "head", "shoulders", "bust"}},
      {"solid", "position", "3 numbers", "m", "[0, 0, 0]",
       "Of the middle; of a point of a plane; of the base of the neck for head, shoulders and bust"},
      {"solid", "rotation", "3 numbers", "rad", "[0, 0, 0]", "Rotation vector"},
      {"solid", "normal", "3 numbers", "", "[0, 0, 1]", "Of a plane, instead of rotation"},
      {"solid", "radius", "number", "m", "required for sphere, capsule, cylinder", "Radius", kPositive},
      {"solid", "length", "number", "m", "required for capsule, cylinder",
       "Of the axis; a capsule has two half spheres beyond", kPositive},
      {"solid", "size", "3 numbers", "m", "required for box", "Whole lengths of the sides", kPositive},
      {"solid", "file", "text", "", "required for mesh; for hull unless points",
       "A .obj file beside the scene: a closed triangle mesh, or the points of a hull"},
      {"solid", "points", "list of 3 numbers", "m", "none",
       "Of a hull: the smallest convex solid around them"},
      {"solid", "scale", "number", "m", "1",
       "Metres per unit of a mesh or hull; factor of a head, shoulders or bust", kPositive},
      {"solid", "up", "text", "", "\"z\"", "The file's axis that points up", kAny, kAxes},
      {"solid", "structure", "table", "", "none", "Grain of the surface"},
      {"obstacle", "friction", "number", "", "that of what touches it", "Coulomb's mu", kNotNegative},
  };
}

std::vector<KeyInfo> rigid_keys() {
  return {
      {"rigid", "density", "number", "kg/m^3", "1000", "Mass per volume", kPositive},
      {"rigid", "friction", "number", "", "0.5", "Coulomb's mu against itself", kNotNegative},
      {"rigid", "velocity", "3 numbers", "m/s", "[0, 0, 0]", "At the start"},
      {"rigid", "spin", "3 numbers", "rad/s", "[0, 0, 0]", "Angular velocity at the start, world axes"},
      {"rigid", "repeat", "3 numbers", "", "[1, 1, 1]", "Copies along x, y and z", kCount},
      {"rigid", "spacing", "3 numbers", "m", "required with repeat", "Between the middles of the copies"},
      {"rigid", "jitter", "number", "m", "0", "Largest random shift of a copy along each axis", kNotNegative},
      {"rigid", "tumble", "number", "rad", "0", "Largest random turn of a copy", {0, kPi}},
      {"rigid", "seed", "integer", "", "1", "Of everything random", {0, 9e15}},
  };
}

std::vector<KeyInfo> structure_keys() {
  return {
      {"structure",
       "kind",
       "text",
       "",
       "required",
       "Constant; swept about an axis (along, away from, around it, or any direction); on a plane towards or "
       "away from a line, or from side to side; painted, on a plane or by the texture coordinates of a mesh; "
       "given at the vertices of a mesh",
       kAny,
       {"constant", "axial", "radial", "concentric", "sweep", "channel", "spread", "slalom", "texture",
        "mesh_texture", "vertices"}},
      {"structure", "direction", "3 numbers", "", "required for constant, sweep",
       "In the frame of the body; for a sweep at the reference"},
      {"structure", "axis", "3 numbers", "", "[0, 0, 1]", "Of axial, radial, concentric, sweep"},
      {"structure", "reference", "3 numbers", "m", "required for sweep", "A point off the axis"},
      {"structure", "origin", "3 numbers", "m", "[0, 0, 0]",
       "A point of the axis or of the centre line; the lower left corner of a texture"},
      {"structure", "x", "3 numbers", "", "[1, 0, 0]; required for texture",
       "Where things slide to; the width of a texture (m)"},
      {"structure", "y", "3 numbers", "", "[0, 1, 0]; required for texture",
       "Sideways; the height of a texture (m)"},
      {"structure",
       "angle",
       "number",
       "rad",
       "required for channel, spread, slalom",
       "Largest, between structure and x",
       {0, kPi / 2}},
      {"structure", "width", "number", "m", "0", "Of channel, spread: where the angle is reached",
       kNotNegative},
      {"structure", "wavelength", "number", "m", "required for slalom", "Along x", kPositive},
      {"structure", "file", "text", "", "required for texture, mesh_texture; for vertices unless directions",
       "Beside the scene. A .png: red and green are the direction, grey none. Of vertices a text: three "
       "numbers for each"},
      {"structure", "directions", "list of 3 numbers", "", "none",
       "Of vertices: one for each, in the order and the axes of the mesh's file; zero: no structure there"},
      {"structure", "repeat", "boolean", "", "true", "Whether a texture begins again at its border"},
  };
}

std::string number_text(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.6g", value);
  return buffer;
}

const SectionInfo* find_section(std::string_view name) {
  for (const SectionInfo& section : scene_sections())
    if (section.name == name) return &section;
  return nullptr;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string table_row(const KeyInfo& key) {
  std::string type = key.type + key.range.text();
  if (!key.unit.empty()) type += ", " + key.unit;
  std::string meaning = key.meaning;
  if (!key.choices.empty()) meaning += ": " + joined(key.choices);
  return "| `" + key.key + "` | " + type + " | " + key.fallback + " | " + meaning + " |\n";
}

}  // namespace

bool KeyRange::contains(double value) const {
  if (!std::isfinite(value)) return false;
  return (low_included ? value >= low : value > low) && (high_included ? value <= high : value < high);
}

std::string KeyRange::text() const {
  const bool has_low = std::isfinite(low), has_high = std::isfinite(high);
  if (!has_low && !has_high) return "";
  const std::string above = (low_included ? " >= " : " > ") + number_text(low);
  const std::string below = (high_included ? "<= " : "< ") + number_text(high);
  if (!has_high) return above;
  if (!has_low) return " " + below;
  return above + " and " + below;
}

const std::vector<SectionInfo>& scene_sections() {
  static const std::vector<SectionInfo> sections{
      {"scene", "(top)", {}, "The file"},
      {"simulation", "[simulation]", {}, "How time passes"},
      {"material", "[[material]]", {}, "What strands are made of"},
      {"friction", "[[friction]]", {}, "Friction of a pair"},
      {"adhesion", "[friction.adhesion]", {}, "How a pair sticks"},
      {"rods", "[[strand]], [[groom]], [[bundle]]", {}, "What every strand has"},
      {"strand", "[[strand]]", {"rods"}, "A single strand"},
      {"groom", "[[groom]]", {"rods"}, "Hair"},
      {"bundle", "[[bundle]]", {"rods"}, "Rods side by side"},
      {"solid", "[[rigid]], [[obstacle]]", {}, "What every rigid thing has"},
      {"rigid", "[[rigid]]", {"solid"}, "A rigid body that moves freely, or many"},
      {"obstacle", "[[obstacle]]", {"solid", "motion"}, "A rigid thing that moves as told"},
      {"deformable", "[[cloth]], [[soft]]", {}, "What cloth and soft solids have"},
      {"cloth", "[[cloth]]", {"deformable"}, "A sheet of cloth"},
      {"soft", "[[soft]]", {"deformable"}, "A soft solid"},
      {"hold", "[[cloth.hold]], [[soft.hold]]", {"motion"}, "What holds nodes"},
      {"structure", "[rigid.structure], [obstacle.structure] ...", {}, "Grain of a surface"},
      {"motion",
       "[[obstacle]], [strand.root], [strand.tip], [bundle.root], [[cloth.hold]]",
       {},
       "Scripted motion"},
      {"end", "[strand.root], [strand.tip], [bundle.root]", {"motion"}, "What holds an end"},
      {"keys", "[[obstacle.keys]], [[strand.root.keys]] ...", {}, "A pose at a time"},
      {"oscillation", "[[obstacle.oscillation]], [[strand.root.oscillation]] ...", {}, "A swing"},
      {"load", "[[strand.load]]", {}, "A dead load"},
  };
  return sections;
}

const std::vector<KeyInfo>& scene_keys() {
  static const std::vector<KeyInfo> keys = [] {
    std::vector<KeyInfo> all;
    for (const auto& part : {top_keys(), simulation_keys(), material_keys(), friction_keys(),
                             common_strand_keys(), strand_keys(), groom_keys(), bundle_keys(), solid_keys(),
                             rigid_keys(), soft_keys(), structure_keys()})
      all.insert(all.end(), part.begin(), part.end());
    return all;
  }();
  return keys;
}

const KeyInfo* find_key(std::string_view section, std::string_view key) {
  for (const KeyInfo& info : scene_keys())
    if (info.section == section && info.key == key) return &info;
  if (const SectionInfo* info = find_section(section))
    for (const std::string& base : info->bases)
      if (const KeyInfo* found = find_key(base, key)) return found;
  return nullptr;
}

std::vector<std::string> keys_of(std::string_view section) {
  std::vector<std::string> names;
  for (const KeyInfo& info : scene_keys())
    if (info.section == section) names.push_back(info.key);
  if (const SectionInfo* info = find_section(section))
    for (const std::string& base : info->bases)
      for (const std::string& name : keys_of(base)) names.push_back(name);
  return names;
}

std::string key_tables() {
  std::string text;
  for (const SectionInfo& section : scene_sections()) {
    text += "### " + section.name + "\n\n" + section.meaning + ": `" + section.header + "`";
    for (const std::string& base : section.bases) text += ", with the keys of *" + base + "*";
    text += ".\n\n| key | type | default | meaning |\n|---|---|---|---|\n";
    for (const KeyInfo& key : scene_keys())
      if (key.section == section.name) text += table_row(key);
    text += "\n";
  }
  return text;
}

}  // namespace capstan
