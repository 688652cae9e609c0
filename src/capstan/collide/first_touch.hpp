#pragma once
#include <Eigen/Core>
#include <array>
#include <optional>

namespace capstan {

/// Four points that move evenly from time 0 to 1: a point and a triangle, or two segments.
struct MovingPair {
  int count_a;  ///< number of points that belong to A, the first ones: 1 or 2
  std::array<Eigen::Vector3d, 4> x, move;

  Eigen::Vector3d at(int i, double t) const { return x[i] + t * move[i]; }
};

/// The closest points of a moving pair at one time.
struct NearestPoints {
  double t;                ///< from 0 to 1
  Eigen::Vector4d weight;  ///< of the four points; the weights of A have the sum 1, and those of B
  Eigen::Vector3d apart;   ///< from B to A, m
};

NearestPoints nearest_at(const MovingPair& pair, double t);

/// Returns the nearest points when the two come as close as `tolerance` (m, > 0), for the first time from 0
/// to 1; nothing if they do not. Additive conservative advancement: two convex things that are apart along a
/// direction stay so until their points can have covered the distance, whatever else they do. There is no
/// coplanarity equation to solve, and flat or still things are no special case.
std::optional<NearestPoints> first_touch(const MovingPair& pair, double tolerance);

}  // namespace capstan
