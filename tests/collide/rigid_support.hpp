#pragma once
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "capstan/collide/manifold.hpp"
#include "collide/support.hpp"

namespace capstan::test {

inline Frame at(double x, double y, double z) { return {Vector3d(x, y, z), Eigen::Matrix3d::Identity()}; }
inline Frame turned(const Vector3d& x, double angle, const Vector3d& axis) {
  return {x, Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix()};
}
inline Frame random_frame(Random& random, double size) {
  const Vector3d x = random_point(random, size);
  return {x, random_rotation(random)};
}

/// How far a convex solid reaches along d, from what it is and not from the code that is tested.
inline double reach_along(const Solid& solid, const Frame& pose, const Vector3d& d) {
  const Vector3d local = pose.R.transpose() * d;
  const double sideways = std::hypot(local.x(), local.y()), along = std::abs(local.z());
  const double from = pose.x.dot(d);
  if (const auto* ball = std::get_if<Solid::Ball>(&solid.kind())) return from + ball->radius * d.norm();
  if (const auto* capsule = std::get_if<Solid::Capsule>(&solid.kind()))
    return from + capsule->half_length * along + capsule->radius * d.norm();
  if (const auto* block = std::get_if<Solid::Block>(&solid.kind()))
    return from + block->half_size.dot(local.cwiseAbs());
  if (const auto* drum = std::get_if<Solid::Drum>(&solid.kind()))
    return from + drum->radius * sideways + drum->half_height * along;
  double most = -1e300;
  for (const Vector3d& v : std::get<Solid::Hull>(solid.kind()).polytope->vertices)
    most = std::max(most, v.dot(local));
  return from + most;
}

/// How far B and A are apart along n, from B to A.
inline double apart_along(const Solid& a, const Frame& pose_a, const Solid& b, const Frame& pose_b,
                          const Vector3d& n) {
  return -reach_along(a, pose_a, -n) - reach_along(b, pose_b, n);
}

inline double signed_distance(const Solid& solid, const Frame& pose, const Vector3d& p) {
  return solid.shape()->closest(pose.apply_inverse(p)).distance;
}

/// One of each convex kind, some thin.
inline Solid random_solid(Random& random, int kind) {
  const auto length = [&](double low, double high) { return random.uniform(low, high); };
  const double a = length(0.1, 0.6), b = length(0.1, 0.6), c = length(0.1, 0.6);
  if (kind == 0) return Solid::sphere(a);
  if (kind == 1) return Solid::capsule(a / 2, b);
  if (kind == 2) return Solid::box({a, b, c});
  if (kind == 3) return Solid::cylinder(a, b);
  std::vector<Vector3d> points;
  for (int i = 0; i < 12; ++i) points.push_back(random_point(random, 0.5));
  return Solid::hull(std::make_shared<ConvexHull>(points));
}
constexpr int convex_kinds = 5;

inline std::shared_ptr<const TriangleMesh> box_mesh(const Vector3d& half) {
  const Polytope box = polytope_of_box(half);
  TriangleSoup soup{box.vertices, {}};
  for (const auto& loop : box.faces) {
    soup.triangles.push_back({loop[0], loop[1], loop[2]});
    soup.triangles.push_back({loop[0], loop[2], loop[3]});
  }
  return std::make_shared<TriangleMesh>(soup);
}

/// The same with a hollow in its side at -x: a mesh that is not convex, elsewhere a box.
inline std::shared_ptr<const TriangleMesh> hollow_box_mesh(const Vector3d& half) {
  TriangleSoup soup = box_mesh(half)->soup(), hollow{soup.vertices, {}};
  const int middle = int(hollow.vertices.size());
  hollow.vertices.push_back({-0.9 * half.x(), 0, 0});
  const auto on_side = [&](const Triangle& t) {
    return std::all_of(t.begin(), t.end(), [&](int v) { return soup.vertices[v].x() < 0; });
  };
  for (const Triangle& t : soup.triangles) {
    if (!on_side(t)) {
      hollow.triangles.push_back(t);
      continue;
    }
    for (int k = 0; k < 3; ++k) {
      const int from = t[k], to = t[(k + 1) % 3];
      const Vector3d along = soup.vertices[to] - soup.vertices[from];
      const bool diagonal = along.y() != 0 && along.z() != 0;
      if (!diagonal) hollow.triangles.push_back({from, to, middle});
    }
  }
  return std::make_shared<TriangleMesh>(hollow);
}

/// There is at least one.
inline const ManifoldPoint& deepest(const Manifold& points) {
  return *std::min_element(
      points.begin(), points.end(),
      [](const ManifoldPoint& left, const ManifoldPoint& right) { return left.gap < right.gap; });
}
inline double least_gap(const Manifold& points) { return points.empty() ? 1e300 : deepest(points).gap; }

/// Whether some point of the manifold has its on_b there.
inline bool has_point_at(const Manifold& points, const Vector3d& on_b, double accuracy = 1e-9) {
  return std::any_of(points.begin(), points.end(),
                     [&](const ManifoldPoint& p) { return (p.on_b - on_b).norm() <= accuracy; });
}

}  // namespace capstan::test
