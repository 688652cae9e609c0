#include "capstan/body/soft/cloth_mesh.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <string>

#include "capstan/body/soft/cloth_hinge.hpp"
#include "capstan/body/soft/cloth_material.hpp"
#include "capstan/errors.hpp"

namespace capstan::cloth_test {
namespace {

using Eigen::Vector3d;

/// Two triangles of a unit square.
ClothMesh square() {
  ClothMesh mesh;
  mesh.x.resize(3, 4);
  mesh.x << 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0;
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  return mesh;
}

std::string refusal(const ClothMesh& mesh) {
  try {
    check(mesh);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ClothMesh, NamesTheFirstBadTriangle) {
  EXPECT_EQ(refusal(square()), "");
  ClothMesh unknown = square();
  unknown.triangles[1] = {0, 2, 4};
  EXPECT_EQ(refusal(unknown), "cloth: triangle 1: node is 4, expected 0 to 3");
  ClothMesh repeated = square();
  repeated.triangles[1] = {0, 2, 0};
  EXPECT_EQ(refusal(repeated), "cloth: triangle 1: has node 0 twice");
  ClothMesh flat = square();
  flat.x.col(3) = Vector3d(0.5, 0.5, 0);
  EXPECT_EQ(refusal(flat), "cloth: triangle 1: area is 0.000000, expected > 0");
  ClothMesh turned = square();
  turned.triangles[1] = {0, 3, 2};
  EXPECT_EQ(refusal(turned),
            "cloth: triangle 1: runs along edge 2 0 the same way as triangle 0, expected the opposite");
  ClothMesh book = square();
  book.x.conservativeResize(3, 5);
  book.x.col(4) = Vector3d(0.5, 0.5, 1);
  book.triangles.push_back({2, 0, 4});
  EXPECT_EQ(refusal(book), "cloth: triangle 2: edge 2 0 belongs to triangles 0 1 already, expected one");
}

TEST(ClothMesh, NamesTheFirstBadNode) {
  ClothMesh loose = square();
  loose.x.conservativeResize(3, 5);
  loose.x.col(4).setZero();
  EXPECT_EQ(refusal(loose), "cloth: node 4 belongs to no triangle");
  ClothMesh infinite = square();
  infinite.x(2, 1) = std::numeric_limits<double>::infinity();
  EXPECT_EQ(refusal(infinite), "cloth: node 1 is not finite");
  EXPECT_EQ(refusal(ClothMesh()), "cloth: has no triangles");
}

TEST(ClothMesh, GridsCoverTheirRectangle) {
  const ClothMesh mesh = grid_mesh(0.6, 0.4, 5, 3);
  EXPECT_EQ(refusal(mesh), "");
  EXPECT_EQ(mesh.x.cols(), 6 * 4);
  EXPECT_EQ(mesh.triangles.size(), 2u * 5 * 3);
  EXPECT_NEAR(mesh.x.rowwise().sum().norm(), 0, 1e-14);
  EXPECT_NEAR((mesh.x.col(23) - Vector3d(0.3, 0.2, 0)).norm(), 0, 1e-15);
  double area = 0;
  for (int t = 0; t < 30; ++t) area += triangle_area(mesh, t);
  EXPECT_NEAR(area, 0.24, 1e-15);
  for (const auto& [a, b, c] : mesh.triangles) {
    const Vector3d ab = mesh.x.col(b) - mesh.x.col(a), ac = mesh.x.col(c) - mesh.x.col(a);
    EXPECT_GT(ab.cross(ac).z(), 0);
  }
}

TEST(ClothMesh, DiagonalsOfAGridAlternate) {
  // Inner nodes have 8 neighbours or 4, like the squares of a chess board
  const ClothMesh mesh = grid_mesh(4, 4, 4, 4);
  std::vector<int> neighbours(25, 0);
  for (const ClothEdge& edge : cloth_edges(mesh))
    for (const int node : edge.nodes) ++neighbours[node];
  for (int j = 1; j < 4; ++j)
    for (int i = 1; i < 4; ++i) EXPECT_EQ(neighbours[i + 5 * j], (i + j) % 2 == 0 ? 8 : 4);
}

TEST(ClothMesh, EdgesKnowTheirTriangles) {
  // Euler: 20 nodes - edges + 24 triangles = 1; 14 edges are at the boundary
  const ClothMesh mesh = grid_mesh(0.4, 0.3, 4, 3);
  const std::vector<ClothEdge> edges = cloth_edges(mesh);
  EXPECT_EQ(edges.size(), 43u);
  int hinges = 0;
  for (const ClothEdge& edge : edges) {
    hinges += edge.is_hinge();
    for (int side = 0; side < (edge.is_hinge() ? 2 : 1); ++side) {
      const std::array<int, 3>& node = mesh.triangles[edge.triangles[side]];
      const auto at = std::find(node.begin(), node.end(), edge.nodes[side]) - node.begin();
      EXPECT_EQ(node[(at + 1) % 3], edge.nodes[1 - side]);
      EXPECT_EQ(node[(at + 2) % 3], edge.opposite[side]);
    }
  }
  EXPECT_EQ(hinges, 43 - 14);
}

TEST(ClothMesh, MassesAddUp) {
  const ClothMesh mesh = grid_mesh(0.5, 2, 7, 4);
  const Eigen::VectorXd mass = node_masses(mesh, 0.3);
  EXPECT_NEAR(mass.sum(), 0.3, 1e-15);
  EXPECT_GT(mass.minCoeff(), 0);
  EXPECT_THROW(node_masses(mesh, 0), InputError);
}

TEST(ClothMesh, GridsRefuseNothingness) {
  EXPECT_THROW(grid_mesh(0, 1, 2, 2), InputError);
  EXPECT_THROW(grid_mesh(1, std::nan(""), 2, 2), InputError);
  EXPECT_THROW(grid_mesh(1, 1, 2, 0), InputError);
}

TEST(ClothMaterial, RefusesNumbersOutOfRange) {
  const ClothMaterial good = sheet_of(1e6, 0.3, 1e-3, 500);
  for (double ClothMaterial::*number :
       {&ClothMaterial::stretch, &ClothMaterial::poisson, &ClothMaterial::shear, &ClothMaterial::bending,
        &ClothMaterial::density})
    for (const double value : {-1.0, std::nan("")}) {
      ClothMaterial bad = good;
      bad.*number = value;
      EXPECT_THROW(check(bad), InputError);
    }
}

TEST(ClothMaterial, SheetsFollowPlateTheory) {
  // E h, E h/(2 (1 + nu)), E h^3/(12 (1 - nu^2)), rho h
  const ClothMaterial sheet = sheet_of(1e6, 0.25, 1e-3, 500);
  EXPECT_NEAR(sheet.stretch, 1000, 1e-9);
  EXPECT_NEAR(sheet.shear, 400, 1e-9);
  EXPECT_NEAR(sheet.bending, 1e-3 / 11.25, 1e-15);
  EXPECT_NEAR(sheet.density, 0.5, 1e-12);
}

TEST(ClothHinge, MeasuresItsTriangles) {
  // A 3-4-5 triangle and one that leans over its edge
  ClothMesh mesh;
  mesh.x.resize(3, 4);
  mesh.x << 0, 4, 0, 6, 0, 0, 3, -1, 0, 0, 0, 0;
  mesh.triangles = {{0, 1, 2}, {1, 0, 3}};
  const HingeShape hinge = hinge_shape(mesh, cloth_edges(mesh)[0]);
  EXPECT_NEAR(hinge.length, 4, 1e-15);
  EXPECT_NEAR(hinge.height[0], 3, 1e-15);
  EXPECT_NEAR(hinge.height[1], 1, 1e-15);
  EXPECT_NEAR(hinge.foot[0], 0, 1e-15);
  EXPECT_NEAR(hinge.foot[1], 1.5, 1e-15);
}

}  // namespace
}  // namespace capstan::cloth_test
