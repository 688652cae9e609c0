#include "capstan/surface/direction_mean.hpp"

namespace capstan {
namespace {
constexpr double kCancelled = 1e-3;
}

void DirectionMean::add(const Eigen::Vector2d& direction, double weight) {
  weight_ += weight;
  const std::complex<double> s(direction[0], direction[1]);
  if (std::norm(s) == 0) return;
  weight_with_structure_ += weight;
  z_ += weight * (s * s / std::norm(s));
}

Eigen::Vector2d DirectionMean::direction() const {
  const bool mostly_without = weight_with_structure_ < 0.5 * weight_;
  if (mostly_without || std::abs(z_) <= kCancelled * weight_with_structure_) return Eigen::Vector2d::Zero();
  const double angle = 0.5 * std::arg(z_);
  return {std::cos(angle), std::sin(angle)};
}

}  // namespace capstan
