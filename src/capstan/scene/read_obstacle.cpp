#include <Eigen/Geometry>

#include "capstan/body/rotation.hpp"
#include "capstan/scene/names.hpp"
#include "capstan/scene/scene_parts.hpp"

namespace capstan::scene_text {
namespace {

using ObstacleKind = ObstacleSpec::Shape;

ObstacleKind obstacle_kind_named(const std::string& name) {
  if (name == "sphere") return ObstacleKind::sphere;
  if (name == "capsule") return ObstacleKind::capsule;
  if (name == "box") return ObstacleKind::box;
  if (name == "cylinder") return ObstacleKind::cylinder;
  if (name == "mesh") return ObstacleKind::mesh;
  if (name == "head") return ObstacleKind::head;
  if (name == "shoulders") return ObstacleKind::shoulders;
  return name == "bust" ? ObstacleKind::bust : ObstacleKind::plane;
}

void read_sizes(TableReader& table, const Scene& scene, ObstacleSpec& obstacle) {
  const ObstacleKind shape = obstacle.shape;
  const bool round = shape == ObstacleKind::capsule || shape == ObstacleKind::cylinder;
  if (round || shape == ObstacleKind::sphere)
    obstacle.radius = table.required("radius", table.number("radius"));
  if (round) obstacle.length = table.required("length", table.number("length"));
  if (shape == ObstacleKind::box)
    obstacle.size = table.required("size", table.vector("size"), Eigen::Vector3d(1, 1, 1));
  if (shape == ObstacleKind::mesh) {
    obstacle.file = scene.folder / table.required("file", table.text("file"));
    obstacle.up = table.text("up").value_or("z")[0];
  }
  if (shape == ObstacleKind::mesh || shape == ObstacleKind::head || shape == ObstacleKind::shoulders ||
      shape == ObstacleKind::bust)
    obstacle.scale = table.number("scale").value_or(1);
}

Frame read_pose(TableReader& table, ObstacleKind shape) {
  Frame pose;
  pose.x = table.vector("position").value_or(pose.x);
  if (shape == ObstacleKind::plane && table.has("normal")) {
    const Eigen::Vector3d normal = table.direction("normal").value_or(Eigen::Vector3d::UnitZ());
    pose.R = rotation_between(Eigen::Vector3d::UnitZ(), normal).toRotationMatrix();
    if (table.has("rotation")) table.wrong("normal", "no rotation beside it");
  }
  if (const auto rotation = table.vector("rotation")) pose.R = rotation_exp(*rotation);
  return pose;
}

}  // namespace

void read_obstacle(TableReader table, Scene& scene) {
  ObstacleSpec obstacle;
  obstacle.name = read_name(table, scene, "obstacle", scene.obstacles.size());
  const auto shape = table.text("shape");
  const std::string shape_name = table.required("shape", shape, std::string("plane"));
  table.decided_by("shape", shape_name);
  obstacle.shape = obstacle_kind_named(shape_name);
  // With an unknown shape nothing can be said about the other keys.
  if (shape) read_sizes(table, scene, obstacle);
  const Frame rest = read_pose(table, obstacle.shape);
  obstacle.friction = table.number("friction");
  obstacle.motion = placed(read_motion(table, scene), rest, scene);
  if (shape) table.finish();
  scene.obstacles.push_back(obstacle);
}

}  // namespace capstan::scene_text
