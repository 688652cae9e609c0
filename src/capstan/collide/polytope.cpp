#include "capstan/collide/polytope.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "capstan/errors.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

// All in parts of the extent of the points.
constexpr double on_face = 1e-10;     // no higher above a face: not a corner
constexpr double flat_extent = 1e-9;  // thinner is flat
constexpr double same_direction = 1e-9;

/// A face of the hull while it grows.
struct Facet {
  std::array<int, 3> corners;
  Vector3d n;
  double offset;
};

/// Adds one point after the other, the one farthest outside first: those on the way are inside by then, and
/// triangles stay fat.
class GrowingHull {
 public:
  explicit GrowingHull(std::span<const Vector3d> points) : points_(points) {
    find_extent();
    begin_with_tetrahedron();
    for (int next = farthest_outside(); next >= 0; next = farthest_outside()) add(next);
  }
  const std::vector<Facet>& facets() const { return facets_; }
  double extent() const { return extent_; }

 private:
  void find_extent();
  void begin_with_tetrahedron();
  Facet facet(int a, int b, int c) const;
  double height(const Facet& facet, int point) const { return facet.n.dot(points_[point]) - facet.offset; }
  int farthest_outside() const;
  void add(int point);
  template <class Measure>
  int farthest(const Measure& measure) const;

  std::span<const Vector3d> points_;
  std::vector<Facet> facets_;
  double extent_ = 0;
};

void GrowingHull::find_extent() {
  Eigen::Array3d low = points_[0], high = points_[0];
  for (const Vector3d& p : points_) low = low.min(p.array()), high = high.max(p.array());
  extent_ = (high - low).matrix().norm();
}

/// The first point at which a measure is largest.
template <class Measure>
int GrowingHull::farthest(const Measure& measure) const {
  int best = 0;
  double most = -std::numeric_limits<double>::infinity();
  for (int i = 0; i < int(points_.size()); ++i)
    if (const double here = measure(points_[i]); here > most) most = here, best = i;
  return best;
}

Facet GrowingHull::facet(int a, int b, int c) const {
  const Vector3d n = (points_[b] - points_[a]).cross(points_[c] - points_[a]).normalized();
  return {{a, b, c}, n, std::max({n.dot(points_[a]), n.dot(points_[b]), n.dot(points_[c])})};
}

void GrowingHull::begin_with_tetrahedron() {
  const int a = farthest([](const Vector3d& p) { return -p.x(); });
  const int b = farthest([&](const Vector3d& p) { return (p - points_[a]).squaredNorm(); });
  const Vector3d along = (points_[b] - points_[a]).normalized();
  const int c = farthest([&](const Vector3d& p) { return along.cross(p - points_[a]).squaredNorm(); });
  const double width = along.cross(points_[c] - points_[a]).norm();
  const Vector3d across = along.cross(points_[c] - points_[a]).normalized();
  const int d = farthest([&](const Vector3d& p) { return std::abs(across.dot(p - points_[a])); });
  const double thickness = across.dot(points_[d] - points_[a]);
  if (!(width > flat_extent * extent_) || !(std::abs(thickness) > flat_extent * extent_))
    throw InputError(
        "the points of a hull lie in one plane, expected a solid: " + std::to_string(std::abs(thickness)) +
        " m thick, " + std::to_string(extent_) + " m large");
  if (thickness < 0)
    facets_ = {facet(a, b, c), facet(a, d, b), facet(b, d, c), facet(c, d, a)};
  else
    facets_ = {facet(a, c, b), facet(a, b, d), facet(b, c, d), facet(c, a, d)};
}

int GrowingHull::farthest_outside() const {
  int best = -1;
  double most = on_face * extent_;
  for (const Facet& f : facets_)
    for (int i = 0; i < int(points_.size()); ++i)
      if (const double here = height(f, i); here > most) most = here, best = i;
  return best;
}

/// What the point sees is replaced by triangles from the outline of it to the point.
void GrowingHull::add(int point) {
  std::set<std::pair<int, int>>
      outline;  // directed edges of what is seen, without those seen from both sides
  std::vector<Facet> kept;
  for (const Facet& f : facets_) {
    if (!(height(f, point) > on_face * extent_)) {
      kept.push_back(f);
      continue;
    }
    for (int k = 0; k < 3; ++k) {
      const std::pair edge(f.corners[k], f.corners[(k + 1) % 3]);
      if (!outline.erase({edge.second, edge.first})) outline.insert(edge);
    }
  }
  for (const auto& [from, to] : outline) kept.push_back(facet(from, to, point));
  facets_ = std::move(kept);
}

/// Which face each triangle belongs to: neighbours in one plane are one face.
std::vector<int> faces_of_triangles(const GrowingHull& hull, std::span<const Vector3d> points,
                                    double one_face) {
  const std::vector<Facet>& facets = hull.facets();
  std::map<std::pair<int, int>, int> across;
  for (int i = 0; i < int(facets.size()); ++i)
    for (int k = 0; k < 3; ++k) across[{facets[i].corners[k], facets[i].corners[(k + 1) % 3]}] = i;
  std::vector<int> face(facets.size(), -1);
  std::vector<int> order(facets.size());
  for (int i = 0; i < int(order.size()); ++i) order[i] = i;
  const auto area2 = [&](int i) {
    const auto& [a, b, c] = facets[i].corners;
    return (points[b] - points[a]).cross(points[c] - points[a]).squaredNorm();
  };
  // Large triangles know their plane best: they begin.
  std::stable_sort(order.begin(), order.end(), [&](int i, int j) { return area2(i) > area2(j); });
  int faces = 0;
  for (const int seed : order) {
    if (face[seed] >= 0) continue;
    std::vector<int> open = {seed};
    face[seed] = faces;
    while (!open.empty()) {
      const Facet here = facets[open.back()];
      open.pop_back();
      for (int k = 0; k < 3; ++k) {
        const int next = across.at({here.corners[(k + 1) % 3], here.corners[k]});
        if (face[next] >= 0) continue;
        const bool in_plane =
            std::all_of(facets[next].corners.begin(), facets[next].corners.end(), [&](int corner) {
              return std::abs(facets[seed].n.dot(points[corner]) - facets[seed].offset) <=
                     one_face * hull.extent();
            });
        if (in_plane) face[next] = faces, open.push_back(next);
      }
    }
    ++faces;
  }
  return face;
}

