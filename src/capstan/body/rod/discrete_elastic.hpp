#pragma once
#include "capstan/body/rod/node_chain.hpp"

namespace capstan {

/// Bending and twist between two elements, integrated over a vertex (no unit), and derivatives.
///   e, f the elements, t_e, t_f their directions, m1, m2 their material normals, kb = 2 t_e x t_f/(1 +
///   t_e.t_f) kappa_1 = kb . (m1_e + m1_f)/2,   kappa_2 = kb . (m2_e + m2_f)/2,   m = twist, from the frame
///   of e, carried to f without turning, to that of f
/// so (m, kappa_1, kappa_2) is the rotation from frame to frame, in the material frame, to second order.
/// (Papers on discrete rods call kappa_1 what bends towards m1, which is about m2.)
struct VertexStrain {
  Eigen::Vector3d value;  ///< m, kappa_1, kappa_2
  /// By (x0, theta_e, x1, theta_f, x2), e = x1 - x0, f = x2 - x1; frames follow their elements without
  /// turning, and turn by theta.
  Eigen::Matrix<double, 3, 11> J;
};

/// `twist` is the m of these frames that is known to a multiple of 2 pi.
VertexStrain vertex_strain(const Eigen::Vector3d& e, const Eigen::Matrix3d& frame_e, const Eigen::Vector3d& f,
                           const Eigen::Matrix3d& frame_f, double twist);

/// Discrete elastic rods with time-parallel frames: nodes and one angle per element, 4 dofs,
/// half-bandwidth 10.
///
///   V = sum over vertices 1/(2 c_i) [ twisting (m - m0)^2 + bending_1 (kappa_1 - k1)^2 + bending_2 (...)^2 ]
///
/// with cells c_i; rest values are those of the rest shape. Frames are re-based every step: they follow their
/// element without turning, then turn by dt theta'. Twist has its inertia (inertia_1 + inertia_2 per length).
/// K is the Gauss-Newton part of the Hessian, positive semi-definite; the forces are exact.
///
/// Inextensible at the level of velocities, within the one matrix A: A gets k dt^2/l (t t^T) between the
/// nodes of an element with k = 1e6 (linear_density L h/dt^2 + bending/h^2). A load that accelerates the
/// whole strand then changes a length by 1e-6 of what it would without; statically the strain is T/k (1e-9
/// under its own weight for hair at 1 ms). That is the elimination of the constraint t . (v_{i+1} - v_i) = 0
/// up to 1e-6, but leaves A banded. What the lengths change to second order is projected out of the positions
/// at the end of the step. properties.stretching is not read.
class DiscreteElastic : public NodeChain {
 public:
  DiscreteElastic(const StrandShape& shape, const RodProperties& properties, int elements);

  /// Twist from root to tip (with the clamped ends), rad; counts full turns.
  double total_twist() const;

 protected:
  void add_forces() override;
  void turn_ghost(int element, const Eigen::Matrix3d& target, double dt,
                  Eigen::VectorXd& rates) const override;
  void follow(const std::vector<Eigen::Vector3d>& old_nodes, const Eigen::VectorXd& moved,
              const Eigen::VectorXd& v) override;
  double elastic_energy() const override;
  Eigen::Matrix3d element_frame(int element) const override { return frames_[element + 1]; }
  std::vector<double> model_state() const override;
  void set_model_state(std::span<const double> state) override;
  int model_state_size() const override;

 private:
  VertexStrain strain(int vertex) const;
  void add_vertex(int vertex);
  void add_inextensibility(int element);
  double constraint_stiffness() const;
  void move_frame(int element, const Eigen::Vector3d& old_edge, double turn);
  void update_twist(int vertex);

  Eigen::Vector3d stiffness_;                  // twisting, bending_1, bending_2
  std::vector<Eigen::Vector3d> rest_strains_;  // of vertices 0 to n
  std::vector<Eigen::Matrix3d> frames_;        // of the elements, ghosts first and last
  std::vector<double> twist_;                  // m of vertices 0 to n, full turns included
};

}  // namespace capstan
