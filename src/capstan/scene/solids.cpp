#include "capstan/scene/solids.hpp"

#include "capstan/collide/bust.hpp"
#include "capstan/collide/convex_hull.hpp"
#include "capstan/collide/triangle_mesh.hpp"
#include "capstan/errors.hpp"
#include "capstan/files/obj.hpp"

namespace capstan {
namespace {

using SolidKind = SolidSpec::Shape;

std::vector<Eigen::Vector3d> scaled(std::vector<Eigen::Vector3d> points, const SolidSpec& spec) {
  for (Eigen::Vector3d& x : points) x = spec.scale * turned_up(x, spec.up);
  return points;
}

Solid solid_of_mesh(TriangleSoup soup, const SolidSpec& spec) {
  soup.vertices = scaled(std::move(soup.vertices), spec);
  return Solid::mesh(std::make_shared<TriangleMesh>(std::move(soup), "'" + spec.name + "'"));
}

TriangleSoup mesh_from(const std::filesystem::path& file) {
  ObjShapes read = read_obj(file);
  return {std::move(read.vertices), std::move(read.triangles)};
}

Solid solid_of_hull(const SolidSpec& spec) {
  try {
    const auto points = scaled(spec.file.empty() ? spec.points : read_obj(spec.file).vertices, spec);
    return Solid::hull(std::make_shared<ConvexHull>(points));
  } catch (const InputError& error) {
    throw InputError("'" + spec.name + "': " + error.what());
  }
}

}  // namespace

Solid make_solid(const SolidSpec& spec) {
  switch (spec.shape) {
    case SolidKind::plane:
      return Solid::half_space();
    case SolidKind::sphere:
      return Solid::sphere(spec.radius);
    case SolidKind::capsule:
      return Solid::capsule(spec.radius, spec.length / 2);
    case SolidKind::box:
      return Solid::box(spec.size / 2);
    case SolidKind::cylinder:
      return Solid::cylinder(spec.radius, spec.length / 2);
    case SolidKind::hull:
      return solid_of_hull(spec);
    case SolidKind::mesh:
      return solid_of_mesh(mesh_from(spec.file), spec);
    case SolidKind::head:
      return solid_of_mesh(bust(BustPart::head), spec);
    case SolidKind::shoulders:
      return solid_of_mesh(bust(BustPart::shoulders), spec);
    case SolidKind::bust:
      break;
  }
  return solid_of_mesh(bust(BustPart::whole), spec);
}

MassProperties mass_of(const SolidSpec& spec, const Solid& solid, double density) {
  switch (spec.shape) {
    case SolidKind::plane:
      throw InputError("'" + spec.name + "': a plane has no mass");
    case SolidKind::sphere:
      return mass_of_sphere(spec.radius, density);
    case SolidKind::capsule:
      return mass_of_capsule(spec.radius, spec.length / 2, density);
    case SolidKind::box:
      return mass_of_box(spec.size / 2, density);
    case SolidKind::cylinder:
      return mass_of_cylinder(spec.radius, spec.length / 2, density);
    default:
      break;
  }
  const TriangleSoup surface = triangles_of(*solid.shape());
  return mass_of_mesh(surface.vertices, surface.triangles, density);
}

std::vector<Obstacle> make_obstacles(const Scene& scene) {
  std::vector<Obstacle> obstacles;
  for (const ObstacleSpec& obstacle : scene.obstacles) {
    const Solid solid = make_solid(obstacle);
    obstacles.push_back({obstacle.name, solid.shape(), obstacle.motion, solid});
  }
  return obstacles;
}

TriangleSoup triangles_of(const Shape& shape) {
  if (const auto* mesh = dynamic_cast<const TriangleMesh*>(&shape)) return mesh->soup();
  TriangleSoup soup;
  if (const auto* hull = dynamic_cast<const ConvexHull*>(&shape)) {
    soup.vertices = hull->vertices();
    for (const std::vector<int>& loop : hull->faces())
      for (std::size_t k = 2; k < loop.size(); ++k) soup.triangles.push_back({loop[0], loop[k - 1], loop[k]});
  }
  return soup;
}

Eigen::Vector3d scalp_centre(const ObstacleSpec& obstacle) {
  const bool head = obstacle.shape == SolidKind::head || obstacle.shape == SolidKind::bust;
  return head ? Eigen::Vector3d(obstacle.scale * bust_head_centre()) : Eigen::Vector3d(0, 0, 0);
}

Eigen::Vector3d turned_up(const Eigen::Vector3d& p, char up) {
  if (up == 'x') return {p[1], p[2], p[0]};
  if (up == 'y') return {p[0], -p[2], p[1]};
  return p;
}

}  // namespace capstan