/// The outlines of the faces, as loops.
std::vector<std::vector<int>> face_loops(const std::vector<Facet>& facets, const std::vector<int>& face) {
  const int faces = 1 + *std::max_element(face.begin(), face.end());
  std::vector<std::map<int, int>> follows(faces);  // the outline's next vertex
  std::map<std::pair<int, int>, int> face_along;
  for (std::size_t i = 0; i < facets.size(); ++i)
    for (int k = 0; k < 3; ++k) face_along[{facets[i].corners[k], facets[i].corners[(k + 1) % 3]}] = face[i];
  for (const auto& [edge, here] : face_along)
    if (face_along.at({edge.second, edge.first}) != here) follows[here][edge.first] = edge.second;
  std::vector<std::vector<int>> loops(faces);
  for (int f = 0; f < faces; ++f) {
    const int begin = follows[f].begin()->first;
    int v = begin;
    do {
      loops[f].push_back(v);
      v = follows[f].at(v);
    } while (v != begin && loops[f].size() <= follows[f].size());
  }
  return loops;
}

/// Vertices that two faces alone share lie in the middle of an edge, and go; the others are numbered anew.
void keep_corners(Polytope& polytope, std::span<const Vector3d> points) {
  std::map<int, int> faces_at;
  for (const auto& loop : polytope.faces)
    for (const int v : loop) ++faces_at[v];
  std::map<int, int> number;
  for (const auto& [v, count] : faces_at)
    if (count >= 3) {
      number.emplace(v, int(polytope.vertices.size()));
      polytope.vertices.push_back(points[v]);
    }
  for (auto& loop : polytope.faces) {
    std::erase_if(loop, [&](int v) { return !number.count(v); });
    for (int& v : loop) v = number.at(v);
  }
}

void find_planes(Polytope& polytope) {
  for (const auto& loop : polytope.faces) {
    Vector3d n = Vector3d::Zero();
    const Vector3d& base = polytope.vertices[loop[0]];
    for (std::size_t k = 1; k + 1 < loop.size(); ++k)
      n += (polytope.vertices[loop[k]] - base).cross(polytope.vertices[loop[k + 1]] - base);
    n.normalize();
    double offset = -std::numeric_limits<double>::infinity();
    for (const Vector3d& v : polytope.vertices) offset = std::max(offset, n.dot(v));
    polytope.normals.push_back(n);
    polytope.offsets.push_back(offset);
  }
}

void find_edges(Polytope& polytope) {
  std::map<std::pair<int, int>, int> face_along;
  for (int f = 0; f < int(polytope.faces.size()); ++f) {
    const auto& loop = polytope.faces[f];
    for (std::size_t k = 0; k < loop.size(); ++k) face_along[{loop[k], loop[(k + 1) % loop.size()]}] = f;
  }
  for (const auto& [edge, face] : face_along) {
    if (edge.first > edge.second) continue;
    polytope.edges.push_back({edge.first, edge.second, face, face_along.at({edge.second, edge.first})});
    const Vector3d direction = (polytope.vertices[edge.second] - polytope.vertices[edge.first]).normalized();
    const bool known =
        std::any_of(polytope.directions.begin(), polytope.directions.end(),
                    [&](const Vector3d& other) { return other.cross(direction).norm() < same_direction; });
    if (!known) polytope.directions.push_back(direction);
  }
}

}  // namespace

Polytope polytope_of_box(const Vector3d& half_size) {
  Polytope box;
  for (int i = 0; i < 8; ++i)
    box.vertices.push_back(half_size.cwiseProduct(Vector3d(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)));
  box.faces = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  for (int axis = 0; axis < 3; ++axis)
    for (const double sign : {-1.0, 1.0}) {
      box.normals.push_back(sign * Vector3d::Unit(axis));
      box.offsets.push_back(half_size[axis]);
    }
  box.middle = Vector3d::Zero();
  find_edges(box);
  return box;
}

Polytope hull_of(std::span<const Vector3d> points, double one_face) {
  if (points.size() < 4)
    throw InputError("a hull has " + std::to_string(points.size()) + " points, expected 4 or more");
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!points[i].allFinite()) throw InputError("point " + std::to_string(i) + " of a hull is not finite");
  const GrowingHull hull(points);
  Polytope polytope;
  polytope.faces = face_loops(hull.facets(), faces_of_triangles(hull, points, one_face));
  keep_corners(polytope, points);
  polytope.middle = Vector3d::Zero();
  for (const Vector3d& v : polytope.vertices) polytope.middle += v / double(polytope.vertices.size());
  find_planes(polytope);
  find_edges(polytope);
  return polytope;
}

}  // namespace capstan
