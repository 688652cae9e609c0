#pragma once
#include <Eigen/Core>
#include <array>
#include <vector>

namespace capstan {

/// A surface of triangles at rest, flat or not, in one piece or several. Neighbours run the same way round:
/// their common edge one way in the one and the other way in the other.
struct ClothMesh {
  Eigen::Matrix3Xd x;  ///< nodes, m
  std::vector<std::array<int, 3>> triangles;
};

/// Throws InputError naming the first triangle with an unknown or repeated node or without area, with an edge
/// that two triangles have already, or that runs against a neighbour; or the first node that is not finite or
/// belongs to no triangle.
void check(const ClothMesh& mesh);

/// An edge between two triangles, a hinge, or at the boundary of one.
struct ClothEdge {
  std::array<int, 2> nodes;      ///< a, b
  std::array<int, 2> triangles;  ///< one has a before b, the other b before a; -1: there is no other
  std::array<int, 2> opposite;   ///< the third nodes of these triangles; -1: there is none

  bool is_hinge() const { return triangles[1] >= 0; }
};

/// Each edge once, in the order in which triangles name them. Throws InputError as check() does for edges.
std::vector<ClothEdge> cloth_edges(const ClothMesh& mesh);

double triangle_area(const ClothMesh& mesh, int triangle);  ///< m^2

/// A third of each triangle at each of its nodes, kg. density: kg/m^2, > 0, else InputError.
Eigen::VectorXd node_masses(const ClothMesh& mesh, double density);

/// A rectangle in the plane z = 0 around the origin, counterclockwise seen from +z: cells_x along x times
/// cells_y along y, each cut in two. Diagonals alternate like the colours of a chess board, so neither is
/// preferred. Square cells bend most evenly (hinge_stiffness). Node i + j (cells_x + 1) is the i-th along x
/// of the j-th row. width, height: m, > 0; cells >= 1, else InputError.
ClothMesh grid_mesh(double width, double height, int cells_x, int cells_y);

}  // namespace capstan
