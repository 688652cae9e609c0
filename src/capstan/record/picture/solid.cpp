#include "capstan/record/picture/solid.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <nlohmann/json.hpp>

#include "capstan/errors.hpp"

namespace capstan::record {
namespace {

using Json = nlohmann::json;

/// A profile (distance from the axis, height) with its normals, turned about z.
struct Profile {
  std::vector<Eigen::Vector2d> points, normals;
  void add(double r, double z, double normal_r, double normal_z) {
    points.push_back({r, z});
    normals.push_back({normal_r, normal_z});
  }
};

Solid turned(const Profile& profile, int around) {
  const int rings = static_cast<int>(profile.points.size());
  Solid solid;
  solid.vertices.resize(3, rings * around);
  solid.normals.resize(3, rings * around);
  solid.triangles.resize(3, 2 * (rings - 1) * around);
  for (int ring = 0, t = 0; ring < rings; ++ring)
    for (int k = 0; k < around; ++k) {
      const Eigen::Vector2d &p = profile.points[static_cast<std::size_t>(ring)],
                            &n = profile.normals[static_cast<std::size_t>(ring)];
      const double c = std::cos(2 * M_PI * k / around), s = std::sin(2 * M_PI * k / around);
      solid.vertices.col(ring * around + k) << p.x() * c, p.x() * s, p.y();
      solid.normals.col(ring * around + k) << n.x() * c, n.x() * s, n.y();
      if (ring + 1 == rings) continue;
      const int a = ring * around + k, b = ring * around + (k + 1) % around;
      solid.triangles.col(t++) << a, b, b + around;
      solid.triangles.col(t++) << a, b + around, a + around;
    }
  return solid;
}

/// A sphere if the length is 0.
Solid capsule(double radius, double length, int around) {
  const int arc = around / 4;
  Profile profile;
  for (int k = 0; k <= 2 * arc; ++k) {
    const double angle = M_PI * (0.5 * k / arc - 0.5), shift = k < arc ? -0.5 * length : 0.5 * length;
    profile.add(radius * std::cos(angle), radius * std::sin(angle) + shift, std::cos(angle), std::sin(angle));
    if (k == arc) profile.add(radius, 0.5 * length, 1, 0);
  }
  return turned(profile, around);
}

Solid cylinder(double radius, double length, int around) {
  Profile profile;
  profile.add(0, -0.5 * length, 0, -1);
  profile.add(radius, -0.5 * length, 0, -1);
  profile.add(radius, -0.5 * length, 1, 0);
  profile.add(radius, 0.5 * length, 1, 0);
  profile.add(radius, 0.5 * length, 0, 1);
  profile.add(0, 0.5 * length, 0, 1);
  return turned(profile, around);
}

Solid box(const Eigen::Vector3d& size) {
  Solid solid;
  solid.vertices.resize(3, 24);
  solid.normals.resize(3, 24);
  solid.triangles.resize(3, 12);
  for (int face = 0; face < 6; ++face) {
    const int axis = face / 2;
    const double side = face % 2 ? 0.5 : -0.5;
    for (int k = 0; k < 4; ++k) {
      Eigen::Vector3d corner;
      corner[axis] = side;
      corner[(axis + 1) % 3] = k == 1 || k == 2 ? 0.5 : -0.5;
      corner[(axis + 2) % 3] = k >= 2 ? 0.5 : -0.5;
      solid.vertices.col(4 * face + k) = corner.cwiseProduct(size);
      solid.normals.col(4 * face + k) = 2 * side * Eigen::Vector3d::Unit(axis);
    }
    const int b = side > 0 ? 1 : 3, d = side > 0 ? 3 : 1;  // counter-clockwise from outside
    solid.triangles.col(2 * face) << 4 * face, 4 * face + b, 4 * face + 2;
    solid.triangles.col(2 * face + 1) << 4 * face, 4 * face + 2, 4 * face + d;
  }
  return solid;
}

template <typename Scalar>
Eigen::Matrix<Scalar, 3, Eigen::Dynamic> columns(const Json& list) {
  Eigen::Matrix<Scalar, 3, Eigen::Dynamic> result(3, static_cast<Eigen::Index>(list.size()));
  for (std::size_t k = 0; k < list.size(); ++k)
    for (std::size_t d = 0; d < 3; ++d)
      result(static_cast<int>(d), static_cast<int>(k)) = list.at(k).at(d).get<Scalar>();
  return result;
}

double positive(const Json& json, const char* key) {
  const double value = json.at(key).get<double>();
  if (!(value > 0))
    throw InputError("obstacle: " + std::string(key) + " is " + json.at(key).dump() + ", expected > 0");
  return value;
}

Solid surface_of(const Json& json, int around) {
  const std::string shape = json.at("shape").get<std::string>();
  if (shape == "sphere") return capsule(positive(json, "radius"), 0, around);
  if (shape == "capsule") return capsule(positive(json, "radius"), positive(json, "length"), around);
  if (shape == "cylinder") return cylinder(positive(json, "radius"), positive(json, "length"), around);
  if (shape == "box") return box(columns<double>(Json::array({json.at("size")})).col(0));
  if (shape == "mesh")
    return mesh_solid(columns<double>(json.at("vertices")), columns<int>(json.at("triangles")));
  if (shape != "plane")
    throw InputError("obstacle: shape is '" + shape +
                     "', expected sphere, capsule, cylinder, box, plane or mesh");
  Solid plane;
  plane.plane = true;
  return plane;
}

}  // namespace

/// The mean of the faces around a vertex, weighted by their areas.
Solid mesh_solid(Eigen::Matrix3Xd vertices, Eigen::Matrix3Xi triangles) {
  Solid solid;
  solid.normals = Eigen::Matrix3Xd::Zero(3, vertices.cols());
  for (int t = 0; t < triangles.cols(); ++t) {
    const Eigen::Vector3i v = triangles.col(t);
    if (v.minCoeff() < 0 || v.maxCoeff() >= vertices.cols())
      throw InputError("obstacle: triangle " + std::to_string(t) + " has a vertex outside 0 to " +
                       std::to_string(vertices.cols() - 1));
    const Eigen::Vector3d a = vertices.col(v[0]), b = vertices.col(v[1]), c = vertices.col(v[2]);
    for (int k = 0; k < 3; ++k) solid.normals.col(v[k]) += (b - a).cross(c - a);
  }
  for (int k = 0; k < solid.normals.cols(); ++k)
    if (solid.normals.col(k).norm() > 0) solid.normals.col(k).normalize();
  solid.vertices = std::move(vertices);
  solid.triangles = std::move(triangles);
  return solid;
}

Solid solid_from_json(const std::string& text, int around) {
  try {
    const Json json = Json::parse(text);
    Solid solid = surface_of(json, around);
    if (json.contains("color")) solid.color = columns<double>(Json::array({json.at("color")})).col(0);
    if (json.contains("structure")) {
      const Json& lines = json.at("structure");
      solid.lines = unpacked({positive(lines, "step"), lines.at("lines").get<std::string>()});
    }
    return solid;
  } catch (const Json::exception& error) {
    throw InputError(std::string("obstacle: its description cannot be drawn: ") + error.what());
  }
}

}  // namespace capstan::record
