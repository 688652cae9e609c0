#pragma once
#include <Eigen/Geometry>

#include "capstan/body/body.hpp"
#include "capstan/body/mass_properties.hpp"
#include "capstan/body/motion.hpp"

namespace capstan {

/// A body that keeps its shape. Its unknowns are the velocity of the centre of mass and the angular velocity,
/// world axes.
///
///   x centre of mass     R orientation     L = R J R^T w angular momentum, kg m^2/s     J inertia, body axes
///
/// The state holds L, not w: without contacts it is conserved to rounding. The orientation is advanced by the
/// implicit midpoint rule with Cayley's rotation, which also conserves the energy of free rotation for any dt
/// (derived in docs/rigid.md); so the gyroscopic term can never blow up. Contacts see w = (R J R^T)^-1 L at
/// the start of the step, so A is symmetric.
class RigidBody : public Body {
 public:
  /// `frame` places the body's own frame (in which `mass.centre` is given) at t = 0, `twist` is that of the
  /// centre of mass. Throws InputError unless the mass is positive and the inertia positive definite.
  RigidBody(const MassProperties& mass, const Frame& frame, const Twist& twist = {});

  int dofs() const override { return 6; }
  void begin_step(const StepConditions& step) override;
  const BodyMatrix& matrix() const override { return A_; }
  const Eigen::VectorXd& force() const override { return f_; }
  void end_step(const Eigen::VectorXd& v) override;

  Frame frame() const { return {x_ - R_ * mass_.centre, R_}; }
  const Eigen::Vector3d& centre() const { return x_; }
  Twist twist() const { return {v_, angular_velocity()}; }  ///< of the centre of mass
  Eigen::Vector3d velocity(const Eigen::Vector3d& world) const { return twist().at(world, x_); }
  const Eigen::Vector3d& angular_momentum() const { return L_; }  ///< about the centre of mass
  const MassProperties& mass_properties() const { return mass_; }
  /// Of the material point that is at `world` at the start of the step.
  PointMotion point_motion(const Eigen::Vector3d& world) const;

  Energy energy(const Eigen::Vector3d& gravity) const override;
  std::vector<double> state() const override;
  void set_state(std::span<const double> state) override;
  void stop() override;
  void take_velocities(std::span<const double> state) override;

  Eigen::Vector3d force_on_centre = Eigen::Vector3d::Zero();  ///< N, dead load, changed at will between steps
  Eigen::Vector3d torque = Eigen::Vector3d::Zero();           ///< N m, world axes, likewise

 private:
  Eigen::Matrix3d world_inertia() const { return R_ * mass_.inertia * R_.transpose(); }
  Eigen::Vector3d angular_velocity() const;

  MassProperties mass_;
  Eigen::Matrix3d inverse_inertia_;  // body axes
  Eigen::Vector3d x_, v_, L_;
  Eigen::Quaterniond q_;
  Eigen::Matrix3d R_;  // of q_
  double dt_ = 0;      // of the step that has begun
  BodyMatrix A_;
  Eigen::VectorXd f_;
};

/// The rotation of a free body in dt: orientation q with inertia J (body axes) and its inverse, angular
/// momentum L (world). Energy L.w is conserved to rounding.
Eigen::Quaterniond rotate_freely(const Eigen::Quaterniond& q, const Eigen::Matrix3d& J,
                                 const Eigen::Matrix3d& inverse_J, const Eigen::Vector3d& L, double dt);

}  // namespace capstan
