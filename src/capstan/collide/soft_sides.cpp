#include "capstan/collide/soft_sides.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

namespace capstan {
namespace {

using Eigen::Vector3d;

/// In parts of an edge: places this close have no direction between them.
constexpr double crossing_part = 1e-9;

bool is_behind(const Vector3d& p, const SoftSurface& surface, const SoftPlace& place) {
  return (p - place.x).dot(outward(surface, place)) < 0;
}

bool is_shallow(const Vector3d& p, const SoftSurface& surface, const SoftPlace& place) {
  return (p - place.x).norm() <= longest_edge(surface, place.triangle);
}

/// For a point behind a place and not simply inside: 1 as long as the place is seen from the side.
int side_if_seen_aslant(const Vector3d& p, const SoftSurface& surface, const SoftPlace& place) {
  return (p - place.x).dot(outward(surface, place)) > facing_away * (p - place.x).norm() ? 1 : 0;
}

/// The first in an order, given by a key.
template <class Key>
const MetPlace& first_by(const std::vector<MetPlace>& found, const Key& key) {
  return *std::min_element(found.begin(), found.end(), [&](const MetPlace& left, const MetPlace& right) {
    return key(left) < key(right);
  });
}

/// The nearest place says whether p is inside. If so the way out is all there is, else what is behind is
/// beyond the far side.
void keep_one_side(const Vector3d& p, const Vector3d& facing, const SoftSurface& surface,
                   std::vector<MetPlace>& found) {
  if (found.empty()) return;
  for (MetPlace& met : found) met.side = is_behind(p, surface, met.place) ? -1 : 1;
  const auto distance2 = [&](const MetPlace& met) { return (p - met.place.x).squaredNorm(); };
  const bool inside = first_by(found, distance2).side < 0;
  std::erase_if(found, [&](const MetPlace& met) { return (met.side < 0) != inside; });
  if (!inside) return;
  const MetPlace way_out = first_by(found, [&](const MetPlace& met) {
    const bool faces = facing.isZero() || facing.dot(outward(surface, met.place)) < facing_away;
    return std::pair(!faces, distance2(met));
  });
  found.clear();
  if (is_shallow(p, surface, way_out.place)) found.push_back(way_out);
}

/// Of the ways out the shortest.
void keep_one_way_out(const Vector3d& p, std::vector<MetPlace>& found) {
  if (found.empty()) return;
  const int kept = first_by(found, [&](const MetPlace& met) {
                     return std::pair(met.side, (p - met.place.x).squaredNorm());
                   }).place.triangle;
  std::erase_if(found, [&](const MetPlace& met) { return met.side < 0 && met.place.triangle != kept; });
}

Vector3d velocity_of(const Meeting& meeting) {
  return meeting.surface ? velocity_of(*meeting.surface, meeting.place) : Vector3d(Vector3d::Zero());
}

/// By how much the material at a place leans towards a direction more than away from it.
double leaning(const Meeting& meeting, const Vector3d& n) {
  if (!meeting.surface || meeting.place.inside()) return 0;
  return lean(*meeting.surface, meeting.place, n) - lean(*meeting.surface, meeting.place, -n);
}

/// 1 or -1: on which side a is of b, along n, where they cross.
int side_of_crossing(const Meeting& a, const Meeting& b, const Vector3d& n) {
  if (b.surface && b.surface->closed) return outward(*b.surface, b.place).dot(n) < 0 ? -1 : 1;
  if (a.surface && a.surface->closed) return outward(*a.surface, a.place).dot(n) > 0 ? -1 : 1;
  const double wrong = leaning(a, -n) + leaning(b, n);
  if (std::abs(wrong) > 1e-6) return wrong > 0 ? -1 : 1;
  return (velocity_of(a) - velocity_of(b)).dot(n) > 0 ? -1 : 1;
}

double size_of(const Meeting& meeting) {
  return meeting.surface ? longest_edge(*meeting.surface, meeting.place.triangle) : 0;
}

}  // namespace

std::vector<MetPlace> places_nearest_to(const Vector3d& p, const Vector3d& facing, const SoftSurface& surface,
                                        const TriangleRun& run, double reach) {
  std::vector<MetPlace> found;
  for (const int item : run.items) {
    if (apart_along_axis(p, corners_of(surface, item - run.first), reach)) continue;
    const SoftPlace place = closest_place(surface, item - run.first, p);
    if ((p - place.x).norm() < reach && is_nearest_around(surface, place, p)) found.push_back({place, 1});
  }
  if (surface.closed) keep_one_side(p, facing, surface, found);
  return found;
}

std::vector<MetPlace> places_nearest_to_node(int node, const SoftSurface& surface, const TriangleRun& run,
                                             double reach) {
  const Vector3d p = surface.x.col(node);
  std::vector<MetPlace> found;
  for (const int item : run.items) {
    const int triangle = item - run.first;
    if (has_corner(surface, triangle, node)) continue;
    if (apart_along_axis(p, corners_of(surface, triangle), reach)) continue;
    const SoftPlace place = closest_place(surface, triangle, p);
    if (!((p - place.x).norm() < reach)) continue;
    const double at_rest = rest_distance(surface, node, triangle);
    if (at_rest < least_rest_distance(surface) || !is_nearest_around(surface, place, p)) continue;
    const int side = own_side_seen(p, surface, place, at_rest);
    if (side != 0) found.push_back({place, side});
  }
  keep_one_way_out(p, found);
  return found;
}

SoftPlace nearest_of(const Vector3d& p, const SoftSurface& surface, const TriangleRun& run) {
  SoftPlace nearest;
  double least = std::numeric_limits<double>::infinity();
  for (const int item : run.items) {
    const SoftPlace place = closest_place(surface, item - run.first, p);
    const double distance2 = (p - place.x).squaredNorm();
    if (distance2 < least) least = distance2, nearest = place;
  }
  return nearest;
}

int side_seen(const Vector3d& p, const SoftSurface& surface, const SoftPlace& place, const TriangleRun& run) {
  if (!surface.closed || !is_behind(p, surface, place)) return 1;
  const SoftPlace nearest = nearest_of(p, surface, run);
  const bool inside = nearest.triangle >= 0 && is_behind(p, surface, nearest);
  if (inside && touches(surface, place, nearest.triangle) && is_shallow(p, surface, place)) return -1;
  return side_if_seen_aslant(p, surface, place);
}

int own_side_seen(const Vector3d& p, const SoftSurface& surface, const SoftPlace& place,
                  double rest_distance) {
  if (!surface.closed || !is_behind(p, surface, place)) return 1;
  const bool much_farther_at_rest = rest_distance > 2 * (p - place.x).norm();
  if (much_farther_at_rest && is_shallow(p, surface, place)) return -1;
  return side_if_seen_aslant(p, surface, place);
}

Vector3d contact_normal(const Meeting& a, const Meeting& b, int side, const Vector3d& across) {
  const Vector3d apart = a.place.x - b.place.x;
  if (apart.norm() > crossing_part * std::max(size_of(a), size_of(b))) return side * apart.normalized();
  Vector3d n = across;
  if (!(n.norm() > 0)) n = b.surface ? outward(*b.surface, b.place) : Vector3d::Zero();
  if (!(n.norm() > 0)) n = Vector3d::UnitZ();
  n.normalize();
  return side_of_crossing(a, b, n) * n;
}

Vector3d across_edges(const Segment& a, const Segment& b) {
  const Vector3d across = a.d.cross(b.d);
  return across.norm() > 1e-6 * a.d.norm() * b.d.norm() ? across : Vector3d(Vector3d::Zero());
}

Contact soft_contact(std::span<const SoftSurface> surfaces, int a, const SoftPlace& place_a, int b,
                     const SoftPlace& place_b, const Vector3d& n, double distance) {
  Contact contact;
  contact.a = side_of(a, surfaces[a], place_a);
  contact.b = side_of(b, surfaces[b], place_b);
  contact.point_a = place_a.x;
  contact.point_b = place_b.x;
  contact.frame =
      contact_frame(n, material_direction(surfaces[a], place_a), material_direction(surfaces[b], place_b));
  contact.gap = distance - surfaces[a].radius - surfaces[b].radius;
  contact.area = std::min(area_of(surfaces[a], place_a), area_of(surfaces[b], place_b));
  return contact;
}

}  // namespace capstan
