#pragma once
#include <Eigen/Core>
#include <array>
#include <memory>
#include <span>
#include <vector>

#include "capstan/body/body.hpp"
#include "capstan/body/motion.hpp"
#include "capstan/body/soft/elasticity.hpp"
#include "capstan/executor.hpp"
#include "capstan/problem/sparse_cholesky.hpp"

namespace capstan {

/// Nodes that move as given, together like a rigid body.
struct HeldNodes {
  std::vector<int> nodes;
  Motion motion;  ///< carries them from where they are at t = 0
};

/// A deformable body at rest, before it is put together.
struct SoftShape {
  Eigen::Matrix3Xd x;                         ///< nodes at t = 0, m
  Eigen::Matrix3Xd v;                         ///< their velocities, m/s; empty: at rest
  Eigen::VectorXd mass;                       ///< of each node, kg, > 0
  std::vector<std::array<int, 3>> triangles;  ///< of its surface; of a solid counterclockwise from outside
  std::shared_ptr<const Elasticity> elasticity;
  double mass_damping = 0;       ///< 1/s, >= 0: each node loses momentum at this rate
  double stiffness_damping = 0;  ///< s, >= 0: forces against the rate of strain, times K
  double drag = 0;       ///< N s/m^3, >= 0: force per area against motion through the air along the normal
  double skin_drag = 0;  ///< N s/m^3, >= 0: the same along the surface
  std::vector<HeldNodes> held;
  bool closed = false;           ///< whether the surface has an inside
  double refactor_change = 0.1;  ///< of the stiffness, below which its factors are kept
};

/// The mean of up to three columns of x; nodes < 0 do not count.
Eigen::Vector3d weighted_sum(const Eigen::Matrix3Xd& x, const std::array<int, 3>& nodes,
                             const Eigen::Vector3d& weights);

/// A body of nodes with forces between them: cloth, or a solid of finite elements. One linearised implicit
/// step,
///   (M + theta dt D + theta^2 dt^2 K) v = M v0 + dt f(x0) - ...,
/// over all nodes. There can be thousands of those, and few are touched: the contact problem is given the
/// touched nodes alone. Its unknown is what contacts change in their velocity, its matrix the inverse of the
/// compliance G, the block of (M + ...)^-1 that belongs to them; nothing is approximated (static
/// condensation). G itself is formed for few nodes alone; for many, the problem gets the factors of the whole
/// (ReachedNodes). dofs(), matrix(), force() belong to the nodes of the last touch().
class SoftBody : public Body {
 public:
  /// Throws InputError unless numbers are finite and in range and nodes exist.
  explicit SoftBody(SoftShape shape);

  int nodes() const { return static_cast<int>(x_.cols()); }
  const Eigen::Matrix3Xd& positions() const { return x_; }  ///< as the next one always at the same place
  const Eigen::Matrix3Xd& velocities() const { return v_; }
  const Eigen::Matrix3Xd& rest() const { return rest_; }  ///< positions at t = 0
  const Eigen::VectorXd& masses() const { return shape_.mass; }
  const std::vector<HeldNodes>& held() const { return shape_.held; }
  bool is_held(int node) const { return index_[node] < 0; }
  const std::vector<std::array<int, 3>>& triangles() const { return shape_.triangles; }
  Eigen::VectorXd strain() const { return shape_.elasticity->strain(x_); }

