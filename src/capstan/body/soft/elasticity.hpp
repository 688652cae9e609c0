#pragma once
#include <Eigen/Core>
#include <limits>
#include <utility>
#include <vector>

#include "capstan/body/soft/node_matrix.hpp"

namespace capstan {

/// The forces inside a deformable body as a function of where its nodes are (x: a column a node, m).
class Elasticity {
 public:
  virtual ~Elasticity() = default;

  /// Pairs of nodes that the stiffness couples.
  virtual std::vector<std::pair<int, int>> couplings() const = 0;
  virtual double energy(const Eigen::Matrix3Xd& x) const = 0;  ///< J
  /// Adds -dE/dx, N.
  virtual void add_forces(const Eigen::Matrix3Xd& x, Eigen::Matrix3Xd& f) const = 0;
  /// Adds a symmetric, positive semidefinite matrix near d2E/dx2, N/m.
  virtual void add_stiffness(const Eigen::Matrix3Xd& x, NodeMatrix& K) const = 0;
  /// How much the stiffness at x differs from that at `before`, as a part of itself: what is below a few per
  /// cent need not be factorised anew. Infinite: not known.
  virtual double stiffness_change(const Eigen::Matrix3Xd& /*x*/, const Eigen::Matrix3Xd& /*before*/) const {
    return std::numeric_limits<double>::infinity();
  }
  /// How much each node's surroundings are strained, for pictures: the largest principal strain, averaged
  /// over what is beside the node; >= 0.
  virtual Eigen::VectorXd strain(const Eigen::Matrix3Xd& x) const = 0;
};

}  // namespace capstan
