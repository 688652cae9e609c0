#pragma once
#include <Eigen/Core>
#include <memory>
#include <vector>

#include "capstan/collide/shape.hpp"
#include "capstan/scene/curves.hpp"
#include "capstan/scene/solids.hpp"

/// Hair that is laid out roughly as it will hang, clear of everything: a start from which it settles softly.
namespace capstan {

/// The obstacles as they are at t = 0.
class Surroundings {
 public:
  explicit Surroundings(const std::vector<Obstacle>& obstacles);
  /// p, moved out of every obstacle until it is `clearance` away (as far as two rounds of pushing get).
  Eigen::Vector3d cleared(Eigen::Vector3d p, double clearance) const;
  double distance(const Eigen::Vector3d& p) const;

 private:
  struct Placed {
    std::shared_ptr<const Shape> shape;
    Frame pose;
  };
  std::vector<Placed> placed_;
};

struct Drape {
  Eigen::Vector3d root, direction;  ///< direction: unit
  Eigen::Vector3d goal;             ///< unit; the direction far from the root
  double droop = 0.04;              ///< m; length over which the direction approaches the goal
  double clearance = 0;             ///< m; from obstacles, reached gradually
  double length = 0;                ///< m
};
/// A polyline of equal steps. Its length is exact.
Polyline draped(const Drape& drape, const Surroundings& surroundings, int steps);

/// The line wound around itself: a helix of the given curvature and torsion (1/m) whose axis runs beside the
/// line, on the side of `outward`. The axis takes torsion/sqrt(curvature^2 + torsion^2) of the length.
Polyline curled(const Polyline& line, const Eigen::Vector3d& outward, double curvature, double torsion);

}  // namespace capstan
