#include "capstan/body/soft/cloth_triangles.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace capstan {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector3d;

RestTriangle rest_triangle(const ClothMesh& mesh, int triangle) {
  const std::array<int, 3>& nodes = mesh.triangles[triangle];
  const Vector3d e = mesh.x.col(nodes[1]) - mesh.x.col(nodes[0]),
                 f = mesh.x.col(nodes[2]) - mesh.x.col(nodes[0]);
  const Vector3d u = e.normalized();
  Matrix2d edges;  // as columns, with u for the first direction of the plane
  edges << e.norm(), f.dot(u), 0, (f - f.dot(u) * u).norm();
  const Matrix2d inverse = edges.inverse();
  RestTriangle rest{nodes, edges.determinant() / 2, {}};
  rest.b.col(1) = inverse.row(0);
  rest.b.col(2) = inverse.row(1);
  rest.b.col(0) = -rest.b.col(1) - rest.b.col(2);
  return rest;
}

/// Stretches are the square roots of the eigenvalues of C = F^T F.
double principal_strain(const RestTriangle& triangle, const Eigen::Matrix3Xd& x) {
  const RestTriangle::Deformation F = triangle.deformation(x);
  const Matrix2d C = F.transpose() * F;
  const double mean = C.trace() / 2, half = std::hypot((C(0, 0) - C(1, 1)) / 2, C(0, 1));
  const double longest = std::sqrt(mean + half), shortest = std::sqrt(std::max(mean - half, 0.0));
  return std::max(std::abs(longest - 1), std::abs(shortest - 1));
}

}  // namespace

std::vector<RestTriangle> rest_triangles(const ClothMesh& mesh) {
  std::vector<RestTriangle> triangles;
  triangles.reserve(mesh.triangles.size());
  for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t)
    triangles.push_back(rest_triangle(mesh, t));
  return triangles;
}

Eigen::VectorXd triangle_strain(const std::vector<RestTriangle>& triangles, const Eigen::Matrix3Xd& x) {
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(x.cols()), area = sum;
  for (const RestTriangle& triangle : triangles) {
    const double strain = principal_strain(triangle, x);
    for (const int node : triangle.nodes) {
      sum[node] += triangle.area * strain;
      area[node] += triangle.area;
    }
  }
  return sum.cwiseQuotient(area);
}

double triangle_change(const std::vector<RestTriangle>& triangles, const Eigen::Matrix3Xd& x,
                       const Eigen::Matrix3Xd& before) {
  const Eigen::Matrix3Xd moved = x - before;
  double change = 0;
  for (const RestTriangle& triangle : triangles)
    change = std::max(change, triangle.deformation(moved).squaredNorm());
  return 2 * std::sqrt(change);
}

}  // namespace capstan
