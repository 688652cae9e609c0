#include "capstan/collide/convex_distance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace capstan {
namespace {

using Eigen::Vector3d;

constexpr int max_support_points = 100;
constexpr double coarse = 1e-6, fine = 1e-13;  // accuracies of the squared distance, relative
/// Cores that overlap are moved apart by this part of the smaller size before their normal is sought. Less,
/// and round sides need more support points; more, and the normal takes more steps to turn.
constexpr double apart_flat = 1e-3, apart_round = 0.3;
constexpr double common_point = 1e-10;  // of the smaller size
constexpr int max_improvements = 60;
constexpr double coarse_improvement = 1e-4, fine_improvement = 1e-10;  // of the smaller size

/// Points of A - B that span a part of it: up to four, with what they are made of.
struct Simplex {
  struct Vertex {
    Vector3d difference, a, b;
    double weight = 0;
  };
  std::array<Vertex, 4> vertices;
  int count = 0;

  Vector3d combined(Vector3d Vertex::*part) const {
    Vector3d sum = Vector3d::Zero();
    for (int i = 0; i < count; ++i) sum += vertices[i].weight * (vertices[i].*part);
    return sum;
  }
};

using Weights4 = std::array<double, 4>;

/// Weights of the point closest to the origin on the line, plane or space through some of the vertices; false
/// if it is not between them, or they do not span that much.
bool weights_within(const Simplex& simplex, const std::array<int, 4>& chosen, int count, Weights4& weights) {
  const auto at = [&](int i) -> const Vector3d& { return simplex.vertices[chosen[i]].difference; };
  if (count == 1) {
    weights[0] = 1;
    return true;
  }
  if (count == 2) {
    const Vector3d along = at(1) - at(0);
    weights[1] = -at(0).dot(along) / along.squaredNorm();
    weights[0] = 1 - weights[1];
  } else if (count == 3) {
    const Vector3d normal = (at(1) - at(0)).cross(at(2) - at(0));
    const double area2 = normal.squaredNorm();
    weights[0] = at(1).cross(at(2)).dot(normal) / area2;
    weights[1] = at(2).cross(at(0)).dot(normal) / area2;
    weights[2] = 1 - weights[0] - weights[1];
  } else {
    const Vector3d a = at(0) - at(3), b = at(1) - at(3), c = at(2) - at(3);
    const double volume = a.dot(b.cross(c));
    weights[0] = -at(3).dot(b.cross(c)) / volume;
    weights[1] = -at(3).dot(c.cross(a)) / volume;
    weights[2] = -at(3).dot(a.cross(b)) / volume;
    weights[3] = 1 - weights[0] - weights[1] - weights[2];
  }
  return std::all_of(weights.begin(), weights.begin() + count, [](double w) { return w > 0; });
}

/// Keeps the vertices between which the point closest to the origin lies, and sets their weights. The newest,
/// which is the last, is among them: without it nothing would have come closer.
void keep_closest(Simplex& simplex) {
  double least = std::numeric_limits<double>::infinity();
  Simplex best;
  const int newest = simplex.count - 1;
  for (int subset = 0; subset < 1 << newest; ++subset) {
    std::array<int, 4> chosen{};
    int count = 0;
    for (int i = 0; i < newest; ++i)
      if (subset >> i & 1) chosen[count++] = i;
    chosen[count++] = newest;
    Weights4 weights{};
    if (!weights_within(simplex, chosen, count, weights)) continue;
    Vector3d point = Vector3d::Zero();
    for (int i = 0; i < count; ++i) point += weights[i] * simplex.vertices[chosen[i]].difference;
    const double distance2 = count == 4 ? 0 : point.squaredNorm();
    if (distance2 >= least) continue;
    least = distance2;
    best.count = count;
    for (int i = 0; i < count; ++i) {
      best.vertices[i] = simplex.vertices[chosen[i]];
      best.vertices[i].weight = weights[i];
    }
  }
  simplex = best;
}

}  // namespace

ClosestPoints closest_points(const ConvexCore& a, const ConvexCore& b, const Vector3d& guess,
                             double accuracy) {
  const double touching = common_point * std::min(a.size(), b.size());
  Simplex simplex;
  Vector3d nearest = guess;
  double least = std::numeric_limits<double>::infinity();
  ClosestPoints best{a.centre(), b.centre(), least};
  for (int i = 0; i < max_support_points; ++i) {
    const Vector3d on_a = a.support(-nearest), on_b = b.support(nearest), difference = on_a - on_b;
    // The plane through the new point bounds the distance from below.
    if (i > 0 && nearest.squaredNorm() - nearest.dot(difference) <= accuracy * least) break;
    simplex.vertices[simplex.count++] = {difference, on_a, on_b};
    keep_closest(simplex);
    if (simplex.count == 4) return {on_a, on_b, 0};
    nearest = simplex.combined(&Simplex::Vertex::difference);
    const double distance2 = nearest.squaredNorm();
    if (!(distance2 < least)) break;  // rounding: no closer than before
    least = distance2;
    best = {simplex.combined(&Simplex::Vertex::a), simplex.combined(&Simplex::Vertex::b),
            std::sqrt(distance2), nearest.normalized()};
    if (best.distance <= touching) return {best.a, best.b, 0};  // no direction can be trusted
  }
  return best;
}

double separation_along(const ConvexCore& a, const ConvexCore& b, const Vector3d& n) {
  return n.dot(a.support(-n) - b.support(n));
}

// Round sides need many support points for a direction to the last digit: on the way there a few must do.
Separation improve_separation(const ConvexCore& a, const ConvexCore& b, const Vector3d& n) {
  const bool flat = a.flat_faced() && b.flat_faced();
  const double size = std::min(a.size(), b.size()), apart = (flat ? apart_flat : apart_round) * size;
  Separation best{n, separation_along(a, b, n), a.support(-n), b.support(n)};
  const bool separate = best.distance > 0;
  bool has_points = false;  // those above need not lie above each other
  double accuracy = flat || separate ? fine : coarse;
  for (int i = 0; i < max_improvements; ++i) {
    const bool as_they_are = i == 0 && separate;
    const Vector3d out =
        as_they_are ? Vector3d(Vector3d::Zero()) : Vector3d((apart - best.distance) * best.n);
    const ClosestPoints closest = closest_points(a.moved(out), b, best.n, accuracy);
    if (closest.distance == 0 && as_they_are) continue;
    if (closest.distance == 0) break;
    const double distance = separation_along(a, b, closest.n), gained = distance - best.distance;
    if (gained > 0) best.n = closest.n, best.distance = distance;
    if (gained > 0 || !has_points) best.a = closest.a - out, best.b = closest.b;
    has_points = true;
    // Of separate cores this is the answer, but to the last digits of a round side's normal.
    if (as_they_are && (flat || best.distance >= apart)) break;
    if (as_they_are || gained > (accuracy == fine ? fine_improvement : coarse_improvement) * size) continue;
    if (accuracy == fine) break;
    accuracy = fine;
  }
  return best;
}

}  // namespace capstan
