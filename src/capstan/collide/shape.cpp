#include "capstan/collide/shape.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <string>

#include "capstan/errors.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

void require_positive(const char* what, double value) {
  if (!(value > 0) || !std::isfinite(value))
    throw InputError(std::string(what) + " is " + std::to_string(value) + ", expected > 0");
}

}  // namespace

SurfacePoint HalfSpace::closest(const Vector3d& p) const {
  return {{p.x(), p.y(), 0}, Vector3d::UnitZ(), p.z()};
}

double HalfSpace::distance_at_least(const Vector3d& p) const { return p.z(); }

RoundedRod::RoundedRod(double radius, double half_length) : radius_(radius), half_length_(half_length) {
  require_positive("radius", radius);
  if (!(half_length >= 0) || !std::isfinite(half_length))
    throw InputError("half length is " + std::to_string(half_length) + ", expected >= 0");
}

SurfacePoint RoundedRod::closest(const Vector3d& p) const {
  const Vector3d core(0, 0, std::clamp(p.z(), -half_length_, half_length_));
  const double away = (p - core).norm();
  const Vector3d n = away > 0 ? Vector3d((p - core) / away) : Vector3d(Vector3d::UnitX());
  return {core + radius_ * n, n, away - radius_};
}

double RoundedRod::distance_at_least(const Vector3d& p) const { return p.norm() - radius_ - half_length_; }

Box::Box(const Vector3d& half_size) : half_size_(half_size) {
  for (const double half : half_size) require_positive("half size", half);
}

SurfacePoint Box::closest(const Vector3d& p) const {
  const Vector3d inside = half_size_ - p.cwiseAbs();
  int axis = 0;
  const double depth = inside.minCoeff(&axis);
  const Vector3d n = std::copysign(1.0, p[axis]) * Vector3d::Unit(axis);  // of the nearest face
  if (depth < 0) {
    const Vector3d on_surface = p.cwiseMax(-half_size_).cwiseMin(half_size_);
    const double distance = (p - on_surface).norm();
    return {on_surface, (p - on_surface) / distance, distance};
  }
  Vector3d x = p;
  x[axis] = std::copysign(half_size_[axis], p[axis]);
  return {x, n, -depth};
}

double Box::distance_at_least(const Vector3d& p) const { return (p.cwiseAbs() - half_size_).maxCoeff(); }

Cylinder::Cylinder(double radius, double half_height) : radius_(radius), half_height_(half_height) {
  require_positive("radius", radius);
  require_positive("half height", half_height);
}

SurfacePoint Cylinder::closest(const Vector3d& p) const {
  const double away = std::hypot(p.x(), p.y());
  const Vector3d sideways = away > 0 ? Vector3d(p.x() / away, p.y() / away, 0) : Vector3d(Vector3d::UnitX());
  const Vector3d upwards = std::copysign(1.0, p.z()) * Vector3d::UnitZ();
  const double to_side = radius_ - away, to_end = half_height_ - std::abs(p.z());
  if (to_side < 0 || to_end < 0) {
    const Vector3d out = std::max(0.0, -to_side) * sideways + std::max(0.0, -to_end) * upwards;
    return {p - out, out.normalized(), out.norm()};
  }
  if (to_side < to_end) return {p + to_side * sideways, sideways, -to_side};
  return {p + to_end * upwards, upwards, -to_end};
}

double Cylinder::distance_at_least(const Vector3d& p) const {
  return std::max(std::hypot(p.x(), p.y()) - radius_, std::abs(p.z()) - half_height_);
}

// No surface is closer than the distance: to go that far is safe. Near a surface seen at a slant the steps
// get short, so once outside halve the last step instead.
SurfacePoint exit_point(const Shape& shape, const Vector3d& inside, const Vector3d& direction) {
  const double length = direction.norm(), depth = -shape.closest(inside).distance;
  if (!(depth > 0) || !(length > 0) || !std::isfinite(length))
    throw InputError("a ray begins " + std::to_string(depth) + " m deep and has a direction of length " +
                     std::to_string(length) + ", expected both > 0");
  const auto at = [&](double t) { return shape.closest(inside + t / length * direction); };
  double low = 0, high = depth;
  for (SurfacePoint p = at(high); p.distance < 0; p = at(high)) {
    low = high;
    high += std::max(-p.distance, 0.01 * depth);
    if (!(high < 1e9)) throw InputError("a ray never leaves the solid, expected a bounded one");
  }
  while (high - low > 1e-9 * high) {
    const double middle = (low + high) / 2;
    (at(middle).distance < 0 ? low : high) = middle;
  }
  return at(high);
}

}  // namespace capstan
