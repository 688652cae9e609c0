#include "capstan/body/soft/solid_elasticity.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <string>

#include "capstan/body/soft/polar.hpp"
#include "capstan/errors.hpp"

namespace capstan {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::Vector3d;

using ShapeGradients = Eigen::Matrix<double, 3, 4>;  // a column a corner

Matrix3d edges_from_first(const Matrix3Xd& x, const std::array<int, 4>& node) {
  Matrix3d D;
  for (int k = 0; k < 3; ++k) D.col(k) = x.col(node[k + 1]) - x.col(node[0]);
  return D;
}

/// Gradients of the four shape functions in the rest shape: they add up to zero.
ShapeGradients shape_gradients(const Matrix3d& inverse) {
  ShapeGradients g;
  g.rightCols<3>() = inverse.transpose();
  g.col(0) = -g.rightCols<3>().rowwise().sum();
  return g;
}

/// The nearest positive semidefinite matrix. Most are: the minors say so.
Matrix3d semidefinite_part(const Matrix3d& A) {
  const double minor = A(0, 0) * A(1, 1) - A(0, 1) * A(0, 1);
  if (A(0, 0) > 0 && minor > 0 && A.determinant() > 0) return A;
  const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(A);
  const Matrix3d& Q = solver.eigenvectors();
  return Q * solver.eigenvalues().cwiseMax(0).asDiagonal() * Q.transpose();
}

}  // namespace

LameConstants lame_constants(const SolidMaterial& material) {
  const double E = material.young, nu = material.poisson;
  if (!(E > 0) || !std::isfinite(E))
    throw InputError("solid: young is " + std::to_string(E) + ", expected > 0");
  if (!(nu > -1 && nu < 0.5))
    throw InputError("solid: poisson is " + std::to_string(nu) + ", expected above -1 and below 0.5");
  return {E * nu / ((1 + nu) * (1 - 2 * nu)), E / (2 * (1 + nu))};
}

SolidElasticity::SolidElasticity(const TetMesh& rest) : nodes_(rest.nodes()) {
  check_mesh(rest);
  tets_.reserve(rest.tets.size());
  for (std::size_t t = 0; t < rest.tets.size(); ++t)
    tets_.push_back(
        {rest.tets[t], tet_volume(rest, int(t)), edges_from_first(rest.x, rest.tets[t]).inverse()});
}

Matrix3d SolidElasticity::Tet::gradient(const Matrix3Xd& x) const {
  return edges_from_first(x, node) * inverse;
}

double SolidElasticity::rest_volume() const {
  double sum = 0;
  for (const Tet& tet : tets_) sum += tet.volume;
  return sum;
}

std::vector<std::pair<int, int>> SolidElasticity::couplings() const {
  std::vector<std::pair<int, int>> pairs;
  pairs.reserve(6 * tets_.size());
  for (const Tet& tet : tets_)
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < a; ++b) pairs.emplace_back(tet.node[a], tet.node[b]);
  return pairs;
}

double SolidElasticity::energy(const Matrix3Xd& x) const {
  double sum = 0;
  for (const Tet& tet : tets_) sum += tet.volume * energy_density(tet.gradient(x));
  return sum;
}

void SolidElasticity::add_forces(const Matrix3Xd& x, Matrix3Xd& f) const {
  for (const Tet& tet : tets_) {
    const Matrix3d forces = -tet.volume * stress(tet.gradient(x)) * tet.inverse.transpose();
    for (int k = 0; k < 3; ++k) f.col(tet.node[k + 1]) += forces.col(k);
    f.col(tet.node[0]) -= forces.rowwise().sum();
  }
}

/// What the force on a corner of gradient ha owes to the place of one of gradient hb, both along U.
Matrix3d SolidElasticity::Tangent::between(const Vector3d& ha, const Vector3d& hb) const {
  Matrix3d Y = normal.cwiseProduct(ha * hb.transpose()) + crossed.cwiseProduct(hb * ha.transpose());
  Y.diagonal() += same * ha.cwiseProduct(hb);
  return Y;
}

void SolidElasticity::add_stiffness(const Matrix3Xd& x, NodeMatrix& K) const {
  for (const Tet& tet : tets_) {
    const Tangent t = tangent(tet.gradient(x));
    const ShapeGradients h = t.V.transpose() * shape_gradients(tet.inverse);
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b <= a; ++b)
        K.add(tet.node[a], tet.node[b], tet.volume * (t.U * t.between(h.col(a), h.col(b)) * t.U.transpose()));
  }
}

