#pragma once
#include <Eigen/Core>

namespace capstan::record {

/// From where a picture is taken. z is up; azimuth 0 looks along +y, and turns the eye to the right.
struct View {
  double azimuth = 30, elevation = 12;  ///< degrees
  double zoom = 1;                      ///< 2: twice as large
  bool orthographic = false;
};

/// A point on the screen. Of two points at the same place the one with the larger nearness hides the other;
/// nearness is linear along straight lines of the picture.
struct ScreenPoint {
  double x, y, nearness;
  double scale;   ///< pixels a metre, there
  bool in_front;  ///< of the eye
};

class Camera {
 public:
  /// Looks along -back from `eye`; orthographic if focal_length is 0, with `scale` pixels a metre.
  Camera(const Eigen::Vector3d& eye, const Eigen::Vector3d& back, double focal_length, double scale,
         int width, int height);
  /// Sees all the points, with a margin, in a picture of width x height pixels.
  static Camera fitted(const Eigen::Matrix3Xd& points, const View& view, int width, int height);

  ScreenPoint project(const Eigen::Vector3d& p) const;
  double nearness(double depth) const { return focal_length_ > 0 ? 1 / depth : -depth; }
  double depth(double nearness) const { return focal_length_ > 0 ? 1 / nearness : -nearness; }
  /// The weight that makes interpolation of anything but nearness right in perspective.
  double weight(const ScreenPoint& p) const { return focal_length_ > 0 ? p.nearness : 1; }

  struct Ray {
    Eigen::Vector3d origin, direction;  ///< depth along the view axis grows by 1 a unit of direction
  };
  Ray ray(double x, double y) const;
  /// From a point of the scene to the eye.
  Eigen::Vector3d toward_eye(const Eigen::Vector3d& p) const;
  const Eigen::Matrix3d& axes() const { return axes_; }  ///< columns: right, up, back

 private:
  Eigen::Vector3d eye_;
  Eigen::Matrix3d axes_;
  double focal_length_, scale_, center_x_, center_y_;
};

}  // namespace capstan::record
