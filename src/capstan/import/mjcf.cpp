#include "capstan/import/mjcf.hpp"

#include <algorithm>
#include <charconv>
#include <set>

#include "capstan/body/mass_properties.hpp"
#include "capstan/body/rotation.hpp"
#include "capstan/errors.hpp"
#include "capstan/import/mjcf_model.hpp"
#include "capstan/scene/solids.hpp"

namespace capstan::imports {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxPairs = 2000;  // of bodies with another mu

std::string number_text(double value) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

std::string vector_text(const Eigen::Vector3d& v) {
  return "[" + number_text(v[0]) + ", " + number_text(v[1]) + ", " + number_text(v[2]) + "]";
}

/// A text of TOML.
std::string toml_text(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return result + "\"";
}

/// One line: what a comment can hold.
std::string commented(const std::string& text) {
  std::string result = text;
  for (char& c : result)
    if (static_cast<unsigned char>(c) < ' ' || c == 127) c = ' ';
  return result;
}

/// Volume of the shape as scenes make it, m^3.
double volume_of(const MjcfGeom& geom) {
  SolidSpec spec;
  spec.name = geom.name;
  spec.radius = geom.radius;
  spec.length = geom.length;
  spec.size = geom.size;
  spec.file = geom.file;
  spec.scale = geom.scale;
  using Shape = SolidSpec::Shape;
  spec.shape = geom.shape == "sphere"    ? Shape::sphere
               : geom.shape == "box"     ? Shape::box
               : geom.shape == "capsule" ? Shape::capsule
               : geom.shape == "hull"    ? Shape::hull
                                         : Shape::cylinder;
  return mass_of(spec, make_solid(spec), 1).mass;
}

class SceneText {
 public:
  explicit SceneText(fs::path target) : target_(std::move(target)) {}

  void add(MjcfGeom& geom, bool free) {
    geom.name = unique(geom.name.empty() ? (free ? "body" : "fixed") : geom.name);
    text_ += free ? "\n[[rigid]]\n" : "\n[[obstacle]]\n";
    line("name", toml_text(geom.name));
    line("shape", toml_text(geom.shape));
    if (geom.shape == "box") line("size", vector_text(geom.size));
    if (geom.shape == "sphere" || geom.shape == "capsule" || geom.shape == "cylinder")
      line("radius", number_text(geom.radius));
    if (geom.shape == "capsule" || geom.shape == "cylinder") line("length", number_text(geom.length));
    if (geom.shape == "hull") {
      line("file",
           toml_text(
               fs::absolute(geom.file).lexically_normal().lexically_proximate(target_).generic_string()));
      if (geom.scale != 1) line("scale", number_text(geom.scale));
    }
    if (!geom.pose.x.isZero(0)) line("position", vector_text(geom.pose.x));
    if (const Eigen::Vector3d turn = rotation_log(geom.pose.R); turn.norm() > 1e-15)
      line("rotation", vector_text(turn));
    if (free) line("density", number_text(geom.mass > 0 ? geom.mass / volume_of(geom) : geom.density));
    line("friction", number_text(geom.mu));
  }

  void line(const std::string& key, const std::string& value) { text_ += key + " = " + value + "\n"; }
  void raw(const std::string& text) { text_ += text; }
  const std::string& text() const { return text_; }

 private:
  std::string unique(const std::string& wanted) {
    std::string name = wanted;
    for (int copy = 2; !names_.insert(name).second; ++copy) name = wanted + "_" + std::to_string(copy);
    return name;
  }

  fs::path target_;
  std::string text_;
  std::set<std::string> names_;
};

/// Scenes take the geometric mean of two mu, MuJoCo the larger one. What is fixed never meets what is fixed.
std::string friction_tables(const MjcfModel& model, std::vector<ImportNote>& notes) {
  std::string text;
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < model.free.size(); ++i) {
    std::vector<const MjcfGeom*> others;
    for (std::size_t j = i + 1; j < model.free.size(); ++j) others.push_back(&model.free[j]);
    for (const MjcfGeom& fixed : model.fixed) others.push_back(&fixed);
    for (const MjcfGeom* other : others) {
      if (other->mu == model.free[i].mu || ++pairs > kMaxPairs) continue;
      text += "\n[[friction]]\nbetween = [" + toml_text(model.free[i].name) + ", " + toml_text(other->name) +
              "]\nmu = " + number_text(std::max(other->mu, model.free[i].mu)) + "\n";
    }
  }
  if (pairs > kMaxPairs)
    notes.push_back({1, int(pairs - kMaxPairs),
                     "pairs with two different mu beyond the first 2000 get their "
                     "geometric mean, not the larger one"});
  return text;
}

}  // namespace

ImportedScene scene_from_mjcf(std::string_view xml, const std::string& name, const fs::path& folder,
                              const fs::path& target) {
  MjcfModel model = read_mjcf(xml, name, folder);
  if (model.free.empty()) throw InputError(name + ": has no body with a free joint that can be kept");
  SceneText bodies(fs::absolute(target / ".").lexically_normal());
  for (MjcfGeom& geom : model.fixed) bodies.add(geom, false);
  for (MjcfGeom& geom : model.free) bodies.add(geom, true);
  const std::string friction = friction_tables(model, model.notes);

  SceneText scene(target);
  scene.raw("# From " + commented(fs::path(name).filename().string()) + ", by 'capstan import'.\n");
  if (!model.notes.empty()) scene.raw("#\n# Not in this scene:\n");
  for (const ImportNote& note : model.notes)
    scene.raw("#   line " + std::to_string(note.line) + ": " + commented(note.text) +
              (note.times > 1 ? " (" + std::to_string(note.times) + " times)" : "") + "\n");
  scene.line("title", toml_text(model.title.empty() ? fs::path(name).stem().string() : model.title));
  scene.raw("\n[simulation]\n");
  scene.line("duration", "2");
  scene.line("dt", number_text(model.timestep));
  if (model.timestep < 1e-6) scene.line("dt_min", number_text(model.timestep));
  scene.line("gravity", vector_text(model.gravity));
  return {scene.text() + bodies.text() + friction, int(model.free.size()), int(model.fixed.size()),
          std::move(model.notes)};
}

}  // namespace capstan::imports