  void begin_step(const StepConditions& step) override;
  /// In which form the contact problem gets the matrix of touched nodes. By number: dense up to
  /// max_dense_nodes.
  enum class Form { by_number, dense, sparse };
  /// The nodes that contacts reach in this step, each once. Held ones are left out: nothing moves them.
  void touch(std::span<const int> nodes, const Executor& executor = serial_executor(),
             Form form = Form::by_number);
  bool is_sparse() const { return std::holds_alternative<ReachedNodes>(A_); }  ///< what touch chose
  int place_of(int node) const { return place_[node]; }  ///< among the touched ones; -1: it is not touched
  /// Of its node in this mean of nodes, without contacts.
  Eigen::Vector3d free_velocity(const std::array<int, 3>& nodes, const Eigen::Vector3d& weights) const;
  int dofs() const override { return 3 * static_cast<int>(touched_.size()); }
  int all_dofs() const override { return 3 * static_cast<int>(free_.size()); }
  const BodyMatrix& matrix() const override { return A_; }
  const Eigen::VectorXd& force() const override { return f_; }
  /// Of the point that is this mean of nodes (weights add up to 1; nodes < 0 do not count).
  PointMotion point_motion(const std::array<int, 3>& nodes, const Eigen::Vector3d& weights) const;
  Eigen::Vector3d position(const std::array<int, 3>& nodes, const Eigen::Vector3d& weights) const;
  Eigen::Vector3d velocity(const std::array<int, 3>& nodes, const Eigen::Vector3d& weights) const;
  /// Axes that turn with the surface around the point, whose origin is the point: a tangent and the normal.
  Frame frame(const std::array<int, 3>& nodes, const Eigen::Vector3d& weights) const;
  /// A direction at this point of the rest shape, turned as the surface has turned since.
  Eigen::Vector3d carry(const std::array<int, 3>& nodes, const Eigen::Vector3d& weights,
                        const Eigen::Vector3d& rest_direction) const;
  Eigen::Vector3d rest_normal(const std::array<int, 3>& nodes, const Eigen::Vector3d& weights) const;
  /// A third of the triangles around a node as seen along a direction, m^2 of the rest shape: of sheets from
  /// either side, of a closed surface only what faces that way.
  double area_facing(int node, const Eigen::Vector3d& direction) const;
  void end_step(const Eigen::VectorXd& v) override;
  void finish_step(const Eigen::VectorXd& v, const Eigen::VectorXd& impulse) override;
  /// Velocities of all nodes at the end of the step that has begun, with this impulse on the touched ones.
  Eigen::Matrix3Xd velocities_after(const Eigen::VectorXd& impulse) const;

  Energy energy(const Eigen::Vector3d& gravity) const override;
  std::vector<double> state() const override;
  void set_state(std::span<const double> state) override;
  void stop() override;
  void take_velocities(std::span<const double> state) override;

  /// Touched nodes up to which the contact problem gets the dense inverse: so few are solved faster by
  /// sweeps.
  int max_dense_nodes = 300;
  Eigen::Matrix3Xd loads;  ///< N, dead loads on the nodes, changed at will between steps; empty: none

  int factorisations() const { return factorisations_; }  ///< so far

 private:
  void check() const;
  std::vector<Eigen::Matrix3d> drag_at(const Eigen::Matrix3Xd& x) const;
  void factorise(const Eigen::Matrix3Xd& x, double dt, double theta);
  Eigen::Matrix3Xd known_impulses(const StepConditions& step) const;
  Eigen::Matrix3Xd held_velocities(double t, double dt) const;
  Eigen::VectorXd gathered(const Eigen::Matrix3Xd& all) const;
  void spread(const Eigen::VectorXd& free, Eigen::Matrix3Xd& all) const;
  void compute_columns(const Executor& executor);
  BodyMatrix dense_compliance(const Executor& executor);
  BodyMatrix reached_nodes();
  Eigen::Matrix3d axes(const Eigen::Matrix3Xd& x, const std::array<int, 3>& nodes,
                       const Eigen::Vector3d& weights) const;

  SoftShape shape_;
  Eigen::Matrix3Xd rest_, x_, v_;
  std::vector<int> free_, index_;               // free nodes; place of each node there, -1: held
  std::vector<std::vector<int>> triangles_of_;  // each node
  // Of the step that has begun:
  StepConditions step_;
  Eigen::Matrix3Xd free_velocity_;  // without contacts
  // Kept from step to step while the stiffness hardly changes:
  NodeMatrix K_, all_;                 // stiffness; A of all nodes, held ones too
  std::vector<Eigen::Matrix3d> drag_;  // of each node, kg/s; empty: none
  std::shared_ptr<SparseBody> factored_ = std::make_shared<SparseBody>();  // contact problems look at it
  Eigen::Matrix3Xd factored_x_;
  double factored_dt_ = 0, factored_theta_ = 0;
  int factorisations_ = 0;
  std::vector<Eigen::MatrixXd> columns_;  // of A^-1 for a free node, 3 n x 3; empty: not computed
  // Of the nodes that contacts reach:
  std::vector<int> touched_, place_;  // place of each node in touched_, -1: not there
  BodyMatrix A_;
  Eigen::VectorXd f_;
};

}  // namespace capstan
