#include "capstan/surface/structure_field.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "capstan/errors.hpp"
#include "capstan/surface/surface_checks.hpp"

namespace capstan {

using surface::check_finite;
using surface::check_range;
using surface::checked_direction;

namespace {

constexpr double kOnAxis = 1e-12;  // of the distance from the centre

/// The unit vector away from the axis; zero on it.
Eigen::Vector3d outward_from(const Eigen::Vector3d& axis, const Eigen::Vector3d& from_centre) {
  const Eigen::Vector3d outward = from_centre - axis * axis.dot(from_centre);
  return outward.norm() > kOnAxis * from_centre.norm() ? outward.normalized() : Eigen::Vector3d::Zero();
}

PlaneAxes checked_axes(PlaneAxes axes) {
  check_finite("structure: origin", axes.origin);
  axes.x = checked_direction("structure: x axis", axes.x);
  const Eigen::Vector3d y = checked_direction("structure: y axis", axes.y);
  const Eigen::Vector3d across = y - axes.x * axes.x.dot(y);
  if (across.norm() < 1e-6)
    throw InputError("structure: y axis = " + surface::text(axes.y) +
                     ", expected one that is not along the x axis");
  axes.y = across.normalized();
  return axes;
}

}  // namespace

ConstantField::ConstantField(const Eigen::Vector3d& direction) {
  check_finite("structure: direction", direction);
  direction_ = direction.norm() > 0 ? direction.normalized() : Eigen::Vector3d::Zero();
}

SweepField::SweepField(const Eigen::Vector3d& axis, const Eigen::Vector3d& centre,
                       const Eigen::Vector3d& parts)
    : axis_(checked_direction("structure: axis", axis)), centre_(centre), parts_(parts) {
  check_finite("structure: centre", centre);
}

SweepField::SweepField(const Eigen::Vector3d& axis, const Eigen::Vector3d& centre,
                       const Eigen::Vector3d& reference, const Eigen::Vector3d& direction)
    : SweepField(axis, centre, Eigen::Vector3d::UnitX()) {
  check_finite("structure: reference", reference);
  const Eigen::Vector3d s = checked_direction("structure: direction", direction);
  const Eigen::Vector3d outward = outward_from(axis_, reference - centre);
  if (outward.isZero(0))
    throw InputError("structure: reference = " + surface::text(reference) +
                     ", expected a point off the axis");
  parts_ = {s.dot(outward), s.dot(axis_.cross(outward)), s.dot(axis_)};
}

SweepField SweepField::axial(const Eigen::Vector3d& axis, const Eigen::Vector3d& centre) {
  return {axis, centre, Eigen::Vector3d(0, 0, 1)};
}
SweepField SweepField::radial(const Eigen::Vector3d& axis, const Eigen::Vector3d& centre) {
  return {axis, centre, Eigen::Vector3d(1, 0, 0)};
}
SweepField SweepField::concentric(const Eigen::Vector3d& axis, const Eigen::Vector3d& centre) {
  return {axis, centre, Eigen::Vector3d(0, 1, 0)};
}

Eigen::Vector3d SweepField::at(const SurfacePlace& place) const {
  const bool along_axis = parts_[0] == 0 && parts_[1] == 0;
  const Eigen::Vector3d outward = outward_from(axis_, place.position - centre_);
  if (outward.isZero(0) && !along_axis) return Eigen::Vector3d::Zero();
  return parts_[0] * outward + parts_[1] * axis_.cross(outward) + parts_[2] * axis_;
}

SteeringField::SteeringField(const PlaneAxes& axes, Shape shape, double angle, double length)
    : axes_(checked_axes(axes)), shape_(shape), angle_(angle), length_(length) {}

SteeringField SteeringField::channel(const PlaneAxes& axes, double angle, double width) {
  check_range("structure: angle", angle, 0, M_PI_2, "0 to pi/2");
  check_range("structure: width", width, 0, std::numeric_limits<double>::max(), "a finite number >= 0");
  return {axes, Shape::funnel, -angle, width};
}

SteeringField SteeringField::spread(const PlaneAxes& axes, double angle, double width) {
  SteeringField field = channel(axes, angle, width);
  field.angle_ = angle;
  return field;
}

SteeringField SteeringField::slalom(const PlaneAxes& axes, double angle, double wavelength) {
  check_range("structure: angle", angle, 0, M_PI_2, "0 to pi/2");
  check_range("structure: wavelength", wavelength, std::numeric_limits<double>::min(),
              std::numeric_limits<double>::max(), "a finite number > 0");
  return {axes, Shape::wave, angle, wavelength};
}

double SteeringField::heading(double x, double y) const {
  if (shape_ == Shape::wave) return angle_ * std::cos(2 * M_PI * x / length_);
  if (std::abs(y) >= length_) return y > 0 ? angle_ : y < 0 ? -angle_ : 0;
  return angle_ * y / length_;
}

Eigen::Vector3d SteeringField::at(const SurfacePlace& place) const {
  const Eigen::Vector3d from_origin = place.position - axes_.origin;
  const double h = heading(from_origin.dot(axes_.x), from_origin.dot(axes_.y));
  return std::cos(h) * axes_.x + std::sin(h) * axes_.y;
}

}  // namespace capstan
