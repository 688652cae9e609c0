#pragma once
#include <span>
#include <vector>

#include "capstan/collide/segments.hpp"
#include "capstan/collide/soft_surface.hpp"
#include "capstan/collide/triangle.hpp"

// What the detection of contacts of soft surfaces knows about one surface: its features and places on them.

namespace capstan {

/// Fractions and weights closer than this to an end are at it.
inline constexpr double at_border = 1e-6;
inline bool inside_edge(double fraction) { return fraction > at_border && fraction < 1 - at_border; }

/// A place on a surface: in a triangle, with zero weights on one of its edges (one zero) or corners (two).
struct SoftPlace {
  int triangle = -1;
  Eigen::Vector3d weight = Eigen::Vector3d::Zero();
  Eigen::Vector3d x = Eigen::Vector3d::Zero();

  bool inside() const { return weight.minCoeff() > 0; }
};

/// Its nodes that count, the smaller first on an edge, and how many these are.
struct PlaceNodes {
  std::array<int, 3> node{-1, -1, -1};
  Eigen::Vector3d weight = Eigen::Vector3d::Zero();
  int count = 0;
};
PlaceNodes nodes_of(const SoftSurface& surface, const SoftPlace& place);

Corners corners_of(const SoftSurface& surface, int triangle);
Corners rest_corners(const SoftSurface& surface, int triangle);
Segment edge_of(const SoftSurface& surface, int edge);
Segment rest_edge(const SoftSurface& surface, int edge);
bool has_corner(const SoftSurface& surface, int triangle, int node);
double longest_edge(const SoftSurface& surface, int triangle);  ///< now, m

SoftPlace place_at_node(const SoftSurface& surface, int node);
SoftPlace place_on_edge(const SoftSurface& surface, int edge, double fraction);
/// What is nearly on the border is put there.
SoftPlace place_in_triangle(const SoftSurface& surface, int triangle, const Eigen::Vector3d& weight);
/// Where a triangle is closest to p.
SoftPlace closest_place(const SoftSurface& surface, int triangle, const Eigen::Vector3d& p);

/// visit(triangle) for all triangles that have the feature on which a place lies: the triangle itself, those
/// along an edge or around a corner.
template <class Visit>
void for_each_around(const SoftSurface& surface, const SoftPlace& place, const Visit& visit) {
  const PlaceNodes at = nodes_of(surface, place);
  if (at.count == 3) return visit(place.triangle);
  for (const int triangle : surface.around(at.node[0]))
    if (at.count == 1 || has_corner(surface, triangle, at.node[1])) visit(triangle);
}

/// Whether a triangle has the feature on which a place lies.
bool touches(const SoftSurface& surface, const SoftPlace& place, int triangle);

/// Whether no triangle around the place is nearer to p; of those equally near the first has it. The order is
/// strict, so of the triangles that share a nearest place exactly one has it, whatever the rounding.
bool is_nearest_around(const SoftSurface& surface, const SoftPlace& place, const Eigen::Vector3d& p);

/// Outward, angle-weighted at corners [Baerentzen and Aanaes 2005]; unit, or zero without area.
Eigen::Vector3d outward(const SoftSurface& surface, const SoftPlace& place);

/// Largest sine by which the surface at an edge or a corner leans towards a unit direction; inside a triangle
/// -1.
double lean(const SoftSurface& surface, const SoftPlace& place, const Eigen::Vector3d& towards);
/// Beyond this, what is in that direction is seen through the material.
inline constexpr double max_lean = 0.5;
/// The same for things that are round or run side by side, and see each other from the side as well.
inline constexpr double max_lean_aside = 0.02;
/// For two edges, or an edge and a capsule.
double max_lean_of(const Segment& a, const Segment& b);

/// What the feature stands for, m^2 of the rest shape.
double area_of(const SoftSurface& surface, const SoftPlace& place);
Eigen::Vector3d velocity_of(const SoftSurface& surface, const SoftPlace& place);
/// Along an edge of the material, the same as long as the feature is.
Eigen::Vector3d material_direction(const SoftSurface& surface, const SoftPlace& place);
ContactSide side_of(int index, const SoftSurface& surface, const SoftPlace& place);

/// Features of one surface that are closer in the rest shape do not meet.
double least_rest_distance(const SoftSurface& surface);
double rest_distance(const SoftSurface& surface, int node, int triangle);
double rest_distance_of_edges(const SoftSurface& surface, int edge_a, int edge_b);
bool share_node(const SoftSurface& surface, int edge_a, int edge_b);

/// Throws InputError unless each is from make_soft_surface and has finite positions and velocities.
void require_sound(std::span<const SoftSurface> surfaces);
void require_finite(const Eigen::Matrix3Xd& values, const SoftSurface& surface, std::size_t index,
                    const char* what);

}  // namespace capstan
