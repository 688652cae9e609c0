#pragma once
#include <Eigen/Core>

namespace capstan {

/// The rotation R nearest to F: of all proper rotations the one with the largest tr(R^T F). F = R S with S
/// symmetric, also if F is flat (det F = 0) or inverted (det F < 0, the smallest stretch counts as negative).
/// Where several are as near (two stretches add up to zero; F = 0) it is one of them.
Eigen::Matrix3d nearest_rotation(const Eigen::Matrix3d& F);

/// d det F / dF, that is det F F^-T where F has an inverse.
Eigen::Matrix3d cofactors(const Eigen::Matrix3d& F);

}  // namespace capstan
