#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>

#include "capstan/collide/first_touch.hpp"
#include "capstan/collide/soft_sides.hpp"
#include "capstan/errors.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

/// In parts of an edge: what comes this close crosses.
constexpr double touching_part = 1e-6;

double mean_edge(const SoftSurface& surface) {
  double sum = 0;
  for (int edge = 0; edge < int(surface.edges.size()); ++edge) sum += rest_edge(surface, edge).d.norm();
  return surface.edges.empty() ? 0 : sum / double(surface.edges.size());
}

std::vector<double> touching_distances(std::span<const SoftSurface> surfaces) {
  std::vector<double> result;
  for (const SoftSurface& surface : surfaces) result.push_back(touching_part * mean_edge(surface));
  return result;
}

/// Whether a closed surface goes around p. Where it has turned inside out its normals do not tell.
bool is_inside(const Vector3d& p, const SoftSurface& surface) {
  double seen = 0;
  for (int k = 0; k < int(surface.triangles.size()); ++k) seen += solid_angle(p, corners_of(surface, k));
  return seen > 2 * std::numbers::pi;
}

/// Crossings of the vertices and edges that belong to one triangle.
class Crossings {
 public:
  Crossings(std::span<const SoftSurface> surfaces, std::vector<Eigen::Matrix3Xd> moves,
            const Executor& executor)
      : surfaces_(surfaces),
        moves_(std::move(moves)),
        tolerance_(touching_distances(surfaces)),
        row_(surfaces),
        near_(
            triangle_bounds(surfaces, middle_of(surfaces), tolerance_, moves_, executor),
            [this](int i, int j) { return may_meet(surfaces_, row_, i, j); }, executor) {}

  int items() const { return row_.end(); }

  void append(int item, std::vector<Contact>& contacts) const {
    const int a = row_.surface_of(item), triangle = row_.triangle_of(item);
    row_.for_each_run(near_.of(item), [&](const TriangleRun& run) {
      for_each_own_vertex(surfaces_[a], triangle, [&](int node) { append_vertex(a, node, run, contacts); });
      for_each_own_edge(surfaces_[a], triangle, [&](int edge) { append_edge(a, edge, run, contacts); });
    });
  }

 private:
  double tolerance(int a, int b) const { return (tolerance_[a] + tolerance_[b]) / 2; }
  Vector3d x(int surface, int node) const { return surfaces_[surface].x.col(node); }
  Vector3d move(int surface, int node) const { return moves_[surface].col(node); }
  void append_vertex(int a, int node, const TriangleRun& run, std::vector<Contact>& contacts) const;
  void append_edge(int a, int edge, const TriangleRun& run, std::vector<Contact>& contacts) const;
  void append_edges(int a, int edge_a, int b, int edge_b, std::vector<Contact>& contacts) const;
  bool counts_for_other(int a, int node, int b, const SoftPlace& hit) const;
  struct Hit {
    int surface;
    SoftPlace place;  // at the start
  };
  /// `apart`: from b to a when they meet; `thin`: the thickness does not count. What was inside a solid may
  /// leave it.
  void append_contact(const Hit& a, const Hit& b, const Vector3d& apart, const Vector3d& across, bool thin,
                      std::vector<Contact>& contacts) const;

  std::span<const SoftSurface> surfaces_;
  std::vector<Eigen::Matrix3Xd> moves_;  // of each node in the step, m
  std::vector<double> tolerance_;
  TriangleRow row_;
  NearBoxes near_;
};

/// Two vertices that hit each other: the earlier one has the contact.
bool Crossings::counts_for_other(int a, int node, int b, const SoftPlace& hit) const {
  const PlaceNodes at = nodes_of(surfaces_[b], hit);
  return at.count == 1 && std::pair(a, node) > std::pair(b, at.node[0]);
}

// With twice the tolerance of edges, so that it finds what those leave to it.
void Crossings::append_vertex(int a, int node, const TriangleRun& run, std::vector<Contact>& contacts) const {
  const int b = run.surface;
  const SoftPlace at_node = place_at_node(surfaces_[a], node);
  std::vector<std::array<int, 3>> hit_before;  // an edge or a corner is hit once, not with each triangle
  for (const int item : run.items) {
    const int triangle = item - run.first;
    if (a == b && has_corner(surfaces_[b], triangle, node)) continue;
    const auto& [i, j, k] = surfaces_[b].triangles[triangle];
    const MovingPair pair{
        1, {at_node.x, x(b, i), x(b, j), x(b, k)}, {move(a, node), move(b, i), move(b, j), move(b, k)}};
    const std::optional<NearestPoints> touch = first_touch(pair, 2 * tolerance(a, b));
    if (!touch) continue;
    const SoftPlace hit = place_in_triangle(surfaces_[b], triangle, touch->weight.tail<3>());
    const std::array<int, 3> feature = nodes_of(surfaces_[b], hit).node;
    if (std::find(hit_before.begin(), hit_before.end(), feature) != hit_before.end()) continue;
    hit_before.push_back(feature);
    if (counts_for_other(a, node, b, hit)) continue;
    const bool thin =
        a == b && rest_distance(surfaces_[a], node, triangle) < least_rest_distance(surfaces_[a]);
    const Vector3d across = hit.inside() ? twice_area(corners_of(surfaces_[b], triangle)) : Vector3d::Zero();
    append_contact({a, at_node}, {b, hit}, touch->apart, across, thin, contacts);
  }
}

