#include "capstan/import/mjcf_model.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <pugixml.hpp>
#include <set>

#include "capstan/body/rotation.hpp"
#include "capstan/errors.hpp"

namespace capstan::imports {
namespace {

using Numbers = std::vector<double>;
using Attributes = std::map<std::string, std::string>;

constexpr int kDeepest = 200;  // bodies within bodies

/// Attributes that are read, by element. What says how something looks is passed over without a note.
const std::map<std::string, std::set<std::string>>& known_attributes() {
  static const std::set<std::string> place{"name",      "class", "pos",    "quat",
                                           "axisangle", "euler", "xyaxes", "zaxis"};
  static const auto with = [](std::set<std::string> more) {
    more.insert(place.begin(), place.end());
    return more;
  };
  static const std::map<std::string, std::set<std::string>> known{
      {"mujoco", {"model"}},
      {"compiler", {"angle", "eulerseq", "meshdir", "assetdir", "coordinate", "autolimits"}},
      {"option", {"timestep", "gravity"}},
      {"mesh", {"name", "class", "file", "scale"}},
      {"body", with({"childclass"})},
      {"frame", with({"childclass"})},
      {"geom", with({"type", "size", "fromto", "mesh", "friction", "condim", "density", "mass", "contype",
                     "conaffinity", "rgba", "material", "group"})},
      {"joint", {"name", "class", "type"}},
      {"freejoint", {"name"}},
      {"inertial", {"mass"}}};
  return known;
}

/// A body on the way to its geoms.
struct Place {
  Frame pose;
  std::string childclass;
  int depth = 0;
};

class MjcfReader {
 public:
  MjcfReader(std::string_view xml, std::string name, std::filesystem::path folder)
      : xml_(xml), name_(std::move(name)), folder_(std::move(folder)) {
    const pugi::xml_parse_result result = document_.load_buffer(xml.data(), xml.size());
    if (result) return;
    const auto at = static_cast<std::size_t>(result.offset);
    const std::size_t start =
        xml_.rfind('\n', at) == std::string_view::npos || at == 0 ? 0 : xml_.rfind('\n', at - 1) + 1;
    throw InputError(name_ + ":" + std::to_string(line_at(at)) + ":" +
                     std::to_string(at - std::min(start, at) + 1) + ": is no XML: " + result.description());
  }

  MjcfModel read() {
    const pugi::xml_node root = document_.document_element();
    if (std::string(root.name()) != "mujoco")
      throw InputError(name_ + ":" + std::to_string(line_of(root)) + ": found <" + root.name() +
                       ">, expected <mujoco>");
    note_attributes(root);
    model_.title = root.attribute("model").value();
    for (const pugi::xml_node node : root.children("compiler")) read_compiler(node);
    for (const pugi::xml_node node : root.children("option")) read_option(node);
    for (const pugi::xml_node node : root.children("default")) read_default(node, {});
    for (const pugi::xml_node node : root.children("asset")) read_assets(node);
    bool world = false;
    for (const pugi::xml_node node : root.children()) {
      const std::string element = node.name();
      if (element == "worldbody") {
        world = true;
        read_children(node, Place{}, nullptr);
      } else if (element != "compiler" && element != "option" && element != "default" && element != "asset" &&
                 node.type() == pugi::node_element) {
        note(node, "<" + element + "> is ignored");
      }
    }
    if (!world) throw InputError(name_ + ": has no <worldbody>");
    std::sort(model_.notes.begin(), model_.notes.end(),
              [](const ImportNote& a, const ImportNote& b) { return a.line < b.line; });
    return std::move(model_);
  }

 private:
  struct Mesh {
    std::filesystem::path file;
    Numbers scale;
  };
  /// The geoms of a body that moves, gathered until it is complete.
  struct Moving {
    std::vector<MjcfGeom> geoms;
    double mass = 0;      // of <inertial>; 0: none
    std::string problem;  // why it cannot be kept
  };

