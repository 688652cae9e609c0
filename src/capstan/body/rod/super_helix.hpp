#pragma once
#include <vector>

#include "capstan/body/rod/helix_pose.hpp"
#include "capstan/body/rod/strand_shape.hpp"
#include "capstan/body/strand.hpp"

namespace capstan {

/// Super-helix: N equal segments of constant twist and curvature, inextensible by construction; the fiber
/// model of [Daviet11, sec. 7] and [Bertails11, sec. 3].
///   q   k_1 .. k_N, k = (tau, kappa_1, kappa_2) of each segment, 1/m; v = dq/dt
///   root  clamped: its frame follows the script, 3N dofs. pinned: angular velocity of the root first, 3 +
///   3N.
///         free: velocity and angular velocity of the root first (world axes), 6 + 3N.
///   A = M + dt theta D + dt^2 theta^2 K,   K = diag(l GJ, l EI1, l EI2, ...),   D = gamma K + air drag
///   f = sum_g m_g J_g^T (X_g - v_f,g) + dt (K (q0 - q) + gravity, drag, loads) and the theta terms.
/// M and all forces use the same Gauss points g, each a point mass that also spins about the tangent, so that
/// discrete momentum and energy are those of a mechanical system.
///
/// Differs from the papers: instead of Coriolis terms, X_g, the velocity that Gauss point g had at the end of
/// the last step, is carried over. Since J(q_last) = J(q) - dt dJ/dt, it holds them to first order, and since
/// the new velocity is the projection of X on the motions that q allows, kinetic energy cannot grow by it at
/// any dt. Gravity is explicit: its second derivative would cost A its positive definiteness.
///
/// Cost of a step: O(N) evaluations of the helix and O(N^2) 3x3 products, by moments of all that lies beyond
/// a segment. point_motion O(N), position and velocity O(1).
class SuperHelix : public Strand {
 public:
  /// A start given as a polyline is followed by the segments as well as they can (helix_fit.hpp), and is
  /// carried by the root's motion from its own place: the motion's frame need not be that of the first node.
  /// Throws InputError for a tip that is held, for properties out of range, and for a root that may turn
  /// while the section has no rotational inertia (A would be singular for a straight strand).
  SuperHelix(const StrandShape& shape, const RodProperties& properties, int segments);

  int dofs() const override { return static_cast<int>(force_.size()); }
  void begin_step(const StepConditions& step) override;
  const BodyMatrix& matrix() const override { return matrix_; }
  const Eigen::VectorXd& force() const override { return force_; }
  void end_step(const Eigen::VectorXd& v) override;

  double length() const override { return pose_.segment_length * segments(); }
  Eigen::Vector3d position(double s) const override;
  Eigen::Vector3d velocity(double s) const override;
  PointMotion point_motion(double s) const override;
  Eigen::Matrix3d frame(double s) const override;

  Energy energy(const Eigen::Vector3d& gravity) const override;
  std::vector<double> state() const override;
  void set_state(std::span<const double> state) override;
  void stop() override;
  void take_velocities(std::span<const double> state) override;

  int segments() const { return static_cast<int>(pose_.segments.size()); }
  const Eigen::Vector3d& curvature(int segment) const { return pose_.segments[segment].k; }
  const std::vector<Eigen::Vector3d>& natural_curvatures() const { return natural_; }
  /// Puts the strand into another shape, at rest.
  void set_curvatures(std::span<const Eigen::Vector3d> k);
  void set_natural_curvatures(std::span<const Eigen::Vector3d> k);
  /// Starts the strand in its present shape with these dofs; a scripted root is taken to stand still.
  void set_velocity(const Eigen::VectorXd& v);

 private:
  /// Velocity of a Gauss point, and spin of the section about the tangent.
  struct PointVelocity {
    Eigen::Vector3d v;
    double spin;
  };
  struct Weights;  // of inertia and forces in one step
  struct SegmentSums;
  struct Tail;

  void check() const;
  void take_start(const StrandShape& shape, int segments);
  void prescribe_root(const StepConditions& step);
  void assemble(const StepConditions& step);
  SegmentSums integrate(int segment, const Weights& weights) const;
  void add_columns(int segment, const SegmentSums& own, const Tail& beyond);
  void add_root(const Tail& whole);
  void add_elasticity(const StepConditions& step);
  void add_load(const PointForce& load, double dt);
  void remember_velocities();
  HelixPose::Location locate(double s) const;
  Eigen::MatrixXd& A() { return std::get<Eigen::MatrixXd>(matrix_); }

  End root_;
  Frame attachment_;  // of the strand's root in the frame that the root's motion moves
  std::vector<Eigen::Vector3d> natural_;
  Eigen::Vector3d stiffness_;  // l (GJ, EI1, EI2)
  double spin_inertia_ = 0;    // rho (I1 + I2), kg m
  int root_dofs_ = 0;

  // State. The velocity belongs to the pose before the last step (see point_motion).
  HelixPose pose_, past_;
  Eigen::VectorXd v_;
  Twist root_velocity_;

  // What follows from the state.
  std::vector<Twist> starts_;              // velocities of the segments' first points, in past_
  std::vector<PointVelocity> remembered_;  // X_g, at the Gauss points that pose_ asks for
  std::vector<int> first_point_;           // of each segment, in remembered_

  // The step that has begun.
  StepConditions step_;
  Frame next_root_;
  Twist prescribed_;  // of the root
  BodyMatrix matrix_;
  Eigen::VectorXd force_;
};

}  // namespace capstan
