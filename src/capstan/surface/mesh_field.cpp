#include "capstan/surface/mesh_field.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>
#include <string>

#include "capstan/errors.hpp"
#include "capstan/surface/direction_mean.hpp"
#include "capstan/surface/surface_checks.hpp"

namespace capstan {
namespace {

constexpr double kAlongNormal = 1e-6;  // a direction with less in the tangent plane is none

/// Barycentric coordinates of the projection of p on the plane of a triangle with area.
Eigen::Vector3d barycentric_of(const Eigen::Vector3d& p, const Eigen::Vector3d& a, const Eigen::Vector3d& b,
                               const Eigen::Vector3d& c) {
  const Eigen::Vector3d twice_area = (b - a).cross(c - a);
  const double scale = twice_area.squaredNorm();
  const double at_b = (p - a).cross(c - a).dot(twice_area) / scale;
  const double at_c = (b - a).cross(p - a).dot(twice_area) / scale;
  return {1 - at_b - at_c, at_b, at_c};
}

/// Parameter in [0, 1] of the point of a segment closest to p.
double along_segment(const Eigen::Vector3d& p, const Eigen::Vector3d& from, const Eigen::Vector3d& to) {
  const Eigen::Vector3d edge = to - from;
  return std::clamp((p - from).dot(edge) / edge.squaredNorm(), 0.0, 1.0);
}

/// Barycentric coordinates of the point of a triangle closest to p: that of the plane if it is inside,
/// otherwise the best of the three edges.
Eigen::Vector3d closest_in_triangle(const Eigen::Vector3d& p, const std::array<Eigen::Vector3d, 3>& corners) {
  const Eigen::Vector3d inside = barycentric_of(p, corners[0], corners[1], corners[2]);
  if (inside.minCoeff() >= 0) return inside;
  Eigen::Vector3d best = Eigen::Vector3d::Zero();
  double best_distance = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 3; ++k) {
    const int next = (k + 1) % 3;
    const double s = along_segment(p, corners[k], corners[next]);
    const double distance = ((1 - s) * corners[k] + s * corners[next] - p).squaredNorm();
    if (distance >= best_distance) continue;
    best_distance = distance;
    best.setZero();
    best[k] = 1 - s;
    best[next] = s;
  }
  return best;
}

void check_triangle(const std::vector<Eigen::Vector3d>& vertices, const std::array<int, 3>& corners,
                    int index) {
  const std::string name = "structure: triangle " + std::to_string(index);
  for (const int vertex : corners)
    if (vertex < 0 || vertex >= static_cast<int>(vertices.size()))
      throw InputError(name + " has vertex " + std::to_string(vertex) + ", expected 0 to " +
                       std::to_string(int(vertices.size()) - 1));
  const Eigen::Vector3d e = vertices[corners[1]] - vertices[corners[0]],
                        f = vertices[corners[2]] - vertices[corners[0]];
  if (!(e.cross(f).norm() > 0)) throw InputError(name + " has no area, expected three corners off a line");
}

}  // namespace

MeshSurface::MeshSurface(std::vector<Eigen::Vector3d> vertices, std::vector<std::array<int, 3>> triangles,
                         Nearest nearest)
    : vertices_(std::move(vertices)), triangles_(std::move(triangles)), nearest_(std::move(nearest)) {
  if (triangles_.empty()) throw InputError("structure: a mesh without triangles, expected at least one");
  for (std::size_t k = 0; k < vertices_.size(); ++k)
    surface::check_finite("structure: vertex " + std::to_string(k), vertices_[k]);
  for (std::size_t k = 0; k < triangles_.size(); ++k) check_triangle(vertices_, triangles_[k], int(k));
}

SurfacePlace MeshSurface::located(SurfacePlace place) const {
  const int count = static_cast<int>(triangles_.size());
  if (place.triangle >= count)
    throw InputError("structure: triangle " + std::to_string(place.triangle) + ", expected 0 to " +
                     std::to_string(count - 1) + " or -1");
  if (place.triangle >= 0 && place.barycentric) return place;
  if (place.triangle < 0 && nearest_) place.triangle = nearest_(place.position);
  const int first = std::max(place.triangle, 0), last = place.triangle >= 0 ? place.triangle + 1 : count;
  double nearest = std::numeric_limits<double>::infinity();
  for (int k = first; k < last; ++k) {
    const std::array<Eigen::Vector3d, 3> corners{corner(k, 0), corner(k, 1), corner(k, 2)};
    const Eigen::Vector3d w = closest_in_triangle(place.position, corners);
    const double distance =
        (w[0] * corners[0] + w[1] * corners[1] + w[2] * corners[2] - place.position).squaredNorm();
    if (distance >= nearest) continue;
    nearest = distance;
    place.triangle = k;
    place.barycentric = w;
  }
  return place;
}

VertexField::VertexField(MeshSurface mesh, std::vector<Eigen::Vector3d> directions)
    : mesh_(std::move(mesh)), directions_(std::move(directions)) {
  if (directions_.size() != mesh_.vertices().size())
    throw InputError("structure: " + std::to_string(directions_.size()) +
                     " directions, expected one for each of " + std::to_string(mesh_.vertices().size()) +
                     " vertices");
  for (std::size_t k = 0; k < directions_.size(); ++k) {
    surface::check_finite("structure: direction of vertex " + std::to_string(k), directions_[k]);
    if (directions_[k].norm() > 0) directions_[k].normalize();
  }
}

Eigen::Vector3d VertexField::at(const SurfacePlace& given) const {
  const SurfacePlace place = mesh_.located(given);
  const Eigen::Vector3d e = place.normal.unitOrthogonal(), f = place.normal.normalized().cross(e);
  DirectionMean mean;
  for (int k = 0; k < 3; ++k) {
    const Eigen::Vector3d& s = directions_[mesh_.triangles()[place.triangle][k]];
    const Eigen::Vector2d tangential(s.dot(e), s.dot(f));
    mean.add(tangential.norm() > kAlongNormal ? tangential : Eigen::Vector2d::Zero(),
             (*place.barycentric)[k]);
  }
  const Eigen::Vector2d s = mean.direction();
  return s[0] * e + s[1] * f;
}

}  // namespace capstan
