#pragma once
#include <Eigen/Geometry>
#include <array>

#include "capstan/body/motion.hpp"
#include "capstan/collide/solid.hpp"

namespace capstan {

/// The part of a convex solid that touches first when it moves along some direction: a point, a segment
/// (two points), or a polygon.
struct Feature {
  static constexpr int capacity = 32;
  std::array<Eigen::Vector3d, capacity> points;
  int count = 0;

  void add(const Eigen::Vector3d& p) {
    if (count < capacity) points[count++] = p;
  }
};

/// Point i of the rim of a cylinder at z = sign half_height, in its own frame: i = 0 on the x axis, then
/// counterclockwise, evenly.
Eigen::Vector3d rim_point(const Solid::Drum& drum, int i, double sign);
constexpr int rim_points = 16;

/// A bounded convex solid in some frame, without its rounding: the point of a ball, the segment of a capsule;
/// boxes, hulls and cylinders themselves. Looks at the solid, which must outlive it.
class ConvexCore {
 public:
  /// The solid is a ball, capsule, box, hull or cylinder.
  ConvexCore(const Solid& solid, const Frame& pose);

  double rounding() const { return rounding_; }  ///< m, radius of a ball around every point of the core
  double size() const { return size_; }          ///< m, bounding radius of the solid
  Eigen::Vector3d centre() const { return polytope_ ? pose_.apply(polytope_->middle) : pose_.x; }
  bool flat_faced() const { return !drum_; }  ///< bounded by nothing round
  const Polytope* polytope() const { return polytope_; }
  const Frame& pose() const { return pose_; }

  /// The same, somewhere else.
  ConvexCore moved(const Eigen::Vector3d& by) const;
  /// Shrunk towards its middle. Only support() knows of it.
  ConvexCore shrunk(double factor) const;

  /// A point of the core farthest along d, not necessarily unit.
  Eigen::Vector3d support(const Eigen::Vector3d& d) const;
  /// The largest x.d and the smallest.
  struct Interval {
    double low, high;
  };
  Interval interval(const Eigen::Vector3d& d) const;

  /// Normals of faces and flat ends, each or its opposite.
  int face_axes() const { return face_axes_; }
  Eigen::Vector3d face_axis(int i) const;
  /// Directions of edges, and of the straight lines of a round side.
  int edge_axes() const { return edge_axes_; }
  Eigen::Vector3d edge_axis(int i) const;

  /// What touches first along the unit vector d. Faces, edges and lines count if they are nearly
  /// perpendicular to d. Flat ends of a cylinder are polygons inscribed in them that
  /// have the very first point as a corner.
  Feature feature(const Eigen::Vector3d& d) const;
  static constexpr double feature_sine = 0.15;  ///< of the angle by which they may miss that
  /// Beside the feature, what may come to touch as the solid tumbles on: ends of a capsule, corners of a box
  /// or of a hull of few, of a cylinder the other end of the first line and three more points of its rim.
  Feature outline(const Eigen::Vector3d& d) const;

 private:
  Eigen::Vector3d local_support(const Eigen::Vector3d& d) const;
  Feature local_feature(const Eigen::Vector3d& d) const;
  Feature feature_of_polytope(const Eigen::Vector3d& d) const;
  Feature feature_of_drum(const Eigen::Vector3d& d) const;
  Feature local_outline(const Eigen::Vector3d& d) const;

  Frame pose_;
  double rounding_ = 0, size_ = 0, scale_ = 1;
  int face_axes_ = 0, edge_axes_ = 0;
  // What it is: at most one of these, or a point. A block has its polytope too.
  const Solid::Capsule* capsule_ = nullptr;
  const Solid::Block* block_ = nullptr;
  const Solid::Drum* drum_ = nullptr;
  const Polytope* polytope_ = nullptr;
};

}  // namespace capstan
