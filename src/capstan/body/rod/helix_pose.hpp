#pragma once
#include <Eigen/Core>
#include <vector>

#include "capstan/body/motion.hpp"

namespace capstan {

/// A strand of equal segments of constant curvature, put in the world by the frame of its root.
struct HelixPose {
  struct Segment {
    Eigen::Vector3d k;      ///< (tau, kappa_1, kappa_2), 1/m
    Frame start;            ///< place and material frame where the segment begins
    Eigen::Matrix3d turn;   ///< d(rotation of all that follows)/dk, world
    Eigen::Matrix3d shift;  ///< d(place of the segment's end)/dk, world
  };
  double segment_length = 0;
  std::vector<Segment> segments;
  Frame tip;

  /// Where an arclength lies: segment, and arclength from its start.
  struct Location {
    int segment;
    double s;
  };
  Location locate(double s) const;

  /// Recomputes everything from the curvatures.
  void place(const Frame& root);
  const Frame& root() const { return segments.front().start; }
  const Eigen::Vector3d& end_of(int segment) const {
    return segment + 1 < static_cast<int>(segments.size()) ? segments[segment + 1].start.x : tip.x;
  }
  Eigen::Vector3d position(Location at) const;
  Eigen::Matrix3d frame(Location at) const;
};

}  // namespace capstan
