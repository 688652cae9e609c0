#pragma once
#include <Eigen/Geometry>

namespace capstan {

/// [a]x, the matrix of the cross product: [a]x b = a x b.
Eigen::Matrix3d skew(const Eigen::Vector3d& a);

/// Rotation by the vector k: exp([k]x), and its inverse.
Eigen::Matrix3d rotation_exp(const Eigen::Vector3d& k);
Eigen::Vector3d rotation_log(const Eigen::Matrix3d& R);

/// The rotation that takes the direction of a to that of b the short way.
Eigen::Quaterniond rotation_between(const Eigen::Vector3d& a, const Eigen::Vector3d& b);

}  // namespace capstan