void Crossings::append_edge(int a, int edge, const TriangleRun& run, std::vector<Contact>& contacts) const {
  const int b = run.surface;
  for (const int item : run.items)
    for_each_own_edge(surfaces_[b], item - run.first, [&](int other) {
      if (std::pair(a, edge) < std::pair(b, other) && !(a == b && share_node(surfaces_[a], edge, other)))
        append_edges(a, edge, b, other, contacts);
    });
}

// What hits an end is a vertex that hits an edge, and found as that.
void Crossings::append_edges(int a, int edge_a, int b, int edge_b, std::vector<Contact>& contacts) const {
  const auto& [i, j] = surfaces_[a].edges[edge_a];
  const auto& [k, l] = surfaces_[b].edges[edge_b];
  const MovingPair pair{
      2, {x(a, i), x(a, j), x(b, k), x(b, l)}, {move(a, i), move(a, j), move(b, k), move(b, l)}};
  const std::optional<NearestPoints> touch = first_touch(pair, tolerance(a, b));
  if (!touch) return;
  const Eigen::Vector4d& w = touch->weight;
  const auto near_end = [&](int from, int to) {
    const double length = (pair.at(to, touch->t) - pair.at(from, touch->t)).norm();
    return std::min(w[from], w[to]) * length <= tolerance(a, b) / 2;
  };
  if (near_end(0, 1) || near_end(2, 3)) return;
  const bool thin =
      a == b && rest_distance_of_edges(surfaces_[a], edge_a, edge_b) < least_rest_distance(surfaces_[a]);
  append_contact({a, place_on_edge(surfaces_[a], edge_a, w[1])},
                 {b, place_on_edge(surfaces_[b], edge_b, w[3])}, touch->apart,
                 across_edges(edge_of(surfaces_[a], edge_a), edge_of(surfaces_[b], edge_b)), thin, contacts);
}

void Crossings::append_contact(const Hit& a, const Hit& b, const Vector3d& apart, const Vector3d& across,
                               bool thin, std::vector<Contact>& contacts) const {
  const SoftSurface &on_a = surfaces_[a.surface], &on_b = surfaces_[b.surface];
  const Vector3d n = apart.norm() > 1e-3 * tolerance(a.surface, b.surface)
                         ? Vector3d(apart.normalized())
                         : contact_normal({&on_a, a.place}, {&on_b, b.place}, 1, across);
  if (on_b.closed && outward(on_b, b.place).dot(n) < facing_away && is_inside(a.place.x, on_b)) return;
  if (on_a.closed && outward(on_a, a.place).dot(n) > -facing_away && is_inside(b.place.x, on_a)) return;
  const double distance = n.dot(a.place.x - b.place.x) + (thin ? on_a.radius + on_b.radius : 0);
  contacts.push_back(soft_contact(surfaces_, a.surface, a.place, b.surface, b.place, n, distance));
}

std::vector<Eigen::Matrix3Xd> moves_of(std::span<const SoftSurface> surfaces,
                                       std::span<const Eigen::Matrix3Xd> velocities, double dt) {
  if (velocities.size() != surfaces.size())
    throw InputError("crossings: number of velocity matrices is " + std::to_string(velocities.size()) +
                     ", expected " + std::to_string(surfaces.size()) + ", one a surface");
  if (!(dt > 0) || !std::isfinite(dt))
    throw InputError("crossings: dt is " + std::to_string(dt) + ", expected > 0");
  std::vector<Eigen::Matrix3Xd> moves;
  for (std::size_t i = 0; i < surfaces.size(); ++i) {
    require_finite(velocities[i], surfaces[i], i, "velocities");
    moves.push_back(dt * velocities[i]);
  }
  return moves;
}

}  // namespace

std::vector<Contact> crossings(std::span<const SoftSurface> surfaces,
                               std::span<const Eigen::Matrix3Xd> velocities, double dt,
                               const Executor& executor) {
  require_sound(surfaces);
  const Crossings pairs(surfaces, moves_of(surfaces, velocities, dt), executor);
  return collect(pairs.items(), executor,
                 [&](int item, std::vector<Contact>& contacts) { pairs.append(item, contacts); });
}

}  // namespace capstan
