#include "capstan/body/soft/mass_spring_cloth.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "capstan/body/soft/cloth_hinge.hpp"

namespace capstan {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

double rest_length(const ClothMesh& mesh, int a, int b) { return (mesh.x.col(a) - mesh.x.col(b)).norm(); }

/// Whether the edge is the longest of the triangle and sees about a right angle (75 to 105 degrees).
bool is_hypotenuse(const ClothMesh& mesh, const ClothEdge& edge, int side) {
  constexpr double largest_cosine = 0.2588;
  const Vector3d tip = mesh.x.col(edge.opposite[side]);
  const Vector3d a = mesh.x.col(edge.nodes[0]) - tip, b = mesh.x.col(edge.nodes[1]) - tip;
  const double length = rest_length(mesh, edge.nodes[0], edge.nodes[1]);
  return length > std::max(a.norm(), b.norm()) && std::abs(a.dot(b)) < largest_cosine * a.norm() * b.norm();
}

/// The edge that is the diagonal of each triangle's cell; -1: it has none.
std::vector<int> cell_diagonals(const ClothMesh& mesh, const std::vector<ClothEdge>& edges) {
  std::vector<int> diagonal(mesh.triangles.size(), -1);
  for (std::size_t i = 0; i < edges.size(); ++i)
    if (edges[i].is_hinge() && is_hypotenuse(mesh, edges[i], 0) && is_hypotenuse(mesh, edges[i], 1))
      for (const int triangle : edges[i].triangles) diagonal[triangle] = static_cast<int>(i);
  return diagonal;
}

/// C of a cell's elasticity, so that C - G^2/C = E.
double cell_modulus(const ClothMaterial& material) {
  return (material.stretch + std::hypot(material.stretch, 2 * material.shear)) / 2;
}

/// What a triangle of a cell gives to one of its sides.
double side_stiffness(const ClothMesh& mesh, const ClothEdge& edge, int side, const ClothMaterial& material) {
  const double a = rest_length(mesh, edge.nodes[0], edge.nodes[1]), C = cell_modulus(material);
  // Its triangle's other side is the shorter of the other two edges.
  const double b = std::min(rest_length(mesh, edge.nodes[0], edge.opposite[side]),
                            rest_length(mesh, edge.nodes[1], edge.opposite[side]));
  const double modulus = std::max(C - material.shear * a * a / (b * b), 0.1 * C);
  return triangle_area(mesh, edge.triangles[side]) * modulus / (a * a);
}

double van_gelder_stiffness(const ClothMesh& mesh, const ClothEdge& edge, int side, double stretch) {
  const double length = rest_length(mesh, edge.nodes[0], edge.nodes[1]);
  return stretch * triangle_area(mesh, edge.triangles[side]) / (length * length);
}

// Of (|d| - rest)^2/2:

double length_energy(const Vector3d& d, double rest) { return 0.5 * std::pow(d.norm() - rest, 2); }

Vector3d length_gradient(const Vector3d& d, double rest) {
  const double length = d.norm();
  return length > 1e-12 * rest ? Vector3d((1 - rest / length) * d) : Vector3d::Zero();
}

/// Without what is negative: t t^T + max(0, 1 - rest/|d|) (I - t t^T).
Matrix3d length_stiffness(const Vector3d& d, double rest) {
  if (rest == 0) return Matrix3d::Identity();
  const double length = d.norm(), across = length > rest ? 1 - rest / length : 0;
  const Vector3d t = length > 1e-12 * rest ? Vector3d(d / length) : Vector3d::Zero();
  return across * Matrix3d::Identity() + (1 - across) * t * t.transpose();
}

}  // namespace

MassSpringCloth::MassSpringCloth(const ClothMesh& mesh, const ClothMaterial& material) {
  check(mesh);
  check(material);
  triangles_ = rest_triangles(mesh);
  const std::vector<ClothEdge> edges = cloth_edges(mesh);
  add_springs(mesh, edges, material);
  for (const ClothEdge& edge : edges)
    if (edge.is_hinge()) add_bend(mesh, edge, material.bending);
}

