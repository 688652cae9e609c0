#pragma once
#include <Eigen/Dense>
#include <cmath>
#include <initializer_list>
#include <stdexcept>
#include <vector>

#include "capstan/body/rod/super_helix.hpp"

namespace capstan {

/// A rod in units of its own: L = 1, B = 1, weight per length Gamma = w L^3/B under gravity 1.
inline RodProperties unit_rod(double gamma, double twisting = 2.0 / 3) {
  RodProperties rod;
  rod.radius = 1e-3;
  rod.linear_density = gamma;
  rod.bending_1 = rod.bending_2 = 1;
  rod.twisting = twisting;
  rod.inertia_1 = rod.inertia_2 = 2.5e-7 * gamma;
  return rod;
}

/// Straight or naturally curved, clamped at the origin.
inline StrandShape clamped_shape(const Eigen::Matrix3d& R, double length = 1,
                                 const Eigen::Vector3d& k = Eigen::Vector3d::Zero()) {
  StrandShape shape;
  shape.length = length;
  shape.natural_curvature = k;
  shape.root = {Hold::clamped, Motion(Frame{Eigen::Vector3d::Zero(), R})};
  return shape;
}

inline Eigen::Matrix3d axes(const Eigen::Vector3d& n0, const Eigen::Vector3d& n1) {
  Eigen::Matrix3d R;
  R << n0, n1, n0.cross(n1);
  return R;
}

/// Statics of a clamped super-helix, seen only through begin_step and force(): f of a step of 1 s from rest
/// is minus the gradient of the energy.
class Statics {
 public:
  SuperHelix& strand;
  Eigen::Vector3d gravity;

  Eigen::VectorXd curvatures() const {
    Eigen::VectorXd q(3 * strand.segments());
    for (int i = 0; i < strand.segments(); ++i) q.segment<3>(3 * i) = strand.curvature(i);
    return q;
  }
  void set(const Eigen::VectorXd& q) {
    std::vector<Eigen::Vector3d> k;
    for (int i = 0; i < strand.segments(); ++i) k.push_back(q.segment<3>(3 * i));
    strand.set_curvatures(k);
  }
  Eigen::VectorXd force(const Eigen::VectorXd& q) {
    set(q);
    strand.begin_step({.t = 0, .dt = 1, .theta = 1, .gravity = gravity, .air = Eigen::Vector3d::Zero()});
    return strand.force();
  }
  /// Of elasticity, gravity and dead loads.
  double energy(const Eigen::VectorXd& q) {
    set(q);
    double energy = strand.energy(gravity).total();
    for (const PointForce& load : strand.loads) energy -= load.f.dot(strand.position(load.s));
    return energy;
  }
  /// Second derivative of the energy in the given dofs, by central differences of the force.
  Eigen::MatrixXd stiffness(const std::vector<int>& dofs) {
    const Eigen::VectorXd q = curvatures();
    const int n = static_cast<int>(dofs.size());
    const double h = 1e-5 * strand.segments() / strand.length();
    Eigen::MatrixXd K(n, n);
    for (int j = 0; j < n; ++j) {
      Eigen::VectorXd step = Eigen::VectorXd::Zero(q.size());
      step[dofs[j]] = h;
      K.col(j) = ((force(q - step) - force(q + step)) / (2 * h))(dofs);
    }
    set(q);
    return (K + K.transpose()) / 2;
  }
  /// Newton in the given dofs, the others kept: to a stable or, where symmetry holds it, an unstable state.
  void equilibrate(const std::vector<int>& dofs, int max_iterations = 100) {
    const double l = strand.length() / strand.segments();
    for (int i = 0; i < max_iterations; ++i) {
      const Eigen::VectorXd q = curvatures();
      const Eigen::VectorXd f = force(q)(dofs);
      const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> K(stiffness(dofs));
      // Uphill directions are taken downhill, so that it cannot end at a maximum.
      const double floor = 1e-6 * K.eigenvalues().cwiseAbs().maxCoeff();
      const Eigen::VectorXd curved = K.eigenvalues().cwiseAbs().cwiseMax(floor);
      Eigen::VectorXd step = K.eigenvectors() * (K.eigenvectors().transpose() * f).cwiseQuotient(curved);
      const double size = step.cwiseAbs().maxCoeff() * l;
      if (size > 0.5) step *= 0.5 / size;
      const double before = energy(q), rounding = 1e-13 * std::abs(before);
      const auto moved = [&](double fraction) {
        Eigen::VectorXd next = q;
        next(dofs) += fraction * step;
        return next;
      };
      double fraction = 1;
      while (fraction > 1e-3 && energy(moved(fraction)) > before + rounding) fraction /= 2;
      set(moved(fraction));
      if (size < 1e-8) return;
    }
    throw std::runtime_error("no equilibrium found");
  }
  /// The dofs of these components of every k: 0 twist, 1 and 2 curvature.
  std::vector<int> dofs_of(std::initializer_list<int> components) const {
    std::vector<int> dofs;
    for (int i = 0; i < strand.segments(); ++i)
      for (const int c : components) dofs.push_back(3 * i + c);
    return dofs;
  }
  std::vector<int> all() const { return dofs_of({0, 1, 2}); }
};

}  // namespace capstan
