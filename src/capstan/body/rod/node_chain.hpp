#pragma once
#include <Eigen/Core>
#include <optional>
#include <span>
#include <vector>

#include "capstan/body/rod/strand_shape.hpp"
#include "capstan/body/strand.hpp"

namespace capstan {

/// What the rods made of nodes share: n elements of equal length h = L/n between n + 1 nodes, masses in the
/// nodes, held ends, weight, drag, dead loads, the time step and points by linear interpolation. A model adds
/// dofs of its own to each element (twist, rotation) and the elastic forces.
///
/// All dofs, in the order of the chain, p to a node and the element that follows it:
///
///   ghost -1 | node 0, element 0 | node 1, element 1 | ... | node n, ghost element n | ghost node n + 1
///
/// Clamps are of second order: node 0 sits in the clamp, and beyond it a ghost element has the direction of
/// the clamp and is carried along by it. Vertex 0, between ghost and element 0, stands for half a cell (h/2),
/// so its stiffness is doubled. A full cell there would make the clamp too soft, an error of first order. A
/// pinned end has no ghost, a free end neither ghost nor prescribed node. What is prescribed lies at the two
/// ends of the list, so the unknowns are the middle of it and A stays banded.
///
/// One step, linearly implicit: K and D are the stiffness and the damping at the start of the step,
///   A = M + dt theta D + dt^2 theta^2 K
///   f = M v + dt F - dt (1 - theta) D v - dt^2 theta (1 - theta) K v,   q+ = q + dt (theta v+ + (1 - theta)
///   v)
/// where v of a prescribed dof is the velocity that takes it to its place at the end of the step.
class NodeChain : public Strand {
 public:
  int dofs() const final { return last_ - first_; }
  void begin_step(const StepConditions& step) final;
  const BodyMatrix& matrix() const final { return matrix_; }
  const Eigen::VectorXd& force() const final { return force_; }
  void end_step(const Eigen::VectorXd& v) final;

  double length() const final { return length_; }
  Eigen::Vector3d position(double s) const final;
  Eigen::Vector3d velocity(double s) const final;
  PointMotion point_motion(double s) const final;
  /// Of the element that holds s: constant along an element.
  Eigen::Matrix3d frame(double s) const final;

  Energy energy(const Eigen::Vector3d& gravity) const final;
  std::vector<double> state() const final;
  void set_state(std::span<const double> state) final;
  void stop() final;
  void take_velocities(std::span<const double> state) final;

  int elements() const { return elements_; }

 protected:
  NodeChain(const StrandShape& shape, const RodProperties& properties, int elements, int dofs_per_node,
            int half_bandwidth);

  // -- what a model gives --
  /// Calls add_elastic for every stretch of dofs that is coupled.
  virtual void add_forces() = 0;
  /// Writes the rates of the dofs of a ghost element that take its frame to `target` within dt.
  virtual void turn_ghost(int element, const Eigen::Matrix3d& target, double dt,
                          Eigen::VectorXd& rates) const = 0;
  /// Nodes have moved; follow with everything else. `moved` holds the displacement of all dofs, v their
  /// velocities at the end of the step.
  virtual void follow(const std::vector<Eigen::Vector3d>& old_nodes, const Eigen::VectorXd& moved,
                      const Eigen::VectorXd& v) = 0;
  virtual double elastic_energy() const = 0;
  virtual Eigen::Matrix3d element_frame(int element) const = 0;
  virtual std::vector<double> model_state() const = 0;
  virtual void set_model_state(std::span<const double> state) = 0;
  virtual int model_state_size() const = 0;

  // -- what a model uses --
  /// Adds an energy's gradient and (positive semi-definite) Hessian K in N dofs from `at` on, and the matrix
  /// D of the damping force -internal_damping D v.
  template <int N>
  void add_elastic(int at, const Eigen::Matrix<double, N, 1>& gradient, const Eigen::Matrix<double, N, N>& K,
                   const Eigen::Matrix<double, N, N>& D) {
    const double dt = step_.dt, theta = step_.theta, gamma = properties_.internal_damping;
    const Eigen::Matrix<double, N, N> rate = dt * theta * K + gamma * D;  // of the force, implicit part
    all_matrix_.add_block(at, dt * theta * rate);
    all_force_.segment<N>(at) -= dt * gradient;
    if (theta < 1) all_force_.segment<N>(at) -= dt * (1 - theta) * (rate * present_.segment<N>(at));
  }
  /// Adds to A and f as they are, whatever theta.
  template <int N>
  void add_implicit(int at, const Eigen::Matrix<double, N, N>& A, const Eigen::Matrix<double, N, 1>& f) {
    all_matrix_.add_block(at, A);
    all_force_.segment<N>(at) += f;
  }
  /// Stretching of an element: energy stretching l c^2 / 2 with c = |e|/l - 1.
  void add_stretch(int element);
  double stretch_energy(int element) const;
  /// What a pulled element resists across its direction, T/|e| (I - t t^T), with the tension T of the last
  /// step; dropped under pressure, where it would be negative. stretching * c would not do for T: an element
  /// that turns by a is longer by a^2/2 after a linear step, which is no tension but would hold up its
  /// turning.
  void add_tension_across(int element);
  /// Tension of the step that ends, for the next: stretching (c + dc) + internal_damping stretching dc/dt.
  void remember_tensions(const std::vector<Eigen::Vector3d>& old_nodes, const Eigen::VectorXd& moved,
                         const Eigen::VectorXd& v);

