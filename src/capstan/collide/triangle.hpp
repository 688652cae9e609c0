#pragma once
#include <Eigen/Geometry>
#include <algorithm>
#include <array>

namespace capstan {

using Corners = std::array<Eigen::Vector3d, 3>;

/// The mean of the corners with these weights.
inline Eigen::Vector3d weighted(const Eigen::Vector3d& weights, const Corners& corners) {
  return weights[0] * corners[0] + weights[1] * corners[1] + weights[2] * corners[2];
}

/// The weights of the point of a triangle closest to p, sum 1; zeros say on which edge or corner it is.
/// Triangles without area are fine.
Eigen::Vector3d closest_on_triangle(const Eigen::Vector3d& p, const Corners& corners);

/// Whether p is farther than that from a triangle along an axis; cheap.
inline bool apart_along_axis(const Eigen::Vector3d& p, const Corners& v, double distance) {
  for (int k = 0; k < 3; ++k) {
    if (std::min({v[0][k], v[1][k], v[2][k]}) - p[k] > distance) return true;
    if (p[k] - std::max({v[0][k], v[1][k], v[2][k]}) > distance) return true;
  }
  return false;
}

/// Twice the area, along the normal about which the corners run counterclockwise.
inline Eigen::Vector3d twice_area(const Corners& corners) {
  return (corners[1] - corners[0]).cross(corners[2] - corners[0]);
}

/// The solid angle of a triangle seen from p, rad; positive from behind [Van Oosterom and Strackee 1983].
/// Over a closed surface they add up to 4 pi inside and to 0 outside.
double solid_angle(const Eigen::Vector3d& p, const Corners& corners);

/// At corner k, rad.
double angle_at(const Corners& corners, int k);

}  // namespace capstan