  int line_at(std::size_t offset) const {
    return 1 +
           int(std::count(xml_.begin(), xml_.begin() + std::ptrdiff_t(std::min(offset, xml_.size())), '\n'));
  }
  int line_of(const pugi::xml_node& node) const {
    return line_at(static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, node.offset_debug())));
  }
  [[noreturn]] void refuse(const pugi::xml_node& node, const std::string& what) const {
    throw InputError(name_ + ":" + std::to_string(line_of(node)) + ": " + node.name() + ": " + what);
  }
  /// The same text is one note.
  void note(const pugi::xml_node& node, const std::string& text) {
    for (ImportNote& known : model_.notes)
      if (known.text == text) {
        ++known.times;
        return;
      }
    model_.notes.push_back({line_of(node), 1, text});
  }
  void note_attributes(const pugi::xml_node& node) {
    const auto known = known_attributes().find(node.name());
    for (const pugi::xml_attribute& attribute : node.attributes())
      if (known == known_attributes().end() || !known->second.count(attribute.name()))
        note(node, std::string(node.name()) + ": " + attribute.name() + " is ignored");
  }

  Numbers numbers_in(const pugi::xml_node& node, const std::string& key, const std::string& text) const {
    Numbers numbers;
    const char *at = text.data(), *end = text.data() + text.size();
    while (at < end) {
      if (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r' || *at == '+') {
        ++at;
        continue;
      }
      double value = 0;
      const auto [rest, error] = std::from_chars(at, end, value);
      if (error != std::errc() || !std::isfinite(value) ||
          (rest < end && !std::isspace(static_cast<unsigned char>(*rest))))
        refuse(node, key + " is '" + text + "', expected finite numbers");
      numbers.push_back(value);
      at = rest;
    }
    return numbers;
  }
  /// Between `least` and `most` numbers; none if the attribute is not there.
  std::optional<Numbers> numbers(const pugi::xml_node& node, const Attributes& attributes,
                                 const std::string& key, std::size_t least, std::size_t most) const {
    const auto found = attributes.find(key);
    if (found == attributes.end()) return std::nullopt;
    Numbers list = numbers_in(node, key, found->second);
    if (list.size() < least || list.size() > most)
      refuse(node, key + " has " + std::to_string(list.size()) + " numbers, expected " +
                       std::to_string(least) + (most > least ? " to " + std::to_string(most) : ""));
    return list;
  }
  std::optional<double> number(const pugi::xml_node& node, const Attributes& attributes,
                               const std::string& key) const {
    const auto list = numbers(node, attributes, key, 1, 1);
    return list ? std::optional((*list)[0]) : std::nullopt;
  }
  static Attributes own_attributes(const pugi::xml_node& node) {
    Attributes all;
    for (const pugi::xml_attribute& attribute : node.attributes()) all[attribute.name()] = attribute.value();
    return all;
  }
  static std::string text(const Attributes& attributes, const std::string& key,
                          const std::string& fallback = "") {
    const auto found = attributes.find(key);
    return found == attributes.end() ? fallback : found->second;
  }

  void read_compiler(const pugi::xml_node& node) {
    note_attributes(node);
    const Attributes attributes = own_attributes(node);
    const std::string angle = text(attributes, "angle", "degree");
    if (angle != "degree" && angle != "radian")
      refuse(node, "angle is '" + angle + "', expected degree or radian");
    angle_ = angle == "degree" ? M_PI / 180 : 1;
    euler_ = text(attributes, "eulerseq", euler_);
    if (euler_.size() != 3 || euler_.find_first_not_of("xyzXYZ") != std::string::npos)
      refuse(node, "eulerseq is '" + euler_ + "', expected three of xyzXYZ");
    if (text(attributes, "coordinate", "local") != "local") refuse(node, "coordinate is not local");
    mesh_folder_ = text(attributes, "meshdir", text(attributes, "assetdir", mesh_folder_.string()));
  }

  void read_option(const pugi::xml_node& node) {
    note_attributes(node);
    const Attributes attributes = own_attributes(node);
    if (const auto dt = number(node, attributes, "timestep")) {
      if (!(*dt > 0)) refuse(node, "timestep is " + text(attributes, "timestep") + ", expected > 0");
      model_.timestep = *dt;
    }
    if (const auto g = numbers(node, attributes, "gravity", 3, 3))
      model_.gravity = Eigen::Vector3d(g->data());
    for (const pugi::xml_node& child : node.children())
      if (child.type() == pugi::node_element) note(child, "<" + std::string(child.name()) + "> is ignored");
  }

