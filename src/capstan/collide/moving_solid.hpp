#pragma once
#include <Eigen/Geometry>
#include <memory>

#include "capstan/body/motion.hpp"
#include "capstan/collide/shape.hpp"
#include "capstan/collide/solid.hpp"

namespace capstan {

/// A solid on its way from one pose to another: its origin moves evenly, and it turns at constant rate.
class MovingSolid {
 public:
  /// `solid` is what rigid bodies meet; nullptr: nothing.
  MovingSolid(std::shared_ptr<const Shape> shape, const Solid* solid, const Frame& from, const Frame& to);

  const Shape& shape() const { return *shape_; }
  const Solid* solid() const { return solid_; }
  const Frame& from() const { return from_; }
  Frame at(double t) const;  ///< from 0 to 1
  const Eigen::Vector3d& move() const { return move_; }
  double angle() const { return turn_.angle(); }                         ///< rad, 0 to pi
  Eigen::Vector3d turn() const { return turn_.angle() * turn_.axis(); }  ///< rotation vector, rad

 private:
  std::shared_ptr<const Shape> shape_;
  const Solid* solid_;
  Frame from_;
  Eigen::Vector3d move_;
  Eigen::AngleAxisd turn_;
};

}  // namespace capstan
