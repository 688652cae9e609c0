#include "capstan/scene/obstacle_shapes.hpp"

#include "capstan/collide/bust.hpp"
#include "capstan/collide/triangle_mesh.hpp"
#include "capstan/errors.hpp"
#include "capstan/files/obj.hpp"

namespace capstan {
namespace {

using ObstacleKind = ObstacleSpec::Shape;

std::shared_ptr<const Shape> scaled_mesh(TriangleSoup soup, const ObstacleSpec& obstacle) {
  for (Eigen::Vector3d& x : soup.vertices) x = obstacle.scale * turned_up(x, obstacle.up);
  return std::make_shared<TriangleMesh>(std::move(soup), "obstacle '" + obstacle.name + "'");
}

TriangleSoup mesh_from(const std::filesystem::path& file) {
  ObjShapes read = read_obj(file);
  return {std::move(read.vertices), std::move(read.triangles)};
}

}  // namespace

std::shared_ptr<const Shape> make_shape(const ObstacleSpec& obstacle) {
  switch (obstacle.shape) {
    case ObstacleKind::plane:
      return std::make_shared<HalfSpace>();
    case ObstacleKind::sphere:
      return std::make_shared<RoundedRod>(obstacle.radius);
    case ObstacleKind::capsule:
      return std::make_shared<RoundedRod>(obstacle.radius, obstacle.length / 2);
    case ObstacleKind::box:
      return std::make_shared<Box>(obstacle.size / 2);
    case ObstacleKind::cylinder:
      return std::make_shared<Cylinder>(obstacle.radius, obstacle.length / 2);
    case ObstacleKind::mesh:
      return scaled_mesh(mesh_from(obstacle.file), obstacle);
    case ObstacleKind::head:
      return scaled_mesh(bust(BustPart::head), obstacle);
    case ObstacleKind::shoulders:
      return scaled_mesh(bust(BustPart::shoulders), obstacle);
    case ObstacleKind::bust:
      break;
  }
  return scaled_mesh(bust(BustPart::whole), obstacle);
}

std::vector<Obstacle> make_obstacles(const Scene& scene) {
  std::vector<Obstacle> obstacles;
  for (const ObstacleSpec& obstacle : scene.obstacles)
    obstacles.push_back({obstacle.name, make_shape(obstacle), obstacle.motion});
  return obstacles;
}

Eigen::Vector3d scalp_centre(const ObstacleSpec& obstacle) {
  const bool head = obstacle.shape == ObstacleKind::head || obstacle.shape == ObstacleKind::bust;
  return head ? Eigen::Vector3d(obstacle.scale * bust_head_centre()) : Eigen::Vector3d(0, 0, 0);
}

Eigen::Vector3d turned_up(const Eigen::Vector3d& p, char up) {
  if (up == 'x') return {p[1], p[2], p[0]};
  if (up == 'y') return {p[0], -p[2], p[1]};
  return p;
}

}  // namespace capstan
