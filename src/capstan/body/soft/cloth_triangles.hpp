#pragma once
#include <Eigen/Core>
#include <array>
#include <vector>

#include "capstan/body/soft/cloth_mesh.hpp"

namespace capstan {

/// A triangle at rest, in a plane of its own.
struct RestTriangle {
  using Deformation = Eigen::Matrix<double, 3, 2>;

  std::array<int, 3> nodes;
  double area;                    // m^2
  Eigen::Matrix<double, 2, 3> b;  // column i: gradient of the linear function that is 1 at node i, 1/m

  /// F = sum x_i b_i^T: where the rest plane's directions go.
  Deformation deformation(const Eigen::Matrix3Xd& x) const {
    return x.col(nodes[0]) * b.col(0).transpose() + x.col(nodes[1]) * b.col(1).transpose() +
           x.col(nodes[2]) * b.col(2).transpose();
  }
};

/// The mesh must have passed check().
std::vector<RestTriangle> rest_triangles(const ClothMesh& mesh);

/// At each node: the largest |stretch - 1| over the principal directions of each triangle beside
/// it, averaged by area.
Eigen::VectorXd triangle_strain(const std::vector<RestTriangle>& triangles, const Eigen::Matrix3Xd& x);

/// 2 max |F(x) - F(before)|: elastic stiffness goes like F (...) F^T, so that is how much its largest block
/// changes, as a part of it, for triangles that are turned or stretched a little.
double triangle_change(const std::vector<RestTriangle>& triangles, const Eigen::Matrix3Xd& x,
                       const Eigen::Matrix3Xd& before);

}  // namespace capstan
