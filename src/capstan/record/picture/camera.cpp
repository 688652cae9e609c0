#include "capstan/record/picture/camera.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "capstan/errors.hpp"

namespace capstan::record {
namespace {

constexpr double kMargin = 1.08;
constexpr double kHalfAngle = 14 * M_PI / 180;  // of the shorter side of the picture: a portrait lens

Eigen::Matrix3d axes_of(const Eigen::Vector3d& back) {
  const bool vertical = std::abs(back.normalized().z()) > 1 - 1e-9;
  const Eigen::Vector3d up = vertical ? Eigen::Vector3d::UnitY() : Eigen::Vector3d::UnitZ();
  Eigen::Matrix3d axes;
  axes.col(2) = back.normalized();
  axes.col(0) = up.cross(axes.col(2)).normalized();
  axes.col(1) = axes.col(2).cross(axes.col(0));
  return axes;
}

Eigen::Vector3d back_of(const View& view) {
  const double a = view.azimuth * M_PI / 180, e = view.elevation * M_PI / 180;
  return {std::sin(a) * std::cos(e), -std::cos(a) * std::cos(e), std::sin(e)};
}

}  // namespace

Camera::Camera(const Eigen::Vector3d& eye, const Eigen::Vector3d& back, double focal_length, double scale,
               int width, int height)
    : eye_(eye),
      axes_(axes_of(back)),
      focal_length_(focal_length),
      scale_(scale),
      center_x_(0.5 * width),
      center_y_(0.5 * height) {}

Camera Camera::fitted(const Eigen::Matrix3Xd& points, const View& view, int width, int height) {
  if (points.cols() == 0 || !points.allFinite()) throw InputError("picture: there is nothing to look at");
  if (!(view.zoom > 0)) throw InputError("picture: zoom is " + std::to_string(view.zoom) + ", expected > 0");
  const Eigen::Vector3d back = back_of(view);
  const Eigen::Matrix3Xd seen = axes_of(back).transpose() * points;
  const Eigen::Vector3d low = seen.rowwise().minCoeff(), high = seen.rowwise().maxCoeff();
  const Eigen::Vector3d center = 0.5 * (low + high), half = 0.5 * (high - low).cwiseMax(1e-6);
  const double half_width = 0.5 * width / kMargin, half_height = 0.5 * height / kMargin;
  const Eigen::Vector3d world = axes_of(back) * center;
  if (view.orthographic) {
    const double scale = view.zoom * std::min(half_width / half.x(), half_height / half.y());
    return {world + 4 * half.norm() * back.normalized(), back, 0, scale, width, height};
  }
  // Pixels for a slope of 1; then the least distance from which every point is inside the picture.
  const double focal_length = std::min(half_width, half_height) / std::tan(kHalfAngle);
  double distance = 0;
  for (int k = 0; k < seen.cols(); ++k) {
    const Eigen::Vector3d p = seen.col(k) - center;
    const double needed =
        std::max(std::abs(p.x()) / half_width, std::abs(p.y()) / half_height) * focal_length;
    distance = std::max(distance, p.z() + std::max(needed, 1e-6));
  }
  return {world + distance * back.normalized(), back, view.zoom * focal_length, 0, width, height};
}

ScreenPoint Camera::project(const Eigen::Vector3d& p) const {
  const Eigen::Vector3d seen = axes_.transpose() * (p - eye_);
  const double depth = -seen.z();
  const double scale = focal_length_ > 0 ? focal_length_ / depth : scale_;
  return {center_x_ + scale * seen.x(), center_y_ - scale * seen.y(), nearness(depth), scale,
          focal_length_ == 0 || depth > 1e-9};
}

Camera::Ray Camera::ray(double x, double y) const {
  const double right = x - center_x_, up = center_y_ - y;
  if (focal_length_ > 0)
    return {eye_, axes_ * Eigen::Vector3d(right / focal_length_, up / focal_length_, -1)};
  return {eye_ + axes_ * Eigen::Vector3d(right / scale_, up / scale_, 0), -axes_.col(2)};
}

Eigen::Vector3d Camera::toward_eye(const Eigen::Vector3d& p) const {
  return focal_length_ > 0 ? (eye_ - p).normalized() : Eigen::Vector3d(axes_.col(2));
}

}  // namespace capstan::record
