#include "capstan/body/soft/membrane_cloth.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "capstan/body/soft/cloth_hinge.hpp"

namespace capstan {
namespace {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

Matrix2d green_strain(const RestTriangle::Deformation& F) {
  return 0.5 * (F.transpose() * F - Matrix2d::Identity());
}

/// The positive semidefinite part of a symmetric matrix: S = m I + (d, c; c, -d), eigenvalues m +- hypot(d,
/// c).
Matrix2d tensile_part(const Matrix2d& S) {
  const double mean = S.trace() / 2, half = std::hypot((S(0, 0) - S(1, 1)) / 2, S(0, 1));
  if (mean - half >= 0) return S;
  if (mean + half <= 0) return Matrix2d::Zero();
  // (m + h) times the projector on its direction, (S - (m - h) I)/(2 h)
  return (mean + half) / (2 * half) * (S - (mean - half) * Matrix2d::Identity());
}

/// The edge, and normals of the two triangles of twice their area.
struct HingeNormals {
  Vector3d a, e, n1, n2;
};

HingeNormals hinge_normals(const std::array<int, 4>& nodes, const Eigen::Matrix3Xd& x) {
  const Vector3d a = x.col(nodes[0]), e = x.col(nodes[1]) - a;
  return {a, e, e.cross(x.col(nodes[2]) - a), (x.col(nodes[3]) - a).cross(e)};
}

double angle_between(const HingeNormals& hinge) {
  const double length = hinge.e.norm();
  const double sine = length > 0 ? hinge.n2.cross(hinge.n1).dot(hinge.e) / length : 0;
  return std::atan2(sine, hinge.n1.dot(hinge.n2));
}

}  // namespace

MembraneCloth::MembraneCloth(const ClothMesh& mesh, const ClothMaterial& material) {
  check(mesh);
  check(material);
  lambda_ = material.stretch * material.poisson / (1 - material.poisson * material.poisson);
  mu_ = material.stretch / (2 * (1 + material.poisson));
  triangles_ = rest_triangles(mesh);
  for (const ClothEdge& edge : cloth_edges(mesh))
    if (edge.is_hinge()) hinges_.push_back(rest_hinge(mesh, edge, material.bending));
}

MembraneCloth::Hinge MembraneCloth::rest_hinge(const ClothMesh& mesh, const ClothEdge& edge,
                                               double bending) const {
  constexpr double least2 = 0.1 * 0.1;
  Hinge hinge{{edge.nodes[0], edge.nodes[1], edge.opposite[0], edge.opposite[1]}, 0, 0, 0, {}};
  const HingeNormals rest = hinge_normals(hinge.nodes, mesh.x);
  hinge.stiffness = hinge_stiffness(hinge_shape(mesh, edge), bending);
  hinge.angle = angle_between(rest);
  hinge.least_length2 = least2 * rest.e.squaredNorm();
  hinge.least_area2 = {least2 * rest.n1.squaredNorm(), least2 * rest.n2.squaredNorm()};
  return hinge;
}

double MembraneCloth::angle_value(const Hinge& hinge, const Eigen::Matrix3Xd& x) {
  return angle_between(hinge_normals(hinge.nodes, x));
}

/// Raising c by dz above the edge turns its triangle by dz/height. The edge's nodes take what keeps a motion
/// of the whole hinge without effect.
MembraneCloth::Angle MembraneCloth::angle_of(const Hinge& hinge, const Eigen::Matrix3Xd& x) {
  const HingeNormals now = hinge_normals(hinge.nodes, x);
  const double length = now.e.norm(), length2 = std::max(now.e.squaredNorm(), hinge.least_length2);
  const double foot_c = now.e.dot(x.col(hinge.nodes[2]) - now.a) / length2;
  const double foot_d = now.e.dot(x.col(hinge.nodes[3]) - now.a) / length2;
  const Vector3d c = length / std::max(now.n1.squaredNorm(), hinge.least_area2[0]) * now.n1;
  const Vector3d d = length / std::max(now.n2.squaredNorm(), hinge.least_area2[1]) * now.n2;
  return {angle_between(now), {(foot_c - 1) * c + (foot_d - 1) * d, -foot_c * c - foot_d * d, c, d}};
}

Matrix2d MembraneCloth::stress(const RestTriangle::Deformation& F) const {
  const Matrix2d E = green_strain(F);
  return lambda_ * E.trace() * Matrix2d::Identity() + 2 * mu_ * E;
}

std::vector<std::pair<int, int>> MembraneCloth::couplings() const {
  std::vector<std::pair<int, int>> pairs;
  for (const RestTriangle& triangle : triangles_)
    for (int i = 0; i < 3; ++i) pairs.emplace_back(triangle.nodes[i], triangle.nodes[(i + 1) % 3]);
  for (const Hinge& hinge : hinges_) pairs.emplace_back(hinge.nodes[2], hinge.nodes[3]);
  return pairs;
}

double MembraneCloth::energy(const Eigen::Matrix3Xd& x) const {
  double energy = 0;
  for (const RestTriangle& triangle : triangles_) {
    const RestTriangle::Deformation F = triangle.deformation(x);
    energy += triangle.area / 2 * stress(F).cwiseProduct(green_strain(F)).sum();
  }
  for (const Hinge& hinge : hinges_) {
    const double turned = angle_value(hinge, x) - hinge.angle;
    energy += hinge.stiffness / 2 * turned * turned;
  }
  return energy;
}

void MembraneCloth::add_forces(const Eigen::Matrix3Xd& x, Eigen::Matrix3Xd& f) const {
  for (const RestTriangle& triangle : triangles_) {
    const RestTriangle::Deformation F = triangle.deformation(x);
    const Matrix3d gradient = triangle.area * F * stress(F) * triangle.b;
    for (int i = 0; i < 3; ++i) f.col(triangle.nodes[i]) -= gradient.col(i);
  }
  for (const Hinge& hinge : hinges_) {
    const Angle theta = angle_of(hinge, x);
    const double moment = hinge.stiffness * (theta.value - hinge.angle);
    for (int i = 0; i < 4; ++i) f.col(hinge.nodes[i]) -= moment * theta.gradient[i];
  }
}

/// K_ij = area F (lambda b_i b_j^T + mu (b_j b_i^T + b_i.b_j I)) F^T + area (b_i . S b_j) I. Columns add up
/// to zero, since all nodes moving together strain nothing.
void MembraneCloth::add_membrane(const RestTriangle& triangle, const Eigen::Matrix3Xd& x,
                                 NodeMatrix& K) const {
  const RestTriangle::Deformation F = triangle.deformation(x);
  const Matrix2d S = triangle.area * tensile_part(stress(F));
  const Matrix3d Fb = F * triangle.b, FF = triangle.area * mu_ * F * F.transpose();
  const double lambda = triangle.area * lambda_, mu = triangle.area * mu_;
  const auto block = [&](int i, int j) -> Matrix3d {
    const Vector2d bi = triangle.b.col(i), bj = triangle.b.col(j);
    return lambda * Fb.col(i) * Fb.col(j).transpose() + mu * Fb.col(j) * Fb.col(i).transpose() +
           bi.dot(bj) * FF + bi.dot(S * bj) * Matrix3d::Identity();
  };
  const auto& [n0, n1, n2] = triangle.nodes;
  const Matrix3d K00 = block(0, 0), K10 = block(1, 0), K11 = block(1, 1);
  const Matrix3d K20 = -K00 - K10, K21 = -K10.transpose() - K11;
  K.add(n0, n0, K00);
  K.add(n1, n0, K10);
  K.add(n1, n1, K11);
  K.add(n2, n0, K20);
  K.add(n2, n1, K21);
  K.add(n2, n2, -K20 - K21);
}

void MembraneCloth::add_stiffness(const Eigen::Matrix3Xd& x, NodeMatrix& K) const {
  for (const RestTriangle& triangle : triangles_) add_membrane(triangle, x, K);
  for (const Hinge& hinge : hinges_) {
    const Angle theta = angle_of(hinge, x);
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j <= i; ++j)
        K.add(hinge.nodes[i], hinge.nodes[j],
              hinge.stiffness * theta.gradient[i] * theta.gradient[j].transpose());
  }
}

double MembraneCloth::stiffness_change(const Eigen::Matrix3Xd& x, const Eigen::Matrix3Xd& before) const {
  return triangle_change(triangles_, x, before);
}

Eigen::VectorXd MembraneCloth::strain(const Eigen::Matrix3Xd& x) const {
  return triangle_strain(triangles_, x);
}

}  // namespace capstan
