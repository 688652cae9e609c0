#pragma once
#include <Eigen/Core>
#include <limits>

namespace capstan {

/// The point of a surface closest to some point p.
struct SurfacePoint {
  Eigen::Vector3d x;    ///< on the surface
  Eigen::Vector3d n;    ///< unit, outward: where the distance grows fastest at p
  double distance = 0;  ///< of p from the surface, m; < 0 inside
};

/// A solid in its own frame. Distances are exact inside and outside.
class Shape {
 public:
  virtual ~Shape() = default;

  virtual SurfacePoint closest(const Eigen::Vector3d& p) const = 0;
  /// The same where the surface is known to be no farther than that, which can save a search.
  virtual SurfacePoint closest(const Eigen::Vector3d& p, double /*at_most*/) const { return closest(p); }
  /// A cheap bound from below for the distance, for culling; need not be sharp.
  virtual double distance_at_least(const Eigen::Vector3d& p) const = 0;
  /// Convex solids have one closest point to a segment; others are searched in pieces.
  virtual bool convex() const { return true; }
  /// Of a solid that is not convex, m: a segment that is shorter bends around few of its features.
  virtual double feature_length() const { return std::numeric_limits<double>::infinity(); }
};

/// z <= 0.
class HalfSpace : public Shape {
 public:
  using Shape::closest;
  SurfacePoint closest(const Eigen::Vector3d& p) const override;
  double distance_at_least(const Eigen::Vector3d& p) const override;
};

/// Points up to `radius` from the segment between (0, 0, -half_length) and (0, 0, half_length).
/// Half length 0: a sphere. Throws InputError unless radius > 0, half_length >= 0.
class RoundedRod : public Shape {
 public:
  explicit RoundedRod(double radius, double half_length = 0);
  using Shape::closest;
  SurfacePoint closest(const Eigen::Vector3d& p) const override;
  double distance_at_least(const Eigen::Vector3d& p) const override;

 private:
  double radius_, half_length_;
};

/// |x|, |y|, |z| up to half the size. Throws InputError unless all are positive.
class Box : public Shape {
 public:
  explicit Box(const Eigen::Vector3d& half_size);
  using Shape::closest;
  SurfacePoint closest(const Eigen::Vector3d& p) const override;
  double distance_at_least(const Eigen::Vector3d& p) const override;

 private:
  Eigen::Vector3d half_size_;
};

/// About the z axis, |z| up to half_height, flat ends. Throws InputError unless both are positive.
class Cylinder : public Shape {
 public:
  Cylinder(double radius, double half_height);
  using Shape::closest;
  SurfacePoint closest(const Eigen::Vector3d& p) const override;
  double distance_at_least(const Eigen::Vector3d& p) const override;

 private:
  double radius_, half_height_;
};

/// Where a ray from a point inside leaves a solid, to 1e-9 of the way: roots of hair on a head. Throws
/// InputError if the point is not inside or the direction is zero.
SurfacePoint exit_point(const Shape& shape, const Eigen::Vector3d& inside, const Eigen::Vector3d& direction);

}  // namespace capstan
