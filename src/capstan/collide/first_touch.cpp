#include "capstan/collide/first_touch.hpp"

#include <algorithm>

#include "capstan/collide/segments.hpp"
#include "capstan/collide/triangle.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

/// A step towards each other leaves this part of the distance, and this part of the tolerance: what comes
/// closer than that is never stepped over.
constexpr double kept_of_distance = 0.1, kept_of_tolerance = 0.75;
constexpr int max_advances = 1000;

/// Returns whether the two stay farther apart than `distance` along an axis all the way; cheap.
bool stay_apart(const MovingPair& pair, double distance) {
  using Eigen::Array3d;
  Array3d low_a = pair.x[0], high_a = low_a, low_b = pair.x[3], high_b = low_b;
  for (int i = 0; i < 4; ++i) {
    const Array3d from = pair.x[i], to = pair.at(i, 1);
    Array3d &low = i < pair.count_a ? low_a : low_b, &high = i < pair.count_a ? high_a : high_b;
    low = low.min(from).min(to), high = high.max(from).max(to);
  }
  return (low_a - high_b).max(low_b - high_a).maxCoeff() > distance;
}

/// Returns how long from t on all of A stays beyond all of B along n by at least `distance`: exact, since the
/// points move evenly.
double time_apart(const MovingPair& pair, double t, const Vector3d& n, double distance) {
  double least = 1;
  for (int i = 0; i < pair.count_a; ++i)
    for (int j = pair.count_a; j < 4; ++j) {
      const double speed = n.dot(pair.move[j] - pair.move[i]);
      const double room = n.dot(pair.at(i, t) - pair.at(j, t)) - distance;
      if (speed > 0) least = std::min(least, std::max(0.0, room) / speed);
    }
  return least;
}

}  // namespace

NearestPoints nearest_at(const MovingPair& pair, double t) {
  std::array<Vector3d, 4> x;
  for (int i = 0; i < 4; ++i) x[i] = pair.at(i, t);
  if (pair.count_a == 1) {
    const Corners corners{x[1], x[2], x[3]};
    const Vector3d weight = closest_on_triangle(x[0], corners);
    return {t, {1, weight[0], weight[1], weight[2]}, x[0] - weighted(weight, corners)};
  }
  const Segment a{x[0], x[1] - x[0]}, b{x[2], x[3] - x[2]};
  const ClosestFractions closest = closest_fractions(a, b);
  return {t, {1 - closest.a, closest.a, 1 - closest.b, closest.b}, a.at(closest.a) - b.at(closest.b)};
}

std::optional<NearestPoints> first_touch(const MovingPair& pair, double tolerance) {
  if (stay_apart(pair, tolerance)) return {};
  double t = 0;
  for (int step = 0;; ++step) {
    const NearestPoints nearest = nearest_at(pair, t);
    const double distance = nearest.apart.norm();
    if (distance <= tolerance || step == max_advances) return nearest;
    const double kept = std::max(kept_of_distance * distance, kept_of_tolerance * tolerance);
    const double safe = time_apart(pair, t, nearest.apart / distance, kept);
    if (!(safe > 0)) return nearest;  // nearly parallel edges, whose distance is known to 1e-5 of them alone
    t += safe;
    if (t >= 1) return {};
  }
}

}  // namespace capstan
