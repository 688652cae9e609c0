#pragma once
#include "capstan/collide/convex_core.hpp"

namespace capstan {

/// Two points of two cores that are closest to each other.
struct ClosestPoints {
  Eigen::Vector3d a, b;
  double distance = 0;  ///< m; 0 if the cores have a point in common, to 1e-10 of the smaller size
  Eigen::Vector3d n = Eigen::Vector3d::Zero();  ///< unit, from B to A, if they are apart
};

/// By the method of Gilbert, Johnson and Keerthi on A - B, from the exact support points. Of polytopes exact
/// to rounding; with a round side the distance to
/// 1e-9 of the size, and the direction between the points to some 1e-5.
/// `guess` is a direction from B to A; a good one saves time. `accuracy`: of the squared
/// distance, relative.
ClosestPoints closest_points(const ConvexCore& a, const ConvexCore& b, const Eigen::Vector3d& guess,
                             double accuracy = 1e-13);

/// How far the cores are apart seen along the unit vector n, from B to A; < 0 if they overlap along it. No
/// more than the distance.
double separation_along(const ConvexCore& a, const ConvexCore& b, const Eigen::Vector3d& n);

/// A direction along which two cores are apart, with the points that touch first along it.
struct Separation {
  Eigen::Vector3d n;    ///< unit, from B to A
  double distance = 0;  ///< separation_along(n)
  Eigen::Vector3d a, b;
};

/// Improves a direction until the separation grows no more. Cores that are apart: the closest points. Cores
/// that overlap: A is moved out along n until it is well apart, and the direction of the closest
/// points there is at least as good as n was; and so on. That ends at a local minimum of the overlap.
///   With d that distance, s <= 0 the separation along n, and n' at an angle t from n after a step:
///   s' >= d - cos(t) (d - s) >= s.
Separation improve_separation(const ConvexCore& a, const ConvexCore& b, const Eigen::Vector3d& n);

}  // namespace capstan
