#include "capstan/collide/soft_surface.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "capstan/collide/soft_features.hpp"
#include "capstan/errors.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

void require_mesh(const std::vector<std::array<int, 3>>& triangles, const Eigen::Matrix3Xd& rest,
                  double radius) {
  if (!(radius > 0) || !std::isfinite(radius))
    throw InputError("soft surface: radius is " + std::to_string(radius) + ", expected > 0");
  for (Eigen::Index i = 0; i < rest.cols(); ++i)
    if (!rest.col(i).allFinite())
      throw InputError("soft surface: node " + std::to_string(i) + " is not finite in the rest shape");
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    const auto& [a, b, c] = triangles[i];
    const bool known = std::min({a, b, c}) >= 0 && std::max({a, b, c}) < rest.cols();
    if (!known || a == b || b == c || c == a)
      throw InputError("soft surface: triangle " + std::to_string(i) + " has nodes " + std::to_string(a) +
                       ", " + std::to_string(b) + ", " + std::to_string(c) +
                       ", expected three different ones below " + std::to_string(rest.cols()));
  }
}

/// An edge of a triangle: k leads from corner k to k + 1.
struct TriangleSide {
  std::pair<int, int> nodes;  // rising
  int triangle, k;
  bool forward;  // the triangle runs along it from the smaller node to the larger

  auto key() const { return std::tie(nodes, triangle, k); }
};

std::vector<TriangleSide> sides_by_edge(const std::vector<std::array<int, 3>>& triangles) {
  std::vector<TriangleSide> sides;
  sides.reserve(3 * triangles.size());
  for (int i = 0; i < int(triangles.size()); ++i)
    for (int k = 0; k < 3; ++k) {
      const int from = triangles[i][k], to = triangles[i][(k + 1) % 3];
      sides.push_back({std::minmax(from, to), i, k, from < to});
    }
  std::sort(sides.begin(), sides.end(),
            [](const TriangleSide& l, const TriangleSide& r) { return l.key() < r.key(); });
  return sides;
}

void require_closed(std::span<const TriangleSide> sides_of_edge) {
  if (sides_of_edge.size() == 2 && sides_of_edge[0].forward != sides_of_edge[1].forward) return;
  const auto& [nodes, triangle, k, forward] = sides_of_edge[0];
  throw InputError("soft surface: the edge " + std::to_string(nodes.first) + "-" +
                   std::to_string(nodes.second) + " of triangle " + std::to_string(triangle) + " has " +
                   std::to_string(sides_of_edge.size()) +
                   " triangles, expected two that run along it in opposite ways");
}

void set_edges(SoftSurface& surface) {
  const std::vector<TriangleSide> sides = sides_by_edge(surface.triangles);
  surface.triangle_edges.resize(surface.triangles.size());
  for (std::size_t first = 0, last = 0; first < sides.size(); first = last) {
    while (last < sides.size() && sides[last].nodes == sides[first].nodes) ++last;
    if (surface.closed) require_closed(std::span(sides).subspan(first, last - first));
    for (std::size_t i = first; i < last; ++i)
      surface.triangle_edges[sides[i].triangle][sides[i].k] = int(surface.edges.size());
    surface.edges.push_back(sides[first].nodes);
    surface.edge_owner.push_back(sides[first].triangle);
  }
}

void set_stars(SoftSurface& surface) {
  surface.star_begin.assign(surface.rest.size() + 1, 0);
  for (const auto& corners : surface.triangles)
    for (const int node : corners) ++surface.star_begin[node + 1];
  std::partial_sum(surface.star_begin.begin(), surface.star_begin.end(), surface.star_begin.begin());
  surface.star.resize(surface.star_begin.back());
  std::vector<int> next(surface.star_begin.begin(), surface.star_begin.end() - 1);
  for (int i = 0; i < int(surface.triangles.size()); ++i)
    for (const int node : surface.triangles[i]) surface.star[next[node]++] = i;
  for (int i = 0; i < int(surface.rest.size()); ++i)
    if (!surface.around(i).empty()) surface.vertices.push_back(i);
}

void set_areas(SoftSurface& surface) {
  surface.vertex_area.assign(surface.rest.size(), 0);
  surface.edge_area.assign(surface.edges.size(), 0);
  for (int i = 0; i < int(surface.triangles.size()); ++i) {
    const double third = surface.triangle_area(i) / 3;
    for (const int node : surface.triangles[i]) surface.vertex_area[node] += third;
    for (const int edge : surface.triangle_edges[i]) surface.edge_area[edge] += third;
  }
}

}  // namespace

double SoftSurface::triangle_area(int triangle) const {
  return twice_area(rest_corners(*this, triangle)).norm() / 2;
}

SoftSurface make_soft_surface(std::vector<std::array<int, 3>> triangles, const Eigen::Matrix3Xd& rest,
                              double radius, bool closed) {
  require_mesh(triangles, rest, radius);
  SoftSurface surface;
  surface.triangles = std::move(triangles);
  for (Eigen::Index i = 0; i < rest.cols(); ++i) surface.rest.push_back(rest.col(i));
  surface.radius = radius;
  surface.closed = closed;
  surface.x = rest;
  surface.v = Eigen::Matrix3Xd::Zero(3, rest.cols());
  set_edges(surface);
  set_stars(surface);
  set_areas(surface);
  return surface;
}

}  // namespace capstan