void MassSpringCloth::add_springs(const ClothMesh& mesh, const std::vector<ClothEdge>& edges,
                                  const ClothMaterial& material) {
  const std::vector<int> diagonal = cell_diagonals(mesh, edges);
  const auto add = [&](const std::array<int, 2>& nodes, double stiffness) {
    springs_.push_back({nodes[0], nodes[1], stiffness, rest_length(mesh, nodes[0], nodes[1])});
  };
  const auto add_diagonal = [&](const std::array<int, 2>& nodes, double area) {
    add(nodes, material.shear * std::pow(rest_length(mesh, nodes[0], nodes[1]), 2) / (2 * area));
  };
  for (int i = 0; i < static_cast<int>(edges.size()); ++i) {
    const ClothEdge& edge = edges[i];
    if (diagonal[edge.triangles[0]] == i) {
      const double area = triangle_area(mesh, edge.triangles[0]) + triangle_area(mesh, edge.triangles[1]);
      add_diagonal(edge.nodes, area);
      add_diagonal(edge.opposite, area);
      continue;
    }
    double stiffness = 0;
    for (int side = 0; side < (edge.is_hinge() ? 2 : 1); ++side)
      stiffness += diagonal[edge.triangles[side]] >= 0
                       ? side_stiffness(mesh, edge, side, material)
                       : van_gelder_stiffness(mesh, edge, side, material.stretch);
    add(edge.nodes, stiffness);
  }
}

void MassSpringCloth::add_bend(const ClothMesh& mesh, const ClothEdge& edge, double bending) {
  const HingeShape hinge = hinge_shape(mesh, edge);
  const double c = 1 / hinge.height[0], d = 1 / hinge.height[1];
  Bend bend{{edge.nodes[0], edge.nodes[1], edge.opposite[0], edge.opposite[1]},
            {(hinge.foot[0] - 1) * c + (hinge.foot[1] - 1) * d, -hinge.foot[0] * c - hinge.foot[1] * d, c, d},
            hinge_stiffness(hinge, bending),
            0};
  const double rest = bend.vector(mesh.x).norm();
  if (rest > 1e-9) bend.rest = rest;  // else rounding would cost the constant Hessian
  bends_.push_back(bend);
}

std::vector<std::pair<int, int>> MassSpringCloth::couplings() const {
  std::vector<std::pair<int, int>> pairs;
  for (const Spring& spring : springs_) pairs.emplace_back(spring.a, spring.b);
  for (const Bend& bend : bends_)
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < i; ++j) pairs.emplace_back(bend.nodes[i], bend.nodes[j]);
  return pairs;
}

double MassSpringCloth::energy(const Eigen::Matrix3Xd& x) const {
  double energy = 0;
  for (const Spring& spring : springs_)
    energy += spring.stiffness * length_energy(spring.vector(x), spring.rest);
  for (const Bend& bend : bends_) energy += bend.stiffness * length_energy(bend.vector(x), bend.rest);
  return energy;
}

void MassSpringCloth::add_forces(const Eigen::Matrix3Xd& x, Eigen::Matrix3Xd& f) const {
  for (const Spring& spring : springs_) {
    const Vector3d tension = spring.stiffness * length_gradient(spring.vector(x), spring.rest);
    f.col(spring.a) += tension;
    f.col(spring.b) -= tension;
  }
  for (const Bend& bend : bends_) {
    const Vector3d gradient = bend.stiffness * length_gradient(bend.vector(x), bend.rest);
    for (int i = 0; i < 4; ++i) f.col(bend.nodes[i]) -= bend.c[i] * gradient;
  }
}

void MassSpringCloth::add_stiffness(const Eigen::Matrix3Xd& x, NodeMatrix& K) const {
  for (const Spring& spring : springs_) {
    const Matrix3d k = spring.stiffness * length_stiffness(spring.vector(x), spring.rest);
    K.add(spring.a, spring.a, k);
    K.add(spring.b, spring.b, k);
    K.add(spring.a, spring.b, -k);
  }
  for (const Bend& bend : bends_) {
    const Matrix3d k = bend.stiffness * length_stiffness(bend.vector(x), bend.rest);
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j <= i; ++j) K.add(bend.nodes[i], bend.nodes[j], bend.c[i] * bend.c[j] * k);
  }
}

double MassSpringCloth::stiffness_change(const Eigen::Matrix3Xd& x, const Eigen::Matrix3Xd& before) const {
  return triangle_change(triangles_, x, before);
}

Eigen::VectorXd MassSpringCloth::strain(const Eigen::Matrix3Xd& x) const {
  return triangle_strain(triangles_, x);
}

}  // namespace capstan
