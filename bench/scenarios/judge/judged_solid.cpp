#include "bench/scenarios/judge/judged_solid.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>

#include "capstan/errors.hpp"

namespace capstan::scenarios {
namespace {

using Eigen::Vector3d;

constexpr int kAround = 20;      // corners of circles
constexpr int kMaxChords = 200;  // per solid
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Surface {
  std::vector<Vector3d> vertices;
  std::vector<Corners> triangles;
};

/// A surface of revolution about z, closed by its first and last points, which lie on the axis.
Surface turned(const std::vector<Eigen::Vector2d>& profile) {
  Surface surface;
  const int rings = int(profile.size()) - 2;
  for (int ring = 1; ring <= rings; ++ring)
    for (int k = 0; k < kAround; ++k) {
      const double phi = 2 * std::numbers::pi * k / kAround;
      surface.vertices.emplace_back(profile[ring][0] * std::cos(phi), profile[ring][0] * std::sin(phi),
                                    profile[ring][1]);
    }
  const int bottom = rings * kAround, top = bottom + 1;
  surface.vertices.emplace_back(0, 0, profile.front()[1]);
  surface.vertices.emplace_back(0, 0, profile.back()[1]);
  const auto at = [](int ring, int k) { return ring * kAround + k % kAround; };
  for (int k = 0; k < kAround; ++k) {
    surface.triangles.push_back({bottom, at(0, k + 1), at(0, k)});
    for (int ring = 0; ring + 1 < rings; ++ring) {
      surface.triangles.push_back({at(ring, k), at(ring, k + 1), at(ring + 1, k + 1)});
      surface.triangles.push_back({at(ring, k), at(ring + 1, k + 1), at(ring + 1, k)});
    }
    surface.triangles.push_back({top, at(rings - 1, k), at(rings - 1, k + 1)});
  }
  return surface;
}

/// Cuts each triangle in four.
Surface refined(const Surface& coarse) {
  Surface fine;
  for (const Corners& t : coarse.triangles) {
    const Vector3d a = coarse.vertices[t[0]], b = coarse.vertices[t[1]], c = coarse.vertices[t[2]];
    const int at = int(fine.vertices.size());
    for (const Vector3d& x :
         {a, b, c, Vector3d(0.5 * (a + b)), Vector3d(0.5 * (b + c)), Vector3d(0.5 * (c + a))})
      fine.vertices.push_back(x);
    for (const Corners& part : {Corners{0, 3, 5}, Corners{3, 1, 4}, Corners{5, 4, 2}, Corners{3, 4, 5}})
      fine.triangles.push_back({at + part[0], at + part[1], at + part[2]});
  }
  return fine;
}

/// The part of a segment, from s to t, that is behind a plane.
void clip(double at_p, double at_q, double& s, double& t) {
  if (at_p <= 0 && at_q <= 0) return;
  if (at_p > 0 && at_q > 0) {
    t = -1;
    return;
  }
  const double where = at_p / (at_p - at_q);
  if (at_p > 0)
    s = std::max(s, where);
  else
    t = std::min(t, where);
}

}  // namespace

JudgedSolid JudgedSolid::half_space() { return JudgedSolid(HalfSpace{}); }

JudgedSolid JudgedSolid::rod(double radius, double half_length) {
  JudgedSolid solid(Rod{radius, half_length});
  std::vector<Eigen::Vector2d> profile;
  for (int k = 0; k <= kAround; ++k) {
    const double angle = std::numbers::pi * k / kAround, side = 2 * k < kAround ? -1 : 1;
    profile.emplace_back(radius * std::sin(angle), side * half_length - radius * std::cos(angle));
    if (2 * k == kAround && half_length > 0) profile.insert(profile.end() - 1, {radius, -half_length});
  }
  const Surface surface = turned(profile);
  solid.add_surface(surface.vertices, surface.triangles);
  return solid;
}

JudgedSolid JudgedSolid::drum(double radius, double half_height) {
  JudgedSolid solid(Drum{radius, half_height});
  std::vector<Eigen::Vector2d> profile{{0, -half_height}, {0.5 * radius, -half_height}};
  for (int k = 0; k <= 6; ++k) profile.emplace_back(radius, half_height * (k / 3.0 - 1));
  profile.emplace_back(0.5 * radius, half_height);
  profile.emplace_back(0, half_height);
  const Surface surface = turned(profile);
  solid.add_surface(surface.vertices, surface.triangles);
  return solid;
}

JudgedSolid JudgedSolid::box(const Vector3d& half_size) {
  std::vector<Vector3d> corners;
  for (int k = 0; k < 8; ++k)
    corners.push_back(half_size.cwiseProduct(Vector3d(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1)));
  return hull(corners);
}

JudgedSolid JudgedSolid::hull(const std::vector<Vector3d>& points) {
  AxisBox bounds{points.front(), points.front()};
  for (const Vector3d& p : points) bounds.low = bounds.low.cwiseMin(p), bounds.high = bounds.high.cwiseMax(p);
  const double extent = (bounds.high - bounds.low).norm();
  Convex convex;
  Surface surface{points, {}};
  const int n = int(points.size());
  // Every plane through three points that has no point beyond it, once; its points as a fan.
  std::set<std::vector<int>> seen;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = j + 1; k < n; ++k) {
        if (i == j || i == k) continue;
        Vector3d normal = (points[j] - points[i]).cross(points[k] - points[i]);
        if (normal.norm() < 1e-9 * extent * extent) continue;
        normal.normalize();
        if (i > j) normal = -normal;  // both sides are tried, with different first points
        const double offset = normal.dot(points[i]);
        std::vector<int> face;
        bool outer = true;
        for (int other = 0; other < n && outer; ++other) {
          const double beyond = normal.dot(points[other]) - offset;
          outer = beyond <= 1e-9 * extent;
          if (beyond >= -1e-9 * extent) face.push_back(other);
        }
        if (!outer || !seen.insert(face).second) continue;
        convex.normals.push_back(normal);
        convex.offsets.push_back(offset);
        Vector3d middle = Vector3d::Zero();
        for (const int corner : face) middle += points[corner] / double(face.size());
        const Vector3d x = (points[face[0]] - middle).normalized(), y = normal.cross(x);
        const auto angle = [&](int corner) {
          return std::atan2(y.dot(points[corner] - middle), x.dot(points[corner] - middle));
        };
        std::sort(face.begin(), face.end(), [&](int a, int b) { return angle(a) < angle(b); });
        for (std::size_t corner = 1; corner + 1 < face.size(); ++corner)
          surface.triangles.push_back({face[0], face[corner], face[corner + 1]});
      }
  JudgedSolid solid(std::move(convex));
  solid.add_surface(surface.vertices, surface.triangles);
  return solid;
}

