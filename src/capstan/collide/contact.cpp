#include "capstan/collide/contact.hpp"

#include <Eigen/Geometry>

namespace capstan {

Eigen::Matrix3d contact_frame(const Eigen::Vector3d& n, const Eigen::Vector3d& fibre,
                              const Eigen::Vector3d& second_choice) {
  // Below this sine the rounding of n would decide the direction.
  constexpr double parallel = 1e-6;
  Eigen::Vector3d t1 = fibre - n * n.dot(fibre);
  if (t1.norm() <= parallel * fibre.norm()) t1 = second_choice - n * n.dot(second_choice);
  if (t1.norm() <= parallel * second_choice.norm()) t1 = n.unitOrthogonal();
  Eigen::Matrix3d frame;
  frame.col(0) = n;
  frame.col(1) = t1.normalized();
  frame.col(2) = n.cross(frame.col(1));
  return frame;
}

Contact on_curves(Contact contact, const Eigen::Vector3d& true_a, const Eigen::Vector3d& true_b) {
  contact.gap += contact.frame.col(0).dot((true_a - contact.point_a) - (true_b - contact.point_b));
  contact.point_a = true_a;
  contact.point_b = true_b;
  return contact;
}

}  // namespace capstan
