#pragma once
#include "capstan/body/rod/node_chain.hpp"

namespace capstan {

/// Chain of masses and springs, 3 dofs a node, half-bandwidth 8.
///
/// Stretching: springs along the elements, stiffness properties.stretching as given.
///
/// Bending, vertex i of cell c_i: w = e_i/l_i - e_{i-1}/l_{i-1}, the vector Laplacian, and
///   V = bending / (2 c_i) |w - b|^2,     |w| = 2 sin(angle/2) between elements of rest length.
/// For a rest that is straight (b = 0) the Hessian is constant and rigid motion costs nothing. (Springs
/// between every second node would not do: their energy is of fourth order in the angle.) A rest that is
/// curved has b carried by the strand: a normal goes along it without twisting, from the clamp or, when the
/// root is not clamped, from the angle that fits best. The force is the exact derivative; A sees b frozen.
///
/// What this model does not know:
/// - Twist. The strand behaves as if it could not be twisted at all: `twist` of the shape and the turn of a
///   clamped tip about the tangent do nothing, properties.twisting is not read.
/// - Two bending stiffnesses: InputError unless bending_1 = bending_2.
///
/// Internal damping acts on the rate of |w|, which rigid motion does not change: force
///   -gamma bending/c_i L^T Q L v,  w = L x,  Q = I - (|w|^2 I - w w^T)/(|w|^2 + eps^2),  eps = 1e-3,
/// which is all of L v where the strand is straight and only the part along w where it is bent.
class MassSpring : public NodeChain {
 public:
  MassSpring(const StrandShape& shape, const RodProperties& properties, int elements);

 protected:
  void add_forces() override;
  void turn_ghost(int, const Eigen::Matrix3d&, double, Eigen::VectorXd&) const override {}
  void follow(const std::vector<Eigen::Vector3d>& old_nodes, const Eigen::VectorXd& moved,
              const Eigen::VectorXd& v) override;
  double elastic_energy() const override;
  Eigen::Matrix3d element_frame(int element) const override;
  std::vector<double> model_state() const override;
  void set_model_state(std::span<const double> state) override;
  int model_state_size() const override { return 3; }

 private:
  void add_bending(int vertex, const Eigen::Vector3d& b);
  void add_twisting_moments(const std::vector<Eigen::Vector3d>& b);
  Eigen::Vector3d laplacian(int vertex) const;
  std::vector<Eigen::Vector3d> carried_rest() const;
  double best_angle() const;

  std::vector<Eigen::Vector3d> rest_laplacian_;  // in the frame of the vertex
  bool straight_rest_;
  // n1 of the first element: of ghost -1 in a clamp, of element 0 otherwise
  Eigen::Vector3d normal_;
};

}  // namespace capstan
