#include "capstan/collide/triangle.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace capstan {
namespace {

using Eigen::Vector3d;

/// The weights on the edge from a to b of the point closest to p.
std::pair<double, double> on_edge(const Vector3d& p, const Vector3d& a, const Vector3d& b) {
  const double length2 = (b - a).squaredNorm();
  const double fraction = length2 > 0 ? std::clamp((p - a).dot(b - a) / length2, 0.0, 1.0) : 0;
  return {1 - fraction, fraction};
}

Vector3d closest_on_outline(const Vector3d& p, const Corners& v) {
  Vector3d best = Vector3d::Zero();
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 3; ++k) {
    const int next = (k + 1) % 3;
    const auto [here, there] = on_edge(p, v[k], v[next]);
    const double distance2 = (p - here * v[k] - there * v[next]).squaredNorm();
    if (distance2 >= least) continue;
    least = distance2;
    best.setZero();
    best[k] = here, best[next] = there;
  }
  return best;
}

}  // namespace

// The projection of p on the plane if that lies within the triangle, else the closest point of the outline.
Vector3d closest_on_triangle(const Vector3d& p, const Corners& v) {
  const Vector3d normal = twice_area(v);
  const double area2 = normal.squaredNorm();
  Vector3d weights;
  for (int k = 0; k < 3; ++k) {
    const Vector3d &a = v[(k + 1) % 3], &b = v[(k + 2) % 3];
    weights[k] = (b - a).cross(p - a).dot(normal) / area2;
    if (!(weights[k] > 0)) return closest_on_outline(p, v);  // also without area
  }
  return weights;
}

double solid_angle(const Vector3d& p, const Corners& corners) {
  const Vector3d a = corners[0] - p, b = corners[1] - p, c = corners[2] - p;
  const double la = a.norm(), lb = b.norm(), lc = c.norm();
  return 2 * std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
}

double angle_at(const Corners& v, int k) {
  const Vector3d a = v[(k + 1) % 3] - v[k], b = v[(k + 2) % 3] - v[k];
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

}  // namespace capstan
