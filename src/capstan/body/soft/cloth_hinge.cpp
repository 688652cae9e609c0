#include "capstan/body/soft/cloth_hinge.hpp"

#include <Eigen/Core>
#include <algorithm>

namespace capstan {

HingeShape hinge_shape(const ClothMesh& mesh, const ClothEdge& edge) {
  const Eigen::Vector3d a = mesh.x.col(edge.nodes[0]), e = mesh.x.col(edge.nodes[1]) - a;
  HingeShape hinge{e.norm(), {}, {}};
  for (int i = 0; i < 2; ++i) {
    const Eigen::Vector3d c = mesh.x.col(edge.opposite[i]) - a;
    hinge.foot[i] = c.dot(e) / e.squaredNorm();
    hinge.height[i] = (c - hinge.foot[i] * e).norm();
  }
  return hinge;
}

double hinge_stiffness(const HingeShape& hinge, double bending) {
  const double l = hinge.length, h = (hinge.height[0] + hinge.height[1]) / 2;
  const double q = l * (hinge.foot[0] - hinge.foot[1]) / h;
  double r = 0;
  for (int i = 0; i < 2; ++i) r += l * l * hinge.foot[i] * (1 - hinge.foot[i]) / (2 * hinge.height[i] * h);
  // Below, where triangles lean far over their edge, the weight would go to infinity.
  return 4.0 / 3 * bending * l / (h * (1 + std::max(r, -0.5) + q * q));
}

}  // namespace capstan
