#pragma once
#include <Eigen/Core>
#include <complex>

namespace capstan {

/// Mean of directions in a plane that have no sense, s = -s: the main eigenvector of sum w s s^T, which in
/// the plane is half the angle of z = sum w exp(2 i angle). A mean of the vectors themselves would cancel
/// where the sign flips, and would be shorter than 1 elsewhere.
///
/// Zero vectors count as places without structure. The mean is zero (no structure) where they have more than
/// half of the weight, and where the others cancel, |z| below 1e-3 of their weight: two directions at a right
/// angle with equal weights have no mean.
class DirectionMean {
 public:
  void add(const Eigen::Vector2d& direction, double weight);
  /// Unit, or zero.
  Eigen::Vector2d direction() const;

 private:
  std::complex<double> z_ = 0;
  double weight_ = 0, weight_with_structure_ = 0;
};

}  // namespace capstan
