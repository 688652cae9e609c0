#pragma once
#include <Eigen/Core>
#include <span>
#include <vector>

#include "capstan/body/motion.hpp"
#include "capstan/body/rod_properties.hpp"
#include "capstan/problem/body_matrix.hpp"

namespace capstan {

/// What acts on every body during one step.
struct StepConditions {
  double t = 0;      ///< s, at the start of the step
  double dt = 0;     ///< s
  double theta = 1;  ///< 0.5 to 1; 1 with contacts: implicit Euler
  Eigen::Vector3d gravity = Eigen::Vector3d(0, 0, -9.81);
  Eigen::Vector3d air = Eigen::Vector3d::Zero();  ///< velocity of the air, m/s
};

/// J (3 x dofs) and v_f of one material point: its velocity at the end of the step is J v + v_f.
struct PointMotion {
  Eigen::Vector3d x;  ///< at the start of the step
  Eigen::Matrix<double, 3, Eigen::Dynamic> J;
  Eigen::Vector3d free_velocity;  ///< from what is prescribed: driven roots, clamped nodes
};

struct Energy {
  double kinetic = 0, elastic = 0, gravity = 0;  ///< J
  double total() const { return kinetic + elastic + gravity; }
};

/// A force that keeps its direction, at one point of a strand.
struct PointForce {
  double s;           ///< arclength, m
  Eigen::Vector3d f;  ///< N
};

/// What the ends of a strand are held by. A clamp prescribes place and direction, a pin only the place.
enum class Hold { free, pinned, clamped };
struct End {
  Hold hold = Hold::free;
  Motion motion;  ///< of the end's frame: x, and n0 n1 n2 (tangent first) as columns of R; unused if free
};

/// A thin rod in some choice of unknowns. One step reads: begin_step (forms A and f of A v = f + H^T r from
/// the present state, and leaves the state alone: it may be called again with another dt), then any number of
/// point_motion, then end_step with the velocity the contact solver found.
class Strand {
 public:
  virtual ~Strand() = default;

  virtual int dofs() const = 0;
  virtual void begin_step(const StepConditions& step) = 0;
  virtual const BodyMatrix& matrix() const = 0;      ///< A, kg (in the units of the dofs), positive definite
  virtual const Eigen::VectorXd& force() const = 0;  ///< f, momentum plus impulses of all known forces
  virtual void end_step(const Eigen::VectorXd& v) = 0;

  virtual double length() const = 0;
  /// Of the point at arclength s, 0 <= s <= length(). point_motion belongs to the step that has begun.
  virtual Eigen::Vector3d position(double s) const = 0;
  virtual Eigen::Vector3d velocity(double s) const = 0;  ///< at the end of the last step
  virtual PointMotion point_motion(double s) const = 0;
  /// Material frame, tangent first.
  virtual Eigen::Matrix3d frame(double s) const = 0;

  virtual Energy energy(const Eigen::Vector3d& gravity) const = 0;
  /// Everything that begin_step reads and end_step changes: a strand with this state set goes on bit for bit.
  virtual std::vector<double> state() const = 0;
  virtual void set_state(std::span<const double> state) = 0;

  const RodProperties& properties() const { return properties_; }
  std::vector<PointForce> loads;  ///< dead loads, changed at will between steps

 protected:
  explicit Strand(const RodProperties& properties) : properties_(properties) {}
  RodProperties properties_;
};

}  // namespace capstan
