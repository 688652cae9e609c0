#include <Eigen/Geometry>

#include "capstan/body/rotation.hpp"
#include "capstan/scene/scene_parts.hpp"

namespace capstan::scene_text {
namespace {

using SolidKind = SolidSpec::Shape;

SolidKind solid_kind_named(const std::string& name) {
  if (name == "sphere") return SolidKind::sphere;
  if (name == "capsule") return SolidKind::capsule;
  if (name == "box") return SolidKind::box;
  if (name == "cylinder") return SolidKind::cylinder;
  if (name == "hull") return SolidKind::hull;
  if (name == "mesh") return SolidKind::mesh;
  if (name == "head") return SolidKind::head;
  if (name == "shoulders") return SolidKind::shoulders;
  return name == "bust" ? SolidKind::bust : SolidKind::plane;
}

void read_file(TableReader& table, const Scene& scene, SolidSpec& solid) {
  solid.file = table.required("file", table.file("file", scene.folder));
  solid.up = table.text("up").value_or("z")[0];
}

void read_sizes(TableReader& table, const Scene& scene, SolidSpec& solid) {
  const SolidKind shape = solid.shape;
  const bool round = shape == SolidKind::capsule || shape == SolidKind::cylinder;
  if (round || shape == SolidKind::sphere) solid.radius = table.required("radius", table.number("radius"));
  if (round) solid.length = table.required("length", table.number("length"));
  if (shape == SolidKind::box)
    solid.size = table.required("size", table.vector("size"), Eigen::Vector3d(1, 1, 1));
  if (shape == SolidKind::hull && table.has("points"))
    solid.points = table.points("points").value_or(solid.points);
  else if (shape == SolidKind::mesh || shape == SolidKind::hull)
    read_file(table, scene, solid);
  if (shape == SolidKind::mesh || shape == SolidKind::hull || shape == SolidKind::head ||
      shape == SolidKind::shoulders || shape == SolidKind::bust)
    solid.scale = table.number("scale").value_or(1);
}

}  // namespace

void read_solid(TableReader& table, const Scene& scene, SolidSpec& solid) {
  const auto shape = table.text("shape");
  const std::string name = table.required("shape", shape, std::string("plane"));
  table.decided_by("shape", name);
  solid.shape = shape ? solid_kind_named(name) : SolidKind::sphere;
  if (shape) read_sizes(table, scene, solid);
  solid.structure = read_structure(table, scene, shape ? std::optional(solid.shape) : std::nullopt);
}

Frame read_pose(TableReader& table, const SolidSpec& solid) {
  Frame pose;
  pose.x = table.vector("position").value_or(pose.x);
  if (solid.shape == SolidKind::plane && table.has("normal")) {
    const Eigen::Vector3d normal = table.direction("normal").value_or(Eigen::Vector3d::UnitZ());
    pose.R = rotation_between(Eigen::Vector3d::UnitZ(), normal).toRotationMatrix();
    if (table.has("rotation")) table.wrong("normal", "no rotation beside it");
  }
  if (const auto rotation = table.vector("rotation")) pose.R = rotation_exp(*rotation);
  return pose;
}

}  // namespace capstan::scene_text
