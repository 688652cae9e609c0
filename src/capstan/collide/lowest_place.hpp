#pragma once
#include <array>

#include "capstan/collide/shape_search.hpp"

namespace capstan {

/// A point in the frame of a solid and the surface of the solid there.
struct MeasuredPoint {
  Eigen::Vector3d x;
  SurfacePoint surface;
};

/// A place on a segment or a triangle, by the weights of its ends or corners. At a kink of the distance (the
/// edge or corner of a box has gone in) n is that mean of the normals around that is perpendicular to the
/// segment or triangle; elsewhere it is the surface's, which is perpendicular by itself.
struct LowestPlace {
  Eigen::Vector3d weight = Eigen::Vector3d::Zero();
  double distance = 0;
  Eigen::Vector3d n = Eigen::Vector3d::Zero();
  bool found = false;
};

/// In how many pieces a segment of that length is looked at: one if the solid is convex, else pieces of half
/// its features, 4 to `at_most`.
int pieces_along(const Shape& shape, double length, int at_most);

/// Where a segment or triangle is deepest in a solid, or nearest to it, if that is below `target`, to
/// `accuracy` (m). A convex solid has no other minimum; others are looked at in a grid of pieces (see
/// pieces_along) and the deepest wins, so that what is smaller than a piece may be missed.
LowestPlace lowest_on_segment(const Shape& shape, const std::array<MeasuredPoint, 2>& ends, double target,
                              double accuracy);
LowestPlace lowest_on_triangle(const Shape& shape, const std::array<MeasuredPoint, 3>& corners, double target,
                               double accuracy);

}  // namespace capstan
