#pragma once
#include "capstan/collide/convex_core.hpp"
#include "capstan/collide/manifold.hpp"

namespace capstan {

/// A few manifold points without allocation. Corners of the overlap of two features fit.
struct FewPoints {
  static constexpr int capacity = 2 * Feature::capacity + 4;
  std::array<ManifoldPoint, capacity> points;
  int count = 0;

  void add(const ManifoldPoint& point) {
    if (count < capacity) points[count++] = point;
  }
};

/// The points at which two features, seen along the unit vector n from B to A, lie above each other: the
/// corners of the overlap of two polygons, the ends of the part of a segment above a polygon, a point above a
/// polygon, the ends of the stretch of two nearly parallel segments, the crossing of others. Else empty.
///   rounding_a, rounding_b   m, radii of balls around all points of the features
///   accuracy                 m, what lies this much outside still counts
FewPoints overlap_of_features(const Feature& a, double rounding_a, const Feature& b, double rounding_b,
                              const Eigen::Vector3d& n, double accuracy);

/// Corners of what two features have in common are all of one face, edge or end, and count alike. Of the
/// corners of a whole solid those farther away count less: margins are as wide as a body is fast, and points
/// far above the ground must not stand for those that carry the body.
enum class HighPoints { count_alike, count_less };

/// At most four of them: the deepest, and those that make the largest quadrilateral with it, seen along n.
/// Depths that differ by less than `accuracy` are the same: of up to twelve points the best of those counts,
/// else the first.
void keep_four(FewPoints& points, const Eigen::Vector3d& n, double accuracy,
               HighPoints high = HighPoints::count_alike);

}  // namespace capstan
