#include "capstan/collide/solid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "capstan/errors.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

/// A convex mesh is dealt with as a hull, by its faces and edges, which costs the product of both edges.
constexpr std::size_t max_triangles_of_hull = 200;
constexpr double digits_of_mesh = 1e-6;  // of its size: triangles this close to one plane are one face

double farthest_of(const std::vector<Vector3d>& points) {
  double farthest = 0;
  for (const Vector3d& p : points) farthest = std::max(farthest, p.norm());
  return farthest;
}

/// Returns the least width across a face; widths across pairs of edges are not looked at.
double thickness_of(const Polytope& polytope) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < polytope.normals.size(); ++k) {
    double deepest = 0;
    for (const Vector3d& v : polytope.vertices)
      deepest = std::max(deepest, polytope.offsets[k] - polytope.normals[k].dot(v));
    least = std::min(least, deepest);
  }
  return least;
}

double mesh_area(const TriangleSoup& soup) {
  double area = 0;
  for (const auto& [a, b, c] : soup.triangles)
    area += 0.5 * (soup.vertices[b] - soup.vertices[a]).cross(soup.vertices[c] - soup.vertices[a]).norm();
  return area;
}

/// The edges between faces that make a ridge. What is flatter or hollow touches nothing first between its
/// corners.
std::vector<Solid::Edge> sharp_edges(const TriangleSoup& soup) {
  constexpr double flat = 0.94;  // cosine of 20 degrees
  const auto normal = [&](const Triangle& t) {
    return (soup.vertices[t[1]] - soup.vertices[t[0]]).cross(soup.vertices[t[2]] - soup.vertices[t[0]]);
  };
  std::map<std::pair<int, int>, const Triangle*> open;  // edges of which one face has been seen
  std::vector<Solid::Edge> edges;
  for (const Triangle& t : soup.triangles)
    for (int k = 0; k < 3; ++k) {
      const int from = t[k], to = t[(k + 1) % 3];
      const auto other = open.find({to, from});
      if (other == open.end()) {
        open[{from, to}] = &t;
        continue;
      }
      const Vector3d one = normal(t), two = normal(*other->second),
                     d = soup.vertices[to] - soup.vertices[from];
      open.erase(other);
      const bool ridge = two.cross(one).dot(d) < 0;  // the face on the left of the edge is `t`
      if (ridge && one.dot(two) < flat * one.norm() * two.norm())
        edges.push_back({soup.vertices[from] + 0.5 * d, 0.5 * d});
    }
  return edges;
}

/// How far a solid reaches along each axis of the world, from the origin of its frame.
struct Reach {
  Eigen::Array3d low, high;
};

Reach symmetric(const Eigen::Array3d& half) { return {-half, half}; }

struct ReachOf {
  const Eigen::Matrix3d& R;

  Reach operator()(const Solid::Ball& ball) const { return symmetric(Eigen::Array3d::Constant(ball.radius)); }
  Reach operator()(const Solid::Capsule& capsule) const {
    return symmetric(capsule.half_length * R.col(2).array().abs() + capsule.radius);
  }
  Reach operator()(const Solid::Block& block) const {
    return symmetric((R.cwiseAbs() * block.half_size).array());
  }
  Reach operator()(const Solid::Hull& hull) const {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    Reach reach{Eigen::Array3d::Constant(infinite), Eigen::Array3d::Constant(-infinite)};
    for (const Vector3d& v : hull.polytope->vertices) {
      const Eigen::Array3d x = R * v;
      reach = {reach.low.min(x), reach.high.max(x)};
    }
    return reach;
  }
  Reach operator()(const Solid::Drum& drum) const {
    const Eigen::Array3d along = R.col(2).array().abs();
    return symmetric(drum.half_height * along + drum.radius * (1 - along.square()).max(0).sqrt());
  }
  Reach operator()(const Solid::General& general) const {
    const Eigen::Array3d middle = R * (general.low + general.high) / 2;
    const Eigen::Array3d half = R.cwiseAbs() * (general.high - general.low) / 2;
    return {middle - half, middle + half};
  }
  Reach operator()(const Solid::Floor&) const {
    return symmetric(Eigen::Array3d::Constant(std::numeric_limits<float>::max()));
  }
};

}  // namespace

