#include "capstan/body/rotation.hpp"

#include <algorithm>
#include <cmath>

namespace capstan {

Eigen::Matrix3d skew(const Eigen::Vector3d& a) {
  Eigen::Matrix3d S;
  S << 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0;
  return S;
}

Eigen::Matrix3d rotation_exp(const Eigen::Vector3d& k) {
  const double angle = k.norm();
  return angle > 0 ? Eigen::AngleAxisd(angle, k / angle).toRotationMatrix()
                   : Eigen::Matrix3d(Eigen::Matrix3d::Identity());
}

Eigen::Vector3d rotation_log(const Eigen::Matrix3d& R) {
  const Eigen::AngleAxisd turn(R);
  return turn.angle() * turn.axis();
}

// As Eigen's FromTwoVectors but for opposite directions, where it finds the axis by a singular value
// decomposition that takes the compiler ten seconds.
Eigen::Quaterniond rotation_between(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  const Eigen::Vector3d from = a.normalized(), to = b.normalized();
  const double c = to.dot(from);
  Eigen::Quaterniond turn;
  if (c < -1 + 1e-12) {
    turn.w() = std::sqrt(std::max((1 + c) / 2, 0.0));
    turn.vec() = std::sqrt(1 - turn.w() * turn.w()) * from.unitOrthogonal();
  } else {
    const double s = std::sqrt((1 + c) * 2), inverse = 1 / s;
    turn.w() = s / 2;
    turn.vec() = inverse * from.cross(to);
  }
  return turn;
}

}  // namespace capstan