  /// A class has what its parent has, and what it says itself.
  void read_default(const pugi::xml_node& node, const std::string& parent) {
    const std::string name = node.attribute("class").as_string(parent.empty() ? "main" : "");
    if (name.empty()) refuse(node, "has no class");
    if (!parent.empty())
      for (const char* element : {"geom", "joint", "mesh"})
        defaults_[{element, name}] = defaults_[{element, parent}];
    for (const pugi::xml_node& child : node.children()) {
      const std::string element = child.name();
      if (element == "default") continue;
      if (element == "geom" || element == "joint" || element == "mesh") {
        note_attributes(child);
        for (const auto& [key, value] : own_attributes(child)) defaults_[{element, name}][key] = value;
      } else if (child.type() == pugi::node_element && element != "site" && element != "camera" &&
                 element != "light" && element != "material") {
        note(child, "default: <" + element + "> is ignored");
      }
    }
    classes_.insert(name);
    for (const pugi::xml_node& child : node.children("default")) read_default(child, name);
  }

  Attributes with_defaults(const pugi::xml_node& node, const std::string& childclass) const {
    const std::string name =
        node.attribute("class").as_string(childclass.empty() ? "main" : childclass.c_str());
    if (name != "main" && !classes_.count(name)) refuse(node, "class '" + name + "' is not defined");
    Attributes all;
    if (const auto found = defaults_.find({node.name(), name}); found != defaults_.end()) all = found->second;
    for (const auto& [key, value] : own_attributes(node)) all[key] = value;
    return all;
  }

  void read_assets(const pugi::xml_node& node) {
    for (const pugi::xml_node& child : node.children()) {
      const std::string element = child.name();
      if (element == "mesh") {
        note_attributes(child);
        const Attributes attributes = with_defaults(child, "");
        Mesh mesh;
        mesh.file = folder_ / mesh_folder_ / text(attributes, "file");
        mesh.scale = numbers(child, attributes, "scale", 3, 3).value_or(Numbers{1, 1, 1});
        meshes_[text(attributes, "name", mesh.file.stem().string())] = mesh;
      } else if (child.type() == pugi::node_element && element != "texture" && element != "material") {
        note(child, "asset: <" + element + "> is ignored");
      }
    }
  }

  Frame pose_of(const pugi::xml_node& node, const Attributes& attributes) const {
    Frame pose;
    if (const auto x = numbers(node, attributes, "pos", 3, 3)) pose.x = Eigen::Vector3d(x->data());
    if (const auto q = numbers(node, attributes, "quat", 4, 4)) {
      const Eigen::Quaterniond turn((*q)[0], (*q)[1], (*q)[2], (*q)[3]);
      if (!(turn.norm() > 0)) refuse(node, "quat is zero");
      pose.R = turn.normalized().toRotationMatrix();
    } else if (const auto a = numbers(node, attributes, "axisangle", 4, 4)) {
      pose.R = Eigen::AngleAxisd(angle_ * (*a)[3], unit(node, "axisangle", Eigen::Vector3d(a->data())))
                   .toRotationMatrix();
    } else if (const auto e = numbers(node, attributes, "euler", 3, 3)) {
      for (std::size_t i = 0; i < 3; ++i) {
        const int axis = std::tolower(euler_[i]) - 'x';
        const Eigen::Matrix3d turn =
            Eigen::AngleAxisd(angle_ * (*e)[i], Eigen::Vector3d::Unit(axis)).toRotationMatrix();
        pose.R = std::islower(euler_[i]) ? (pose.R * turn).eval()
                                         : (turn * pose.R).eval();  // moving, or fixed axes
      }
    } else if (const auto xy = numbers(node, attributes, "xyaxes", 6, 6)) {
      const Eigen::Vector3d x = unit(node, "xyaxes", Eigen::Vector3d(xy->data()));
      const Eigen::Vector3d z = unit(node, "xyaxes", x.cross(Eigen::Vector3d(xy->data() + 3)));
      pose.R << x, z.cross(x), z;
    } else if (const auto z = numbers(node, attributes, "zaxis", 3, 3)) {
      pose.R = rotation_between(Eigen::Vector3d::UnitZ(), unit(node, "zaxis", Eigen::Vector3d(z->data())))
                   .toRotationMatrix();
    }
    return pose;
  }
  Eigen::Vector3d unit(const pugi::xml_node& node, const char* key, const Eigen::Vector3d& v) const {
    if (!(v.norm() > 0)) refuse(node, std::string(key) + " has a direction of length zero");
    return v.normalized();
  }

