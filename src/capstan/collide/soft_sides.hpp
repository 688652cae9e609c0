#pragma once
#include "capstan/collide/triangle_row.hpp"

// On which side of a surface things are, and the direction between places.

namespace capstan {

/// Cosine with the outward direction below which a place faces away.
inline constexpr double facing_away = -0.5;

/// A place that something meets; side 1: from outside, or the surface has no inside; -1: from inside.
struct MetPlace {
  SoftPlace place;
  int side = 1;
};

/// Where a point meets a surface other than its own: the places nearest to it, up to a distance, by rising
/// triangle. `run`: all triangles that near. Inside a solid there is only one way out, the nearest; if p is
/// of a solid itself, whose outward direction there is `facing` (or zero), the nearest of those that face it.
/// From outside there is nothing on the far side.
std::vector<MetPlace> places_nearest_to(const Eigen::Vector3d& p, const Eigen::Vector3d& facing,
                                        const SoftSurface& surface, const TriangleRun& run, double reach);
/// The same for a node of the surface itself.
std::vector<MetPlace> places_nearest_to_node(int node, const SoftSurface& surface, const TriangleRun& run,
                                             double reach);

/// The place nearest to p among some triangles; without triangles none (triangle -1).
SoftPlace nearest_of(const Eigen::Vector3d& p, const SoftSurface& surface, const TriangleRun& run);

/// The side from which p, on something else, meets a place that is closest to it on its feature: 1, -1, or 0
/// if p is beyond the far side of the solid. `run`: all triangles of the surface that may be as near.
int side_seen(const Eigen::Vector3d& p, const SoftSurface& surface, const SoftPlace& place,
              const TriangleRun& run);
/// The same for a point p of the surface itself. There is no telling what is inside from what has gone in:
/// what was much farther away at rest has.
int own_side_seen(const Eigen::Vector3d& p, const SoftSurface& surface, const SoftPlace& place,
                  double rest_distance);

/// One of the two that meet: a surface and a place on it, or none (a strand).
struct Meeting {
  const SoftSurface* surface = nullptr;
  SoftPlace place;
};

/// The normal of a contact, from b to a as seen from that side: unit, along the line between them. Where they
/// cross it is `across` (any length, or zero): to the outside of what has one; else to the side on which less
/// of the material leans over to the other; else to where the velocities say that a came from.
Eigen::Vector3d contact_normal(const Meeting& a, const Meeting& b, int side, const Eigen::Vector3d& across);

/// Perpendicular to both; zero if they are nearly parallel.
Eigen::Vector3d across_edges(const Segment& a, const Segment& b);

/// A contact between two surfaces; the gap is `distance` less both radii.
Contact soft_contact(std::span<const SoftSurface> surfaces, int a, const SoftPlace& place_a, int b,
                     const SoftPlace& place_b, const Eigen::Vector3d& n, double distance);

}  // namespace capstan
