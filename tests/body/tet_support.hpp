#pragma once
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include "capstan/body/soft/tet_mesh.hpp"

namespace capstan {

/// How often each edge of a surface is run along, by direction.
inline std::map<std::pair<int, int>, int> directed_edges(const std::vector<std::array<int, 3>>& triangles) {
  std::map<std::pair<int, int>, int> edges;
  for (const std::array<int, 3>& t : triangles)
    for (int k = 0; k < 3; ++k) ++edges[{t[k], t[(k + 1) % 3]}];
  return edges;
}

/// Each edge twice, in opposite directions.
inline void expect_closed(const std::vector<std::array<int, 3>>& triangles) {
  const auto edges = directed_edges(triangles);
  for (const auto& [edge, count] : edges) {
    EXPECT_EQ(count, 1) << edge.first << " " << edge.second;
    EXPECT_TRUE(edges.count({edge.second, edge.first})) << edge.first << " " << edge.second;
  }
}

inline Eigen::Vector3d area_vector(const Eigen::Matrix3Xd& x, const std::array<int, 3>& t) {
  const Eigen::Vector3d a = x.col(t[1]) - x.col(t[0]), b = x.col(t[2]) - x.col(t[0]);
  return a.cross(b) / 2;
}

/// By Gauss: the sum of x . n over the surface is three times the volume if normals point out.
inline double enclosed_volume(const Eigen::Matrix3Xd& x, const std::vector<std::array<int, 3>>& triangles) {
  double sum = 0;
  for (const std::array<int, 3>& t : triangles) sum += x.col(t[0]).dot(area_vector(x, t));
  return sum / 3;
}

/// Vertices - edges + faces of the surface.
inline int euler_characteristic(const std::vector<std::array<int, 3>>& triangles) {
  std::map<int, int> vertices;
  for (const std::array<int, 3>& t : triangles)
    for (const int v : t) vertices[v] = 1;
  return int(vertices.size()) - int(directed_edges(triangles).size()) / 2 + int(triangles.size());
}

/// Between the two faces at the edge from a to b, degrees.
inline double dihedral_angle(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c,
                             const Eigen::Vector3d& d) {
  const Eigen::Vector3d e = b - a, u = e.cross(c - a), v = e.cross(d - a);
  return std::atan2(u.cross(v).norm(), u.dot(v)) * 180 / std::numbers::pi;
}

struct AngleRange {
  double low = 1e300, high = -1e300;
};
inline AngleRange dihedral_angles(const TetMesh& mesh) {
  AngleRange range;
  for (const std::array<int, 4>& tet : mesh.tets)
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < a; ++b) {
        std::array<int, 4> order{a, b, 0, 0};
        int next = 2;
        for (int k = 0; k < 4; ++k)
          if (k != a && k != b) order[next++] = k;
        const double angle = dihedral_angle(mesh.x.col(tet[order[0]]), mesh.x.col(tet[order[1]]),
                                            mesh.x.col(tet[order[2]]), mesh.x.col(tet[order[3]]));
        range.low = std::min(range.low, angle);
        range.high = std::max(range.high, angle);
      }
  return range;
}

}  // namespace capstan
