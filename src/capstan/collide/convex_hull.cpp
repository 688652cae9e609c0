#include "capstan/collide/convex_hull.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>

namespace capstan {
namespace {

using Eigen::Vector3d;

/// The point of a face closest to one above its plane.
Vector3d closest_on_face(const Polytope& polytope, int face, const Vector3d& p) {
  const auto& loop = polytope.faces[face];
  const Vector3d& n = polytope.normals[face];
  const Vector3d below = p - (n.dot(p) - polytope.offsets[face]) * n;
  Vector3d best = below;
  double least = std::numeric_limits<double>::infinity();
  bool within = true;
  for (std::size_t k = 0; k < loop.size(); ++k) {
    const Vector3d &a = polytope.vertices[loop[k]], &b = polytope.vertices[loop[(k + 1) % loop.size()]];
    const Vector3d along = b - a;
    if (n.cross(along).dot(below - a) >= 0) continue;
    within = false;
    const Vector3d x = a + std::clamp((below - a).dot(along) / along.squaredNorm(), 0.0, 1.0) * along;
    if (const double here = (x - below).squaredNorm(); here < least) least = here, best = x;
  }
  return within ? below : best;
}

}  // namespace

ConvexHull::ConvexHull(std::span<const Vector3d> points) : polytope_(hull_of(points)) {}

double ConvexHull::distance_at_least(const Vector3d& p) const {
  double highest = -std::numeric_limits<double>::infinity();
  for (std::size_t f = 0; f < polytope_.normals.size(); ++f)
    highest = std::max(highest, polytope_.normals[f].dot(p) - polytope_.offsets[f]);
  return highest;
}

// From inside, the nearest plane of a face is met within the face. From outside, the closest point lies on
// one of the faces that are seen.
SurfacePoint ConvexHull::closest(const Vector3d& p) const {
  int highest_face = 0;
  double highest = -std::numeric_limits<double>::infinity();
  for (int f = 0; f < int(polytope_.normals.size()); ++f)
    if (const double height = polytope_.normals[f].dot(p) - polytope_.offsets[f]; height > highest)
      highest = height, highest_face = f;
  const Vector3d& n = polytope_.normals[highest_face];
  if (highest <= 0) return {p - highest * n, n, highest};
  SurfacePoint best{p, n, std::numeric_limits<double>::infinity()};
  for (int f = 0; f < int(polytope_.normals.size()); ++f) {
    const double height = polytope_.normals[f].dot(p) - polytope_.offsets[f];
    if (height <= 0 || height >= best.distance) continue;
    const Vector3d x = closest_on_face(polytope_, f, p);
    const double away = (p - x).norm();
    if (away >= best.distance) continue;
    // Above the face the normal is known better than the difference of two close points is.
    const Vector3d across = p - x - height * polytope_.normals[f];
    const bool above = across.squaredNorm() <= 1e-24 * x.squaredNorm();
    best = {x, above ? polytope_.normals[f] : Vector3d((p - x) / away), above ? height : away};
  }
  return best;
}

}  // namespace capstan
