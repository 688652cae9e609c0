#pragma once
#include <Eigen/Core>
#include <vector>

#include "capstan/body/body.hpp"
#include "capstan/body/motion.hpp"
#include "capstan/body/rod_properties.hpp"

namespace capstan {

/// A force that keeps its direction, at one point of a strand.
struct PointForce {
  double s;           ///< arclength, m
  Eigen::Vector3d f;  ///< N
};

/// What the ends of a strand are held by. A clamp prescribes place and direction, a pin only the place.
enum class Hold { free, pinned, clamped };
struct End {
  Hold hold = Hold::free;
  Motion motion;  ///< of the end's frame: x, and n0 n1 n2 (tangent first) as columns of R; unused if free
};

/// A thin rod in some choice of unknowns.
class Strand : public Body {
 public:
  virtual double length() const = 0;
  /// Of the point at arclength s, 0 <= s <= length(). point_motion belongs to the step that has begun.
  virtual Eigen::Vector3d position(double s) const = 0;
  virtual Eigen::Vector3d velocity(double s) const = 0;  ///< at the end of the last step
  virtual PointMotion point_motion(double s) const = 0;
  /// Material frame, tangent first.
  virtual Eigen::Matrix3d frame(double s) const = 0;

  const RodProperties& properties() const { return properties_; }
  std::vector<PointForce> loads;  ///< dead loads, changed at will between steps

 protected:
  explicit Strand(const RodProperties& properties) : properties_(properties) {}
  RodProperties properties_;
};

}  // namespace capstan