  /// Geoms go to the moving body, or to what is fixed if there is none.
  void read_children(const pugi::xml_node& node, const Place& place, Moving* moving) {
    for (const pugi::xml_node& child : node.children()) {
      const std::string element = child.name();
      if (child.type() != pugi::node_element || element == "joint" || element == "freejoint") continue;
      if (element == "body" || element == "frame")
        read_body(child, place, moving);
      else if (element == "geom")
        read_geom(child, place, moving);
      else if (element == "inertial" && moving)
        read_inertial(child, *moving);
      else
        note(child, "<" + element + "> is ignored");
    }
  }

  void read_inertial(const pugi::xml_node& node, Moving& moving) {
    moving.mass += number(node, own_attributes(node), "mass").value_or(0);
    note(node, "inertial: mass is spread evenly over the geom, inertia and centre are its own");
  }

  /// Empty if it has none, "free", or the type that cannot be kept.
  std::string joint_of(const pugi::xml_node& node, const std::string& childclass) {
    std::string kind;
    for (const pugi::xml_node& child : node.children()) {
      const std::string element = child.name();
      if (element == "freejoint") {
        note_attributes(child);
        kind = "free";
      } else if (element == "joint") {
        kind = text(with_defaults(child, childclass), "type", "hinge");
        if (kind == "free") note_attributes(child);
      }
      if (!kind.empty() && kind != "free") return kind;
    }
    return kind;
  }

  void read_body(const pugi::xml_node& node, const Place& parent, Moving* moving) {
    if (parent.depth > kDeepest) refuse(node, "is nested too deeply");
    note_attributes(node);
    const Attributes attributes = own_attributes(node);
    const Place place{parent.pose * pose_of(node, attributes),
                      text(attributes, "childclass", parent.childclass), parent.depth + 1};
    const std::string joint = joint_of(node, place.childclass), name = text(attributes, "name");
    const std::string label = "body" + (name.empty() ? "" : " '" + name + "'");
    if (joint.empty()) return read_children(node, place, moving);
    if (joint != "free") return note(node, label + " is left out: it has a joint of type " + joint);
    if (moving) return note(node, label + " is left out: a free joint within a body that moves");
    Moving body;
    read_children(node, place, &body);
    if (body.geoms.size() != 1)
      return note(node, label + " is left out: it has " + std::to_string(body.geoms.size()) +
                            " geoms that collide, expected one");
    MjcfGeom& geom = body.geoms[0];
    if (!name.empty()) geom.name = name;
    if (body.mass > 0) geom.mass = body.mass;
    if (geom.shape == "plane") return note(node, label + " is left out: a plane cannot move");
    model_.free.push_back(geom);
  }

  void read_geom(const pugi::xml_node& node, const Place& place, Moving* moving) {
    note_attributes(node);
    const Attributes attributes = with_defaults(node, place.childclass);
    if (text(attributes, "contype", "1") == "0" && text(attributes, "conaffinity", "1") == "0")
      return note(node, "geoms that collide with nothing (contype and conaffinity 0) are ignored");
    MjcfGeom geom;
    geom.line = line_of(node);
    geom.name = text(attributes, "name");
    geom.pose = place.pose * pose_of(node, attributes);
    const std::string type = text(attributes, "type", attributes.count("mesh") ? "mesh" : "sphere");
    const std::string problem = read_shape(node, attributes, type, place, geom);
    if (!problem.empty())
      return note(node,
                  "geom" + (geom.name.empty() ? "" : " '" + geom.name + "'") + " is left out: " + problem);
    read_matter(node, attributes, geom);
    (moving ? moving->geoms : model_.fixed).push_back(geom);
  }