Eigen::VectorXd SolidElasticity::strain(const Matrix3Xd& x) const {
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(nodes_), volume = sum;
  for (const Tet& tet : tets_) {
    const Matrix3d F = tet.gradient(x), S = nearest_rotation(F).transpose() * F;
    const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(S, Eigen::EigenvaluesOnly);
    const double largest = (solver.eigenvalues().array() - 1).abs().maxCoeff();
    for (const int node : tet.node) sum[node] += tet.volume * largest, volume[node] += tet.volume;
  }
  return (volume.array() > 0).select(sum.array() / volume.array(), 0.0);
}

CorotationalSolid::CorotationalSolid(const TetMesh& rest, const SolidMaterial& material)
    : SolidElasticity(rest), lame_(lame_constants(material)) {}

double CorotationalSolid::energy_density(const Matrix3d& F) const {
  const Matrix3d R = nearest_rotation(F);
  const double growth = R.cwiseProduct(F).sum() - 3;
  return lame_.mu * (F - R).squaredNorm() + lame_.lambda / 2 * growth * growth;
}

Matrix3d CorotationalSolid::stress(const Matrix3d& F) const {
  const Matrix3d R = nearest_rotation(F);
  return 2 * lame_.mu * (F - R) + lame_.lambda * (R.cwiseProduct(F).sum() - 3) * R;
}

SolidElasticity::Tangent CorotationalSolid::tangent(const Matrix3d& F) const {
  const Matrix3d others = Matrix3d::Ones() - Matrix3d::Identity();
  return {nearest_rotation(F), Matrix3d::Identity(),
          2 * lame_.mu * Matrix3d::Identity() + lame_.lambda * Matrix3d::Ones(), lame_.mu * others,
          lame_.mu * others};
}

// |R - Q|^2 = 8 sin^2(angle/2) for rotations R, Q.
double CorotationalSolid::stiffness_change(const Matrix3Xd& x, const Matrix3Xd& before) const {
  double largest = 0;
  for (const Tet& tet : elements())
    largest = std::max(
        largest, (nearest_rotation(tet.gradient(x)) - nearest_rotation(tet.gradient(before))).squaredNorm());
  return 2 * std::asin(std::min(1.0, std::sqrt(largest / 8)));
}

NeoHookeanSolid::NeoHookeanSolid(const TetMesh& rest, const SolidMaterial& material) : SolidElasticity(rest) {
  const LameConstants lame = lame_constants(material);
  mu_ = 4.0 / 3 * lame.mu;
  lambda_ = lame.lambda + 5.0 / 6 * lame.mu;
  alpha_ = 1 + 0.75 * mu_ / lambda_;
  at_rest_ = lambda_ / 2 * (1 - alpha_) * (1 - alpha_) - mu_ / 2 * std::log(4.0);
}

double NeoHookeanSolid::energy_density(const Matrix3d& F) const {
  const double length = F.squaredNorm(), grown = F.determinant() - alpha_;
  return mu_ / 2 * (length - 3 - std::log(length + 1)) + lambda_ / 2 * grown * grown - at_rest_;
}

Matrix3d NeoHookeanSolid::stress(const Matrix3d& F) const {
  const double length = F.squaredNorm();
  return mu_ * length / (length + 1) * F + lambda_ * (F.determinant() - alpha_) * cofactors(F);
}

// In principal stretches s the energy density is psi(s). The eigenvalues of its second derivative by F are
// those of psi_ij, for changes of the stretches, and for each two axes i, j, with k the third,
//   (psi_i - psi_j)/(s_i - s_j) = c - p s_k   and   (psi_i + psi_j)/(s_i + s_j) = c + p s_k
// for shear and for turning, where psi_i = c s_i + p s_j s_k.
SolidElasticity::Tangent NeoHookeanSolid::tangent(const Matrix3d& F) const {
  const Matrix3d R = nearest_rotation(F);
  const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(R.transpose() * F);
  const Vector3d s = solver.eigenvalues(), J(s[1] * s[2], s[2] * s[0], s[0] * s[1]);
  const double length = s.squaredNorm(), c = mu_ * length / (length + 1), p = lambda_ * (s.prod() - alpha_);
  Tangent t{R * solver.eigenvectors(), solver.eigenvectors(),
            2 * mu_ / ((length + 1) * (length + 1)) * s * s.transpose() + lambda_ * J * J.transpose(),
            Matrix3d::Zero(), Matrix3d::Zero()};
  t.normal.diagonal().array() += c;
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const double shear = std::max(c - p * s[k], 0.0), turn = std::max(c + p * s[k], 0.0);
    t.normal(i, j) = t.normal(j, i) = t.normal(i, j) + p * s[k];
    t.same(i, j) = t.same(j, i) = (shear + turn) / 2;
    t.crossed(i, j) = t.crossed(j, i) = (shear - turn) / 2;
  }
  t.normal = semidefinite_part(t.normal);
  return t;
}

}  // namespace capstan
