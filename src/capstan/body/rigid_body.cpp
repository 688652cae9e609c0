#include "capstan/body/rigid_body.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cmath>
#include <optional>
#include <string>

#include "capstan/body/rotation.hpp"
#include "capstan/errors.hpp"

namespace capstan {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr int kNumbers = 13;  // of the state
constexpr int kMaxNewtonSteps = 12;
constexpr int kMaxSubsteps = 1 << 12;

/// s = W0 + W1, the sum of the body-frame angular velocities before and after a step without torque:
///     J (s - 2 W0) + dt/4 s x J s = 0.
/// Its scalar product with s says that W.JW is the same before and after. Empty if Newton's method fails.
std::optional<Vector3d> midpoint_sum(const Matrix3d& J, const Vector3d& W0, double dt) {
  Vector3d s = 2 * W0;
  const double scale = (J * s).norm();
  for (int k = 0; k < kMaxNewtonSteps; ++k) {
    const Vector3d residual = J * (s - 2 * W0) + dt / 4 * s.cross(J * s);
    if (residual.norm() <= 1e-15 * scale) return s;
    const Matrix3d slope = J + dt / 4 * (skew(s) * J - skew(J * s));
    const Vector3d change = slope.partialPivLu().solve(residual);
    if (!change.allFinite()) return std::nullopt;
    s -= change;
    if (change.norm() <= 1e-15 * s.norm()) return s;
  }
  return std::nullopt;
}

}  // namespace

Quaterniond rotate_freely(const Quaterniond& q, const Matrix3d& J, const Matrix3d& inverse_J,
                          const Vector3d& L, double dt) {
  // A step that turns the body too far for Newton's method is made in pieces.
  for (int pieces = 1; pieces <= kMaxSubsteps; pieces *= 2) {
    const double h = dt / pieces;
    Quaterniond turned = q;
    int done = 0;
    for (; done < pieces; ++done) {
      const std::optional<Vector3d> sum = midpoint_sum(J, inverse_J * (turned.conjugate() * L), h);
      if (!sum) break;
      const Vector3d half = h / 4 * *sum;  // Cayley: (1, h/2 times the mean angular velocity)
      turned = (turned * Quaterniond(1, half[0], half[1], half[2])).normalized();
    }
    if (done == pieces) return turned;
  }
  throw InputError("rigid body: it turns too fast: " + std::to_string((inverse_J * L).norm() * dt) +
                   " rad in a step");
}

RigidBody::RigidBody(const MassProperties& mass, const Frame& frame, const Twist& twist)
    : mass_(mass), x_(frame.apply(mass.centre)), v_(twist.linear), q_(frame.R), f_(6) {
  if (!(mass.mass > 0) || !std::isfinite(mass.mass))
    throw InputError("rigid body: mass is " + std::to_string(mass.mass) + ", expected > 0");
  const Eigen::LLT<Matrix3d> factor(mass.inertia);
  if (factor.info() != Eigen::Success || !mass.inertia.allFinite())
    throw InputError("rigid body: its inertia is not positive definite");
  inverse_inertia_ = factor.solve(Matrix3d::Identity());
  q_.normalize();
  R_ = q_.toRotationMatrix();
  L_ = world_inertia() * twist.angular;
  A_ = Eigen::MatrixXd::Zero(6, 6);
}

Vector3d RigidBody::angular_velocity() const { return R_ * (inverse_inertia_ * (R_.transpose() * L_)); }

void RigidBody::begin_step(const StepConditions& step) {
  dt_ = step.dt;
  Eigen::MatrixXd& A = std::get<Eigen::MatrixXd>(A_);
  A.topLeftCorner<3, 3>() = mass_.mass * Matrix3d::Identity();
  A.bottomRightCorner<3, 3>() = world_inertia();
  f_.head<3>() = mass_.mass * (v_ + step.dt * step.gravity) + step.dt * force_on_centre;
  f_.tail<3>() = L_ + step.dt * torque;
}

PointMotion RigidBody::point_motion(const Vector3d& world) const {
  PointMotion motion;
  motion.x = world;
  motion.J.resize(3, 6);
  motion.J << Matrix3d::Identity(), -skew(world - x_);
  motion.free_velocity.setZero();
  return motion;
}

void RigidBody::end_step(const Eigen::VectorXd& v) {
  L_ = world_inertia() * v.tail<3>();
  v_ = v.head<3>();
  x_ += dt_ * v_;
  if (L_.squaredNorm() > 0) q_ = rotate_freely(q_, mass_.inertia, inverse_inertia_, L_, dt_);
  R_ = q_.toRotationMatrix();
}

Energy RigidBody::energy(const Vector3d& gravity) const {
  Energy energy;
  energy.kinetic = 0.5 * mass_.mass * v_.squaredNorm() + 0.5 * L_.dot(angular_velocity());
  energy.gravity = -mass_.mass * gravity.dot(x_);
  return energy;
}

std::vector<double> RigidBody::state() const {
  std::vector<double> numbers;
  for (const Vector3d& vector : {x_, v_, L_}) numbers.insert(numbers.end(), vector.data(), vector.data() + 3);
  numbers.insert(numbers.end(), q_.coeffs().data(), q_.coeffs().data() + 4);
  return numbers;
}

void RigidBody::stop() {
  v_.setZero();
  L_.setZero();
}

void RigidBody::take_velocities(std::span<const double> state) {
  v_ = Eigen::Map<const Vector3d>(state.data() + 3);
  L_ = Eigen::Map<const Vector3d>(state.data() + 6);
}

void RigidBody::set_state(std::span<const double> state) {
  if (state.size() != kNumbers)
    throw InputError("rigid body: its state has " + std::to_string(state.size()) + " numbers, expected 13");
  x_ = Eigen::Map<const Vector3d>(state.data());
  v_ = Eigen::Map<const Vector3d>(state.data() + 3);
  L_ = Eigen::Map<const Vector3d>(state.data() + 6);
  q_.coeffs() = Eigen::Map<const Eigen::Vector4d>(state.data() + 9);
  R_ = q_.toRotationMatrix();
}

}  // namespace capstan