  void read_matter(const pugi::xml_node& node, const Attributes& attributes, MjcfGeom& geom) {
    if (const auto mu = numbers(node, attributes, "friction", 1, 3)) geom.mu = (*mu)[0];
    if (!(geom.mu >= 0)) refuse(node, "friction is '" + text(attributes, "friction") + "', expected >= 0");
    const std::string condim = text(attributes, "condim", "3");
    if (condim == "1") geom.mu = 0;
    if (condim == "4" || condim == "6") note(node, "geom: condim " + condim + " counts as 3");
    geom.density = number(node, attributes, "density").value_or(geom.density);
    geom.mass = number(node, attributes, "mass").value_or(0);
    if (!(geom.density > 0) || geom.mass < 0) refuse(node, "density or mass is not positive");
  }

  /// Why it cannot be read; empty if it can.
  std::string read_shape(const pugi::xml_node& node, const Attributes& attributes, const std::string& type,
                         const Place& place, MjcfGeom& geom) const {
    geom.shape = type;
    if (type == "plane") return "";
    if (type == "mesh") return read_mesh(node, attributes, geom);
    if (type != "sphere" && type != "box" && type != "capsule" && type != "cylinder")
      return "its type is " + type;
    const auto ends = numbers(node, attributes, "fromto", 6, 6);
    const std::size_t wanted = type == "sphere" ? 1 : type == "box" ? 3 : 2;
    const auto size = numbers(node, attributes, "size", ends ? 1 : wanted, 3);
    if (!size) refuse(node, "has no size");
    double half = wanted == 2 && size->size() > 1 ? (*size)[1] : size->back();
    if (ends) {
      const Eigen::Vector3d a(ends->data()), b(ends->data() + 3);
      geom.pose =
          place.pose *
          Frame{0.5 * (a + b),
                rotation_between(Eigen::Vector3d::UnitZ(), unit(node, "fromto", a - b)).toRotationMatrix()};
      half = 0.5 * (b - a).norm();
    }
    geom.radius = (*size)[0];
    geom.length = 2 * half;
    geom.size = 2 * Eigen::Vector3d((*size)[0], size->size() > 1 ? (*size)[1] : (*size)[0], half);
    if (!(geom.radius > 0) || !(half > 0) || !(geom.size.minCoeff() > 0))
      refuse(node, "size is '" + text(attributes, "size") + "', expected numbers > 0");
    return "";
  }

  std::string read_mesh(const pugi::xml_node& node, const Attributes& attributes, MjcfGeom& geom) const {
    const std::string name = text(attributes, "mesh");
    const auto found = meshes_.find(name);
    if (found == meshes_.end()) refuse(node, "mesh '" + name + "' is not among the assets");
    const Mesh& mesh = found->second;
    if (mesh.file.extension() != ".obj") return "its mesh '" + name + "' is no .obj file";
    if (!std::filesystem::exists(mesh.file)) refuse(node, "mesh '" + mesh.file.string() + "' is not there");
    if (mesh.scale[0] != mesh.scale[1] || mesh.scale[0] != mesh.scale[2] || !(mesh.scale[0] > 0))
      return "its mesh '" + name + "' is scaled unevenly";
    geom.shape = "hull";
    geom.file = mesh.file;
    geom.scale = mesh.scale[0];
    return "";
  }

  std::string_view xml_;
  std::string name_;
  std::filesystem::path folder_, mesh_folder_;
  pugi::xml_document document_;
  double angle_ = M_PI / 180;
  std::string euler_ = "xyz";
  std::map<std::pair<std::string, std::string>, Attributes> defaults_;  // by element and class
  std::set<std::string> classes_;
  std::map<std::string, Mesh> meshes_;
  MjcfModel model_;
};

}  // namespace

MjcfModel read_mjcf(std::string_view xml, const std::string& name, const std::filesystem::path& folder) {
  return MjcfReader(xml, name, folder).read();
}

}  // namespace capstan::imports
