#pragma once
#include <Eigen/Dense>
#include <cmath>
#include <memory>
#include <numbers>

#include "body/settle.hpp"
#include "capstan/body/rod/node_chain.hpp"

namespace capstan {

/// A round rod of bending stiffness B = 1 and linear density 1: with length 1, gravity is Gamma, a tip load
/// is alpha, and frequencies are (beta_n L)^2.
inline RodProperties unit_rod() {
  RodProperties rod;
  rod.radius = 1e-3;
  rod.linear_density = 1;
  rod.bending_1 = rod.bending_2 = 1;
  rod.twisting = 1 / 1.5;  // nu = 0.5
  rod.stretching = 1e7;
  rod.inertia_1 = rod.inertia_2 = 1e-5;
  return rod;
}

/// Tangent first.
inline Eigen::Matrix3d frame_of(const Eigen::Vector3d& tangent, const Eigen::Vector3d& n1) {
  Eigen::Matrix3d R;
  R.col(0) = tangent.normalized();
  R.col(1) = (n1 - R.col(0) * R.col(0).dot(n1)).normalized();
  R.col(2) = R.col(0).cross(R.col(1));
  return R;
}

/// Straight at the start, from the origin along `tangent`, clamped there.
inline StrandShape clamped(const Eigen::Vector3d& tangent, const Eigen::Vector3d& n1, double length = 1) {
  StrandShape shape;
  shape.length = length;
  shape.root = {Hold::clamped, Motion(Frame{Eigen::Vector3d::Zero(), frame_of(tangent, n1)})};
  return shape;
}

inline StrandShape horizontal(double length = 1) {
  return clamped(Eigen::Vector3d::UnitX(), Eigen::Vector3d::UnitZ(), length);
}

inline StepConditions steps_of(double dt, const Eigen::Vector3d& gravity = Eigen::Vector3d::Zero(),
                               double theta = 1) {
  StepConditions step;
  step.dt = dt;
  step.gravity = gravity;
  step.theta = theta;
  return step;
}

inline const BandedMatrix& banded(const Strand& strand) { return std::get<BandedMatrix>(strand.matrix()); }

/// K of A = M + dt^2 K, from two time steps at the same state (no damping).
inline Eigen::MatrixXd stiffness(Strand& strand, double dt = 1e-2) {
  strand.begin_step(steps_of(dt));
  const Eigen::MatrixXd A1 = banded(strand).dense();
  strand.begin_step(steps_of(2 * dt));
  return (banded(strand).dense() - A1) / (3 * dt * dt);
}

inline Eigen::MatrixXd mass_matrix(Strand& strand, double dt = 1e-2) {
  const Eigen::MatrixXd K = stiffness(strand, dt);
  strand.begin_step(steps_of(dt));
  return banded(strand).dense() - dt * dt * K;
}

/// Elastic force on the dofs of a strand at rest: f = M v + dt F with v = 0.
inline Eigen::VectorXd elastic_force(Strand& strand, double dt = 1e-2) {
  const std::vector<double> state = strand.state();
  strand.begin_step(steps_of(dt));
  strand.end_step(Eigen::VectorXd::Zero(strand.dofs()));  // v = 0, the shape as before
  strand.begin_step(steps_of(dt));
  const Eigen::VectorXd F = strand.force() / dt;
  strand.set_state(state);
  return F;
}

/// Moves the strand by h along `direction`, a vector of its dofs, and leaves it at rest.
inline void displace(Strand& strand, const Eigen::VectorXd& direction, double h, double dt = 1e-2) {
  strand.begin_step(steps_of(dt));
  strand.end_step(direction * (h / dt));
  strand.begin_step(steps_of(dt));
  strand.end_step(Eigen::VectorXd::Zero(strand.dofs()));
}

inline double elastic_after(Strand& strand, const Eigen::VectorXd& direction, double h) {
  const std::vector<double> state = strand.state();
  displace(strand, direction, h);
  const double energy = strand.energy(Eigen::Vector3d::Zero()).elastic;
  strand.set_state(state);
  return energy;
}

inline bool is_finite(const Strand& strand) {
  for (const double value : strand.state())
    if (!std::isfinite(value)) return false;
  return true;
}

/// An arc of a helix around z, n + 1 points.
inline std::vector<Eigen::Vector3d> helix_nodes(double curvature, double torsion, double length, int n) {
  const double k2 = curvature * curvature + torsion * torsion, w = std::sqrt(k2);
  std::vector<Eigen::Vector3d> nodes;
  for (int i = 0; i <= n; ++i) {
    const double s = length * i / n;
    nodes.emplace_back(curvature / k2 * std::cos(w * s), curvature / k2 * std::sin(w * s), torsion / w * s);
  }
  return nodes;
}

}  // namespace capstan