  /// Lengths that the elements have after the step according to its own linearisation, |e| + t . (difference
  /// of the displacements), not below a tenth of the rest length.
  std::vector<double> predicted_lengths(const std::vector<Eigen::Vector3d>& old_nodes,
                                        const Eigen::VectorXd& moved) const;
  /// Moves the nodes, not the prescribed ones, as little as possible (in the metric of their masses) to where
  /// the elements have these lengths, to 1e-9: takes out what a linear step has added by turning them (of
  /// second order in dt). Velocities stay: they are what the contact solver found. Newton on a tridiagonal
  /// system; when that fails after a violent step the elements are set one after the other from a held end.
  /// Lengths that cannot be had (both ends held, too far apart) are approached.
  void restore_lengths(const std::vector<double>& lengths);

  int at_node(int i) const { return p_ * (i + 1); }
  int at_element(int j) const { return p_ * (j + 1) + 3; }
  /// Node -1 and n + 1 are ghosts.
  const Eigen::Vector3d& node(int i) const { return nodes_[i + 1]; }
  Eigen::Vector3d edge(int j) const { return nodes_[j + 2] - nodes_[j + 1]; }
  double rest_length(int j) const { return rest_lengths_[j + 1]; }
  double element_length() const { return length_ / elements_; }
  bool is_clamped_at_root() const { return root_.hold == Hold::clamped; }
  bool is_clamped_at_tip() const { return tip_.hold == Hold::clamped; }
  /// Vertices with a curvature: 1 to n - 1, and those in a clamp. Vertex i joins elements i - 1 and i.
  int first_vertex() const { return is_clamped_at_root() ? 0 : 1; }
  int last_vertex() const { return is_clamped_at_tip() ? elements_ : elements_ - 1; }
  double cell(int vertex) const { return element_length() * (vertex == 0 || vertex == elements_ ? 0.5 : 1); }
  const Frame& target(int ghost) const { return ghost < 0 ? root_target_ : tip_target_; }
  double mass(int dof) const { return mass_[dof]; }
  bool is_unknown(int dof) const { return dof >= first_ && dof < last_; }

  StepConditions step_;
  /// Ghosts first and last.
  std::vector<Eigen::Vector3d> nodes_;
  Eigen::VectorXd tension_;  ///< N, of the elements, in the last step
  /// Frames of the elements at the start, ghosts first and last, and how the strand would like to lie: the
  /// same thing for its rest shape. What a model derives its rest strains from; the models forget them.
  struct Lie {
    std::vector<Eigen::Vector3d> nodes;
    std::vector<Eigen::Matrix3d> frames;
  };
  Lie start_, rest_;
  Eigen::VectorXd mass_;  ///< diagonal, all dofs; models fill in theirs

 private:
  struct Place {
    int element;
    double beta;  // along it, 0 to 1
  };
  Place place(double s) const;
  void check(const StepConditions& step) const;
  void prescribe();
  void prescribe_end(const End& end, const Frame& target, int node, int ghost);
  void add_known_forces();
  void extract_unknowns();
  double length_error(const std::vector<double>& lengths) const;
  void restore_lengths_in_turn(const std::vector<double>& lengths);
  /// +K at the two nodes of an element, -K between them; the dofs of the element lie in the middle.
  void add_between_nodes(int element, const Eigen::Vector3d& gradient, const Eigen::Matrix3d& K,
                         const Eigen::Matrix3d& D);

  int elements_, p_;
  double length_;
  End root_, tip_;
  int first_, last_;  // the unknowns, among all dofs
  std::vector<double> rest_lengths_;
  Eigen::VectorXd v_;  // all dofs, at the end of the last step

  // of the step that has begun
  bool begun_ = false;
  Frame root_target_, tip_target_;
  Eigen::VectorXd prescribed_;  // velocity of what is prescribed, 0 elsewhere
  Eigen::VectorXd present_;     // v_, with the prescribed part replaced
  BandedMatrix all_matrix_;
  Eigen::VectorXd all_force_;
  BodyMatrix matrix_;
  Eigen::VectorXd force_;
};

/// The rotation that takes unit t0 to unit t1 the short way, applied to u (parallel transport in one step).
Eigen::Vector3d transport(const Eigen::Vector3d& u, const Eigen::Vector3d& t0, const Eigen::Vector3d& t1);
/// Angle from u to w about the unit axis n, both perpendicular to it.
double signed_angle(const Eigen::Vector3d& u, const Eigen::Vector3d& w, const Eigen::Vector3d& n);

}  // namespace capstan
