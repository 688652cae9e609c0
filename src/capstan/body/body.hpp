#pragma once
#include <Eigen/Core>
#include <span>
#include <vector>

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

/// Something that moves. One step reads: begin_step (forms A and f of A v = f + H^T r from the present state,
/// and leaves the state alone: it may be called again with another dt), then any number of point_motion,
/// which each kind of body has in its own coordinates, then end_step with the velocity the contact solver
/// found.
class Body {
 public:
  virtual ~Body() = default;

  virtual int dofs() const = 0;                    ///< that contacts can reach in this step
  virtual int all_dofs() const { return dofs(); }  ///< also those that they do not
  virtual void begin_step(const StepConditions& step) = 0;
  virtual const BodyMatrix& matrix() const = 0;      ///< A, kg (in the units of the dofs), positive definite
  virtual const Eigen::VectorXd& force() const = 0;  ///< f, momentum plus impulses of all known forces
  virtual void end_step(const Eigen::VectorXd& v) = 0;
  /// The same by who knows the impulse as well, A v = f + impulse: some bodies are faster with it.
  virtual void finish_step(const Eigen::VectorXd& v, const Eigen::VectorXd& /*impulse*/) { end_step(v); }

  virtual Energy energy(const Eigen::Vector3d& gravity) const = 0;
  /// Everything that begin_step reads and end_step changes: a body with this state set goes on bit for bit.
  virtual std::vector<double> state() const = 0;
  virtual void set_state(std::span<const double> state) = 0;
  /// Stops it where it is: all velocities are zero, and so are forces that were remembered from the motion.
  virtual void stop() = 0;
  /// Takes the velocities, and nothing else, from what state() returned for this body. It is where it is.
  virtual void take_velocities(std::span<const double> state) = 0;
};

}  // namespace capstan
