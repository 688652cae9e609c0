#include "capstan/scene/drape.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "capstan/body/rotation.hpp"

namespace capstan {

using Eigen::Vector3d;

Surroundings::Surroundings(const std::vector<Obstacle>& obstacles) {
  for (const Obstacle& obstacle : obstacles) placed_.push_back({obstacle.shape, obstacle.motion.at(0)});
}

Vector3d Surroundings::cleared(Vector3d p, double clearance) const {
  for (int round = 0; round < 2; ++round)
    for (const Placed& each : placed_) {
      const Vector3d local = each.pose.apply_inverse(p);
      if (each.shape->distance_at_least(local) >= clearance) continue;
      const SurfacePoint surface = each.shape->closest(local);
      if (surface.distance < clearance) p += (clearance - surface.distance) * (each.pose.R * surface.n);
    }
  return p;
}

double Surroundings::distance(const Vector3d& p) const {
  double least = std::numeric_limits<double>::infinity();
  for (const Placed& each : placed_)
    least = std::min(least, each.shape->closest(each.pose.apply_inverse(p)).distance);
  return least;
}

Polyline draped(const Drape& drape, const Surroundings& surroundings, int steps) {
  const double h = drape.length / steps;
  Vector3d direction = drape.direction;
  Polyline line{drape.root};
  for (int i = 1; i <= steps; ++i) {
    if (i > 1)
      direction = (direction + std::min(1.0, h / drape.droop) * (drape.goal - direction)).normalized();
    const double clearance = std::min(drape.clearance, 0.7 * h * i);
    Vector3d next = surroundings.cleared(line.back() + h * direction, clearance);
    const Vector3d step = next - line.back();
    // A push straight back would leave no step at all.
    if (step.norm() > 0.1 * h) direction = step.normalized();
    line.push_back(line.back() + h * direction);
  }
  return line;
}

Polyline curled(const Polyline& line, const Vector3d& outward, double curvature, double torsion) {
  const double wave = std::hypot(curvature, torsion), radius = curvature / (wave * wave);
  const double rise = torsion / wave;  // of the axis per length of the helix
  Vector3d t = (line[1] - line[0]).normalized();
  Vector3d n = perpendicular(t, outward);
  Polyline result;
  double along = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (i > 0) along += (line[i] - line[i - 1]).norm();
    if (i > 0 && i + 1 < line.size()) {
      const Vector3d next = (line[i + 1] - line[i]).normalized();
      n = perpendicular(next, rotation_between(t, next) * n);
      t = next;
    }
    const double angle = wave * along / rise;
    result.push_back(line[i] + radius * ((1 - std::cos(angle)) * n - std::sin(angle) * t.cross(n)));
  }
  return result;
}

}  // namespace capstan
