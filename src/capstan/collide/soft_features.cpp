#include "capstan/collide/soft_features.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "capstan/errors.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

Vector3d normalized_or_zero(const Vector3d& v) {
  const double length = v.norm();
  return length > 0 ? Vector3d(v / length) : Vector3d(Vector3d::Zero());
}

int corner_of(const SoftSurface& surface, int triangle, int node) {
  const auto& corners = surface.triangles[triangle];
  return int(std::find(corners.begin(), corners.end(), node) - corners.begin());
}

/// Of the directions between two edges of a triangle the one nearest to `towards`.
double lean_at_corner(const SoftSurface& surface, int node, int triangle, const Vector3d& towards) {
  const Corners v = corners_of(surface, triangle);
  const int k = corner_of(surface, triangle, node);
  const Vector3d first = v[(k + 1) % 3] - v[k], last = v[(k + 2) % 3] - v[k];
  const Vector3d normal = normalized_or_zero(first.cross(last));
  const Vector3d within = towards - normal * normal.dot(towards);
  const bool between = first.cross(within).dot(normal) > 0 && within.cross(last).dot(normal) > 0;
  if (between) return within.norm();
  return std::max(normalized_or_zero(first).dot(towards), normalized_or_zero(last).dot(towards));
}

double lean_at_edge(const SoftSurface& surface, int a, int b, int triangle, const Vector3d& towards) {
  const Vector3d along = normalized_or_zero(surface.x.col(b) - surface.x.col(a));
  double most = -1;
  for (const int other : surface.triangles[triangle]) {
    if (other == a || other == b) continue;
    const Vector3d in = surface.x.col(other) - surface.x.col(a);
    most = normalized_or_zero(in - along * along.dot(in)).dot(towards);
  }
  return most;
}

}  // namespace

PlaceNodes nodes_of(const SoftSurface& surface, const SoftPlace& place) {
  PlaceNodes at;
  for (int k = 0; k < 3; ++k) {
    if (!(place.weight[k] > 0)) continue;
    at.node[at.count] = surface.triangles[place.triangle][k];
    at.weight[at.count++] = place.weight[k];
  }
  if (at.count == 2 && at.node[0] > at.node[1]) {
    std::swap(at.node[0], at.node[1]);
    std::swap(at.weight[0], at.weight[1]);
  }
  return at;
}

Corners corners_of(const SoftSurface& surface, int triangle) {
  const auto& [a, b, c] = surface.triangles[triangle];
  return {surface.x.col(a), surface.x.col(b), surface.x.col(c)};
}

Corners rest_corners(const SoftSurface& surface, int triangle) {
  const auto& [a, b, c] = surface.triangles[triangle];
  return {surface.rest[a], surface.rest[b], surface.rest[c]};
}

Segment edge_of(const SoftSurface& surface, int edge) {
  const auto& [a, b] = surface.edges[edge];
  return {surface.x.col(a), surface.x.col(b) - surface.x.col(a)};
}

Segment rest_edge(const SoftSurface& surface, int edge) {
  const auto& [a, b] = surface.edges[edge];
  return {surface.rest[a], surface.rest[b] - surface.rest[a]};
}

bool has_corner(const SoftSurface& surface, int triangle, int node) {
  return corner_of(surface, triangle, node) < 3;
}

double longest_edge(const SoftSurface& surface, int triangle) {
  const Corners v = corners_of(surface, triangle);
  return std::sqrt(
      std::max({(v[1] - v[0]).squaredNorm(), (v[2] - v[1]).squaredNorm(), (v[0] - v[2]).squaredNorm()}));
}

SoftPlace place_in_triangle(const SoftSurface& surface, int triangle, const Vector3d& weight) {
  Vector3d kept = weight;
  for (double& w : kept)
    if (w < at_border) w = 0;
  kept /= kept.sum();
  return {triangle, kept, weighted(kept, corners_of(surface, triangle))};
}

SoftPlace place_at_node(const SoftSurface& surface, int node) {
  const int triangle = surface.around(node)[0];
  return {triangle, Vector3d::Unit(corner_of(surface, triangle, node)), surface.x.col(node)};
}

SoftPlace place_on_edge(const SoftSurface& surface, int edge, double fraction) {
  const auto& [a, b] = surface.edges[edge];
  const int triangle = surface.edge_owner[edge];
  Vector3d weight = Vector3d::Zero();
  weight[corner_of(surface, triangle, a)] = 1 - fraction;
  weight[corner_of(surface, triangle, b)] = fraction;
  return {triangle, weight, edge_of(surface, edge).at(fraction)};
}

SoftPlace closest_place(const SoftSurface& surface, int triangle, const Vector3d& p) {
  return place_in_triangle(surface, triangle, closest_on_triangle(p, corners_of(surface, triangle)));
}

bool touches(const SoftSurface& surface, const SoftPlace& place, int triangle) {
  const PlaceNodes at = nodes_of(surface, place);
  for (int k = 0; k < at.count; ++k)
    if (!has_corner(surface, triangle, at.node[k])) return false;
  return true;
}

bool is_nearest_around(const SoftSurface& surface, const SoftPlace& place, const Vector3d& p) {
  const std::pair here((p - place.x).squaredNorm(), place.triangle);
  bool nearest = true;
  for_each_around(surface, place, [&](int other) {
    if (other == place.triangle || !nearest) return;
    nearest = here < std::pair((p - closest_place(surface, other, p).x).squaredNorm(), other);
  });
  return nearest;
}