JudgedSolid JudgedSolid::mesh(std::vector<Vector3d> vertices, std::vector<Corners> triangles) {
  Mesh mesh;
  for (const Corners& t : triangles) {
    const Path a{vertices[t[0]], vertices[t[0]]}, b{vertices[t[1]], vertices[t[1]]},
        c{vertices[t[2]], vertices[t[2]]};
    mesh.boxes.push_back(box_of({a, b, c}));
  }
  JudgedSolid solid(std::move(mesh));
  solid.add_surface(std::move(vertices), std::move(triangles));
  return solid;
}

void JudgedSolid::add_surface(std::vector<Vector3d> vertices, std::vector<Corners> triangles) {
  vertices_ = std::move(vertices), triangles_ = std::move(triangles);
  std::set<std::pair<int, int>> edges;
  bounds_ = {Vector3d::Constant(kInfinity), Vector3d::Constant(-kInfinity)};
  for (const Corners& t : triangles_)
    for (int k = 0; k < 3; ++k) {
      edges.insert(std::minmax(t[k], t[(k + 1) % 3]));
      bounds_.low = bounds_.low.cwiseMin(vertices_[t[k]]),
      bounds_.high = bounds_.high.cwiseMax(vertices_[t[k]]);
    }
  edges_.assign(edges.begin(), edges.end());
  find_core();
}

double JudgedSolid::distance(const Vector3d& p) const {
  double least = kInfinity;
  for (const Corners& t : triangles_)
    least = std::min(least, distance_to_triangle(p, {vertices_[t[0]], vertices_[t[1]], vertices_[t[2]]}));
  return least;
}