Solid Solid::sphere(double radius) {
  return {std::make_shared<RoundedRod>(radius), Ball{radius}, radius, 2 * radius};
}

Solid Solid::capsule(double radius, double half_length) {
  if (half_length == 0) return sphere(radius);
  return {std::make_shared<RoundedRod>(radius, half_length), Capsule{radius, half_length},
          radius + half_length, 2 * radius};
}

Solid Solid::box(const Vector3d& half_size) {
  auto shape = std::make_shared<Box>(half_size);  // checks the sizes first
  return {std::move(shape), Block{half_size, std::make_shared<Polytope>(polytope_of_box(half_size))},
          half_size.norm(), 2 * half_size.minCoeff()};
}

Solid Solid::cylinder(double radius, double half_height) {
  return {std::make_shared<Cylinder>(radius, half_height), Drum{radius, half_height},
          std::hypot(radius, half_height), 2 * std::min(radius, half_height)};
}

Solid Solid::hull(std::shared_ptr<const ConvexHull> hull) {
  if (!hull) throw InputError("a solid has no hull, expected one");
  const double radius = farthest_of(hull->vertices());
  std::shared_ptr<const Polytope> polytope(hull, &hull->polytope());
  const double thickness = thickness_of(*polytope);
  return {std::move(hull), Hull{std::move(polytope)}, radius, thickness};
}

Solid Solid::mesh(std::shared_ptr<const TriangleMesh> mesh) {
  if (!mesh) throw InputError("a solid has no mesh, expected one");
  const std::vector<Vector3d>& vertices = mesh->soup().vertices;
  if (mesh->convex() && mesh->soup().triangles.size() <= max_triangles_of_hull) {
    auto polytope = std::make_shared<Polytope>(hull_of(vertices, digits_of_mesh));
    const double thickness = thickness_of(*polytope);
    return {std::move(mesh), Hull{std::move(polytope)}, farthest_of(vertices), thickness};
  }
  Vector3d low = vertices[0], high = vertices[0];
  for (const Vector3d& v : vertices) low = low.cwiseMin(v), high = high.cwiseMax(v);
  Solid solid = general(mesh, low, high, vertices, sharp_edges(mesh->soup()));
  solid.thickness_ = std::min(solid.thickness_, 2 * mesh->volume() / mesh_area(mesh->soup()));
  return solid;
}

Solid Solid::general(std::shared_ptr<const Shape> shape, const Vector3d& low, const Vector3d& high,
                     std::vector<Vector3d> corners, std::vector<Edge> edges) {
  if (!shape) throw InputError("a solid has no shape, expected one");
  if (!low.allFinite() || !high.allFinite() || !(low.array() <= high.array()).all())
    throw InputError("a solid has no box around it, expected a finite one with low <= high");
  std::stable_sort(corners.begin(), corners.end(),
                   [](const Vector3d& left, const Vector3d& right) { return left.x() < right.x(); });
  std::stable_sort(edges.begin(), edges.end(),
                   [](const Edge& left, const Edge& right) { return left.middle.x() < right.middle.x(); });
  double longest_half = 0;
  for (const Edge& edge : edges) longest_half = std::max(longest_half, edge.half.norm());
  const double radius = low.cwiseAbs().cwiseMax(high.cwiseAbs()).norm();
  return {std::move(shape),
          General{std::make_shared<std::vector<Vector3d>>(std::move(corners)),
                  std::make_shared<std::vector<Edge>>(std::move(edges)), longest_half, low, high},
          radius, (high - low).minCoeff()};
}

Solid Solid::half_space() {
  return {std::make_shared<HalfSpace>(), Floor{}, std::numeric_limits<double>::infinity(),
          std::numeric_limits<double>::infinity()};
}

Bounds bounds(const Solid& solid, const Frame& pose, double margin) {
  if (!solid.bounded()) {
    const Eigen::Array3f all = Eigen::Array3f::Constant(std::numeric_limits<float>::max());
    return {-all, all};
  }
  const Reach reach = std::visit(ReachOf{pose.R}, solid.kind());
  return Bounds::around(pose.x.array() + reach.low - margin, pose.x.array() + reach.high + margin);
}

}  // namespace capstan