Vector3d outward(const SoftSurface& surface, const SoftPlace& place) {
  const PlaceNodes at = nodes_of(surface, place);
  Vector3d sum = Vector3d::Zero();
  for_each_around(surface, place, [&](int triangle) {
    const Corners corners = corners_of(surface, triangle);
    const double share = at.count == 1 ? angle_at(corners, corner_of(surface, triangle, at.node[0])) : 1;
    sum += share * normalized_or_zero(twice_area(corners));
  });
  return normalized_or_zero(sum);
}

double lean(const SoftSurface& surface, const SoftPlace& place, const Vector3d& towards) {
  const PlaceNodes at = nodes_of(surface, place);
  double most = -1;
  if (at.count == 3) return most;
  for_each_around(surface, place, [&](int triangle) {
    most = std::max(most, at.count == 1 ? lean_at_corner(surface, at.node[0], triangle, towards)
                                        : lean_at_edge(surface, at.node[0], at.node[1], triangle, towards));
  });
  return most;
}

double max_lean_of(const Segment& a, const Segment& b) {
  constexpr double side_by_side = 0.1;  // sine
  return a.d.cross(b.d).norm() < side_by_side * a.d.norm() * b.d.norm() ? max_lean_aside : max_lean;
}

double area_of(const SoftSurface& surface, const SoftPlace& place) {
  const PlaceNodes at = nodes_of(surface, place);
  if (at.count == 3) return surface.triangle_area(place.triangle);
  if (at.count == 1) return surface.vertex_area[at.node[0]];
  const std::pair nodes(at.node[0], at.node[1]);
  for (const int edge : surface.triangle_edges[place.triangle])
    if (surface.edges[edge] == nodes) return surface.edge_area[edge];
  return 0;
}

Vector3d velocity_of(const SoftSurface& surface, const SoftPlace& place) {
  const auto& [a, b, c] = surface.triangles[place.triangle];
  return weighted(place.weight, {surface.v.col(a), surface.v.col(b), surface.v.col(c)});
}

Vector3d material_direction(const SoftSurface& surface, const SoftPlace& place) {
  const PlaceNodes at = nodes_of(surface, place);
  if (at.count == 2) return surface.x.col(at.node[1]) - surface.x.col(at.node[0]);
  const int triangle = at.count == 1 ? surface.around(at.node[0])[0] : place.triangle;
  const int from = at.count == 1 ? corner_of(surface, triangle, at.node[0]) : 0;
  const auto& corners = surface.triangles[triangle];
  return surface.x.col(corners[(from + 1) % 3]) - surface.x.col(corners[from]);
}

ContactSide side_of(int index, const SoftSurface& surface, const SoftPlace& place) {
  ContactSide side;
  side.soft = index;
  const PlaceNodes at = nodes_of(surface, place);
  side.node = at.node;
  side.weight = at.weight;
  side.local = weighted(place.weight, rest_corners(surface, place.triangle));
  return side;
}

// As along strands: see may_touch in near_pair.cpp.
double least_rest_distance(const SoftSurface& surface) { return std::numbers::pi * surface.radius; }

double rest_distance(const SoftSurface& surface, int node, int triangle) {
  const Corners corners = rest_corners(surface, triangle);
  const Vector3d& p = surface.rest[node];
  return (p - weighted(closest_on_triangle(p, corners), corners)).norm();
}

double rest_distance_of_edges(const SoftSurface& surface, int edge_a, int edge_b) {
  const Segment a = rest_edge(surface, edge_a), b = rest_edge(surface, edge_b);
  const ClosestFractions closest = closest_fractions(a, b);
  return (a.at(closest.a) - b.at(closest.b)).norm();
}

bool share_node(const SoftSurface& surface, int edge_a, int edge_b) {
  const auto& [a, b] = surface.edges[edge_a];
  const auto& [c, d] = surface.edges[edge_b];
  return a == c || a == d || b == c || b == d;
}

void require_finite(const Eigen::Matrix3Xd& values, const SoftSurface& surface, std::size_t index,
                    const char* what) {
  const std::string name = "soft surface " + std::to_string(index) + ": ";
  if (values.cols() != Eigen::Index(surface.rest.size()))
    throw InputError(name + "number of " + what + " is " + std::to_string(values.cols()) + ", expected " +
                     std::to_string(surface.rest.size()) + ", one a node");
  for (Eigen::Index i = 0; i < values.cols(); ++i)
    if (!values.col(i).allFinite())
      throw InputError(name + "of the " + what + " that of node " + std::to_string(i) +
                       " is not finite, expected three finite numbers");
}

void require_sound(std::span<const SoftSurface> surfaces) {
  for (std::size_t i = 0; i < surfaces.size(); ++i) {
    const SoftSurface& surface = surfaces[i];
    const std::string name = "soft surface " + std::to_string(i);
    if (surface.star_begin.size() != surface.rest.size() + 1 ||
        surface.triangle_edges.size() != surface.triangles.size())
      throw InputError(name + " has no edges or stars, expected one from make_soft_surface");
    if (!(surface.margin >= 0) || !std::isfinite(surface.margin))
      throw InputError(name + ": margin is " + std::to_string(surface.margin) + ", expected >= 0");
    require_finite(surface.x, surface, i, "positions");
    require_finite(surface.v, surface, i, "velocities");
  }
}

}  // namespace capstan
