#include "capstan/scene/curves.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace capstan {
namespace {

using Eigen::Vector3d;

/// Polynomial trefoil, after [Shastri 1992]. Seen along z, the curve meets itself at t = +-1.732 and at
/// t = (-1.932, 0.518) and (-0.518, 1.932), and nowhere else. z is chosen so that it passes above and below
/// itself in turn there, by 1.1 to 1.2. x from -2 to 2, y from -4 to 0.
Vector3d trefoil(double t) {
  const double t2 = t * t;
  return {t * (t2 - 3), t2 * (t2 - 4), 0.4 * t * (t2 - 0.9) * (t2 - 3.39)};
}

/// From the end of the knot's core to one side (+-1 in x): turns into the middle of the knot's height and
/// goes on straight. A tail that stays beyond |x| = 2 adds no crossing.
void add_tail(Polyline& line, Vector3d direction, double side, double length, double step) {
  const int steps = std::max(8, int(std::ceil(length / step)));
  const double h = length / steps;
  for (int i = 0; i < steps; ++i) {
    const Vector3d& x = line.back();
    const Vector3d goal = Vector3d(side, -(x[1] + 1.5) / 3, -x[2] / 2).normalized();
    direction = (direction + std::min(1.0, h / 0.8) * (goal - direction)).normalized();
    line.push_back(line.back() + h * direction);
  }
}

/// In the knot's own units and axes, root at the left.
Polyline knot_in_own_units(double length, int points) {
  const int half = std::max(100, points);
  Polyline core, tail;
  for (int i = -half; i <= half; ++i) core.push_back(trefoil(2.0 * i / half));
  const double rest = (length - length_of(core)) / 2, step = length / points;
  tail.push_back(core.front());
  add_tail(tail, (core[0] - core[1]).normalized(), -1, rest, step);
  Polyline line(tail.rbegin(), tail.rend() - 1);
  line.insert(line.end(), core.begin(), core.end());
  add_tail(line, (core.back() - core[core.size() - 2]).normalized(), 1, rest, step);
  return line;
}

}  // namespace

Vector3d perpendicular(const Vector3d& t, const Vector3d& wish) {
  const Vector3d n = wish - t * t.dot(wish);
  if (n.norm() > 1e-9) return n.normalized();
  int axis;
  t.cwiseAbs().minCoeff(&axis);
  return t.cross(Vector3d::Unit(axis)).normalized();
}

double length_of(const Polyline& line) {
  double length = 0;
  for (std::size_t i = 1; i < line.size(); ++i) length += (line[i] - line[i - 1]).norm();
  return length;
}

Polyline arc_curve(const Vector3d& start, const Vector3d& direction, const Vector3d& normal, double radius,
                   double length, int points) {
  const Vector3d n = perpendicular(direction, normal);
  Polyline line;
  for (int i = 0; i < points; ++i) {
    const double angle = length / radius * i / (points - 1);
    line.push_back(start + radius * (std::sin(angle) * direction + (1 - std::cos(angle)) * n));
  }
  return line;
}

Polyline helix_curve(const Vector3d& start, const Vector3d& direction, const Vector3d& normal, double radius,
                     double pitch, double length, int points) {
  const Vector3d n = perpendicular(direction, normal), b = direction.cross(n);
  const double rise = pitch / kTurn, turns = length / std::hypot(radius, rise);
  Polyline line;
  for (int i = 0; i < points; ++i) {
    const double angle = turns * i / (points - 1);
    line.push_back(start + radius * ((1 - std::cos(angle)) * n - std::sin(angle) * b) +
                   rise * angle * direction);
  }
  return line;
}

Polyline wrap_curve(const Vector3d& center, const Vector3d& direction, const Vector3d& axis, double radius,
                    double angle, double pitch, const Eigen::Vector2d& tails, int points) {
  const Vector3d d = perpendicular(axis, direction), e = d.cross(axis);
  const auto around = [&](double a) -> Vector3d {
    return center + radius * (std::cos(a) * e + std::sin(a) * d) + pitch * a / kTurn * axis;
  };
  Polyline line{around(0) - tails[0] * d};
  for (int i = 0; i < points; ++i) line.push_back(around(angle * i / (points - 1)));
  line.push_back(line.back() + tails[1] * (std::cos(angle) * d - std::sin(angle) * e));
  return line;
}

Polyline overhand_knot_curve(const Vector3d& start, const Vector3d& direction, const Vector3d& normal,
                             double radius, double length, int points) {
  const double unit = radius / 2;
  Polyline line = knot_in_own_units(length / unit, points);
  Eigen::Matrix3d R;
  R.col(0) = direction;
  R.col(1) = perpendicular(direction, normal);
  R.col(2) = R.col(0).cross(R.col(1));
  const Vector3d origin = line.front();
  for (Vector3d& x : line) x = start + unit * (R * (x - origin));
  return line;
}

}  // namespace capstan