void JudgedSolid::find_core() {
  const double extent = (bounds_.high - bounds_.low).norm();
  Surface from{vertices_, triangles_};
  while (from.triangles.size() < 100) from = refined(from);
  const std::size_t stride = 1 + from.triangles.size() / kMaxChords;
  struct Middle {
    Vector3d x;
    double depth;
    bool central;  // about as deep as the chord allows
  };
  std::vector<Middle> middles;
  for (std::size_t k = 0; k < from.triangles.size(); k += stride) {
    const Corners& t = from.triangles[k];
    const Vector3d a = from.vertices[t[0]], b = from.vertices[t[1]], c = from.vertices[t[2]];
    const Vector3d area = (b - a).cross(c - a), start = (a + b + c) / 3;
    if (area.norm() < 1e-9 * extent * extent) continue;
    const Vector3d inward = -area.normalized();
    double length = kInfinity;  // of the chord
    for (const Corners& u : triangles_) {
      const Vector3d p = vertices_[u[0]], n = (vertices_[u[1]] - p).cross(vertices_[u[2]] - p);
      const double along = n.dot(inward), at = n.dot(p - start) / along;
      if (along <= 0 || !(at > 1e-9 * extent) || at >= length) continue;
      const Vector3d far = start + 2 * at * inward;
      if (segment_meets_triangle(start, far, {p, vertices_[u[1]], vertices_[u[2]]})) length = at;
    }
    if (length == kInfinity) continue;
    const Vector3d middle = start + 0.5 * length * inward;
    const double its_depth = distance(middle);
    middles.push_back({middle, its_depth, its_depth >= 0.8 * 0.5 * length});
  }
  const auto deepest = std::max_element(middles.begin(), middles.end(),
                                        [](const Middle& a, const Middle& b) { return a.depth < b.depth; });
  if (deepest == middles.end()) return;
  // Near a sharp edge chords are short: what is there is not deep inside.
  for (const Middle& middle : middles)
    if (middle.central && middle.depth >= 0.5 * deepest->depth) core_.push_back(middle.x);
  if (core_.empty()) core_.push_back(deepest->x);
}

bool JudgedSolid::contains(const Vector3d& p) const {
  if (is_mesh()) return winding_number(p, vertices_, triangles_) > 0.5;
  return meets(p, p);
}

bool JudgedSolid::meets(const Vector3d& p, const Vector3d& q) const {
  if (const Rod* rod = std::get_if<Rod>(&kind_)) {
    const Vector3d end(0, 0, rod->half_length);
    return distance_of_segments(p, q, -end, end) < rod->radius;
  }
  if (const Mesh* mesh = std::get_if<Mesh>(&kind_)) {
    const AxisBox box = box_of({Path{p, q}});
    if (!box.overlaps(bounds_)) return false;
    for (std::size_t k = 0; k < triangles_.size(); ++k) {
      const Corners& t = triangles_[k];
      if (box.overlaps(mesh->boxes[k]) &&
          segment_meets_triangle(p, q, {vertices_[t[0]], vertices_[t[1]], vertices_[t[2]]}))
        return true;
    }
    return false;
  }
  double s = 0, t = 1;
  if (std::holds_alternative<HalfSpace>(kind_)) {
    clip(p[2], q[2], s, t);
  } else if (const Convex* convex = std::get_if<Convex>(&kind_)) {
    for (std::size_t k = 0; k < convex->normals.size() && s <= t; ++k)
      clip(convex->normals[k].dot(p) - convex->offsets[k], convex->normals[k].dot(q) - convex->offsets[k], s,
           t);
  } else {
    const Drum& drum = std::get<Drum>(kind_);
    clip(p[2] - drum.half_height, q[2] - drum.half_height, s, t);
    clip(-p[2] - drum.half_height, -q[2] - drum.half_height, s, t);
    if (s > t) return false;
    Vector3d a = p + s * (q - p), b = p + t * (q - p);
    a[2] = b[2] = 0;
    return distance_to_segment(Vector3d::Zero(), a, b) < drum.radius;
  }
  return s <= t;
}

}  // namespace capstan::scenarios
