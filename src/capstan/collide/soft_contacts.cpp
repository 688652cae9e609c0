#include <Eigen/Geometry>
#include <algorithm>

#include "capstan/collide/soft_sides.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

/// Contacts of the vertices and edges that belong to one triangle.
class SoftWithSoft {
 public:
  SoftWithSoft(std::span<const SoftSurface> surfaces, const Executor& executor)
      : surfaces_(surfaces),
        row_(surfaces),
        near_(
            triangle_bounds(surfaces, middle_of(surfaces), reaches(surfaces), {}, executor),
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
  double reach(int a, int b) const {
    return surfaces_[a].radius + surfaces_[a].margin + surfaces_[b].radius + surfaces_[b].margin;
  }
  void append_vertex(int a, int node, const TriangleRun& run, std::vector<Contact>& contacts) const;
  void append_edge(int a, int edge, const TriangleRun& run, std::vector<Contact>& contacts) const;
  void append_edges(int a, int edge_a, int b, int edge_b, std::vector<Contact>& contacts) const;
  int side_of_vertex(int a, const SoftPlace& at_node, int b, const MetPlace& met) const;
  bool counts_for_other(int a, int node, int b, const SoftPlace& met) const;
  int side_of_edges(int a, int edge_a, const SoftPlace& on_a, int b, int edge_b, const SoftPlace& on_b) const;

  /// Triangles of surface a near that of a place on b.
  TriangleRun near_on(int a, int b, const SoftPlace& on_b) const {
    return row_.on_surface(near_.of(row_.item_of(b, on_b.triangle)), a);
  }

  std::span<const SoftSurface> surfaces_;
  TriangleRow row_;
  NearBoxes near_;
};

/// The side on which the vertex is: 1, -1 behind, 0 if the two do not meet.
int SoftWithSoft::side_of_vertex(int a, const SoftPlace& at_node, int b, const MetPlace& met) const {
  if (met.side < 0 || !surfaces_[a].closed) return met.side;
  if (a == b) return own_side_seen(met.place.x, surfaces_[a], at_node, 0);
  const int side = side_seen(met.place.x, surfaces_[a], at_node, near_on(a, b, met.place));
  return surfaces_[b].closed ? std::max(0, side) : side;
}

/// Two vertices that are each other's nearest: the earlier one has the contact.
bool SoftWithSoft::counts_for_other(int a, int node, int b, const SoftPlace& met) const {
  const PlaceNodes at = nodes_of(surfaces_[b], met);
  if (at.count != 1 || std::pair(a, node) < std::pair(b, at.node[0])) return false;
  const SoftPlace nearest = nearest_of(met.x, surfaces_[a], {a, 0, surfaces_[a].around(node)});
  const PlaceNodes seen = nodes_of(surfaces_[a], nearest);
  return seen.count == 1 && seen.node[0] == node;
}

void SoftWithSoft::append_vertex(int a, int node, const TriangleRun& run,
                                 std::vector<Contact>& contacts) const {
  const int b = run.surface;
  const SoftPlace at_node = place_at_node(surfaces_[a], node);
  const Vector3d facing = surfaces_[a].closed ? outward(surfaces_[a], at_node) : Vector3d::Zero();
  const std::vector<MetPlace> met_places =
      a == b ? places_nearest_to_node(node, surfaces_[b], run, reach(a, b))
             : places_nearest_to(at_node.x, facing, surfaces_[b], run, reach(a, b));
  for (const MetPlace& met : met_places) {
    const int side = side_of_vertex(a, at_node, b, met);
    if (side == 0 || counts_for_other(a, node, b, met.place)) continue;
    const Vector3d across =
        met.place.inside() ? twice_area(corners_of(surfaces_[b], met.place.triangle)) : Vector3d::Zero();
    const Vector3d n = contact_normal({&surfaces_[a], at_node}, {&surfaces_[b], met.place}, side, across);
    if (!met.place.inside() && lean(surfaces_[a], at_node, -n) > max_lean) continue;
    const double distance = (at_node.x - met.place.x).norm();
    contacts.push_back(soft_contact(surfaces_, a, at_node, b, met.place, n, side * distance));
  }
}

void SoftWithSoft::append_edge(int a, int edge, const TriangleRun& run,
                               std::vector<Contact>& contacts) const {
  const int b = run.surface;
  for (const int item : run.items)
    for_each_own_edge(surfaces_[b], item - run.first, [&](int other) {
      if (std::pair(a, edge) < std::pair(b, other)) append_edges(a, edge, b, other, contacts);
    });
}

/// As for a vertex. What has an inside must agree that the other is behind.
int SoftWithSoft::side_of_edges(int a, int edge_a, const SoftPlace& on_a, int b, int edge_b,
                                const SoftPlace& on_b) const {
  int seen_by_a, seen_by_b;
  if (a == b) {
    const double at_rest = rest_distance_of_edges(surfaces_[a], edge_a, edge_b);
    seen_by_a = own_side_seen(on_b.x, surfaces_[a], on_a, at_rest);
    seen_by_b = own_side_seen(on_a.x, surfaces_[b], on_b, at_rest);
  } else {
    seen_by_a = side_seen(on_b.x, surfaces_[a], on_a, near_on(a, b, on_b));
    seen_by_b = side_seen(on_a.x, surfaces_[b], on_b, near_on(b, a, on_a));
  }
  if (!surfaces_[a].closed) return seen_by_b;
  if (!surfaces_[b].closed || seen_by_a == seen_by_b) return seen_by_a;
  return 0;
}

void SoftWithSoft::append_edges(int a, int edge_a, int b, int edge_b, std::vector<Contact>& contacts) const {
  if (a == b && share_node(surfaces_[a], edge_a, edge_b)) return;
  const Segment segment_a = edge_of(surfaces_[a], edge_a), segment_b = edge_of(surfaces_[b], edge_b);
  if (apart_along_axis(segment_a, segment_b, reach(a, b))) return;
  const ClosestFractions closest = closest_fractions(segment_a, segment_b);
  const double distance = (segment_a.at(closest.a) - segment_b.at(closest.b)).norm();
  if (!inside_edge(closest.a) || !inside_edge(closest.b) || !(distance < reach(a, b))) return;
  if (a == b && rest_distance_of_edges(surfaces_[a], edge_a, edge_b) < least_rest_distance(surfaces_[a]))
    return;
  const SoftPlace on_a = place_on_edge(surfaces_[a], edge_a, closest.a),
                  on_b = place_on_edge(surfaces_[b], edge_b, closest.b);
  const int side = side_of_edges(a, edge_a, on_a, b, edge_b, on_b);
  if (side == 0) return;
  const Vector3d n =
      contact_normal({&surfaces_[a], on_a}, {&surfaces_[b], on_b}, side, across_edges(segment_a, segment_b));
  const double most = max_lean_of(segment_a, segment_b);
  if (lean(surfaces_[a], on_a, -n) > most || lean(surfaces_[b], on_b, n) > most) return;
  contacts.push_back(soft_contact(surfaces_, a, on_a, b, on_b, n, side * distance));
}

}  // namespace

std::vector<Contact> detect_between_soft(std::span<const SoftSurface> surfaces, const Executor& executor) {
  require_sound(surfaces);
  const SoftWithSoft pairs(surfaces, executor);
  return collect(pairs.items(), executor,
                 [&](int item, std::vector<Contact>& contacts) { pairs.append(item, contacts); });
}

}  // namespace capstan
