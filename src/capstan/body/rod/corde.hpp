#pragma once
#include <Eigen/Geometry>

#include "capstan/body/rod/node_chain.hpp"

namespace capstan {

/// Rotation between two elements from their quaternions, p = conj(q0) q1 with Re p >= 0:
///   s = 4 Im p/(1 + Re p),  |s| = 4 tan(angle/4)
/// on the material frame (twist, about n1, about n2), no unit; s/l is 2 Im(conj(qm) q')/|qm|^2 of the
/// midpoint qm.
struct TurnStrain {
  Eigen::Vector3d value;
  /// By body rotations (phi_0, phi_1), q <- q exp(phi/2):
  /// dIm = [Re p (phi_1 - phi_0) + Im p x (phi_1 + phi_0)]/2, dRe = -Im p . (phi_1 - phi_0)/2.
  Eigen::Matrix3d J0, J1;
};
TurnStrain turn_strain(const Eigen::Quaterniond& q0, const Eigen::Quaterniond& q1);

/// Cosserat rod of nodes and one orientation per element, after CoRdE (Spillmann and Teschner 2007, one of
/// the models of [Bertails11]), implicit: 6 dofs (node, angular velocity of the element in its own axes),
/// half-bandwidth 8.
///
///   V = sum over elements 1/2 [ stretching l (|e|/l - 1)^2 + kappa h |e/|e| - n0|^2 ]
///     + sum over vertices 1/(2 c_i) (s - s0)^T diag(twisting, bending_1, bending_2) (s - s0)
///
/// kappa keeps the tangent n0 of the frame along the element and acts as a shear stiffness: a cantilever's
/// tip drops by 4 B/(kappa L^2) too much. It is the section's own, 0.9 G S with G S = twisting linear_density
/// / (inertia_1 + inertia_2), at least 400 B/L^2 and 10 B/h^2, B the larger bending stiffness. K is the
/// Gauss-Newton part of the Hessian; the forces are exact. The gyroscopic term of an element's rotation is
/// left out: it is of the size of the section's inertia. A clamp holds a ghost orientation, at half a cell
/// from the first.
class Corde : public NodeChain {
 public:
  Corde(const StrandShape& shape, const RodProperties& properties, int elements);

 protected:
  void add_forces() override;
  void turn_ghost(int element, const Eigen::Matrix3d& target, double dt,
                  Eigen::VectorXd& rates) const override;
  void follow(const std::vector<Eigen::Vector3d>& old_nodes, const Eigen::VectorXd& moved,
              const Eigen::VectorXd& v) override;
  double elastic_energy() const override;
  Eigen::Matrix3d element_frame(int element) const override {
    return orientation(element).toRotationMatrix();
  }
  std::vector<double> model_state() const override;
  void set_model_state(std::span<const double> state) override;
  int model_state_size() const override { return static_cast<int>(4 * orientations_.size()); }

 private:
  const Eigen::Quaterniond& orientation(int element) const { return orientations_[element + 1]; }
  void add_alignment(int element);
  void add_vertex(int vertex);
  void turn(int element, const Eigen::Vector3d& old_edge, const Eigen::VectorXd& moved);

  Eigen::Vector3d stiffness_;                     // twisting, bending_1, bending_2
  double alignment_;                              // kappa, N
  std::vector<Eigen::Vector3d> rest_strains_;     // of vertices 0 to n
  std::vector<Eigen::Quaterniond> orientations_;  // of the elements, ghosts first and last
};

}  // namespace capstan
