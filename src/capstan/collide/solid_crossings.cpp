#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <tuple>

#include "capstan/collide/continuous.hpp"
#include "capstan/collide/joined.hpp"
#include "capstan/collide/lowest_place.hpp"
#include "capstan/collide/soft_sides.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

/// Distances are followed to this part of the radius, and places are found to this part of the size.
constexpr double distance_slack = 0.05, place_accuracy = 1e-4;
/// Safe advances along a surface that is not convex can be tiny. After so many of them the rest of the way is
/// sampled: steps of at least this part of it.
constexpr int max_safe_advances = 100;
constexpr double sampled_advance = 1.0 / 256;

/// A segment or a triangle whose corners move evenly.
struct MovingFeature {
  int count;  ///< 2 or 3
  std::array<Vector3d, 3> x, move;

  Vector3d at(int i, double t) const { return x[i] + t * move[i]; }
};

/// Where a moving feature is lowest at one time.
struct LowestAt {
  double t = 0, distance = 0;
  Vector3d weight = Vector3d::Zero();
  Vector3d n = Vector3d::Zero();  ///< of the solid, world axes
};

/// One moving feature and one moving solid.
class FeatureOnSolid {
 public:
  FeatureOnSolid(const MovingFeature& feature, const MovingSolid& solid) : feature_(feature), solid_(solid) {
    for (int i = 0; i < feature.count; ++i) {
      way_ = std::max({way_, motion(i, 0).norm(), motion(i, 1).norm()});
      for (int j = 0; j < i; ++j) size_ = std::max(size_, (feature.x[i] - feature.x[j]).norm());
    }
  }

  /// No point comes closer to the solid than that in the whole step: a bound that is cheap.
  double never_closer_than() const {
    double least = solid_.shape().distance_at_least(local(feature_.x[0], solid_.from()));
    for (int i = 1; i < feature_.count; ++i)
      least = std::min(least, solid_.shape().distance_at_least(local(feature_.x[i], solid_.from())));
    return least - size_ / std::sqrt(3.0) - way_;  // no point of a triangle is farther from its corners
  }

  /// Returns the first time at which the distance falls to `limit`, from `start` on; with a slack above it.
  std::optional<LowestAt> reaches(double limit, double slack, double start = 0) const {
    double t = start;
    for (int step = 0;; ++step) {
      const LowestAt lowest = lowest_at(t);
      if (lowest.distance <= limit + slack) return lowest;
      t += std::max(safe_advance(lowest, limit), step < max_safe_advances ? 0.0 : sampled_advance);
      if (!(t < 1)) return {};
    }
  }

  LowestAt lowest_at(double t) const;

 private:
  static Vector3d local(const Vector3d& p, const Frame& pose) { return pose.apply_inverse(p); }
  double safe_advance(const LowestAt& lowest, double limit) const;
  /// How fast a corner moves against the matter of the solid, m per step: affine in time, so that it is
  /// largest at the start or at the end.
  Vector3d motion(int i, double t) const {
    const Vector3d from_origin = feature_.at(i, t) - solid_.from().x - t * solid_.move();
    return feature_.move[i] - solid_.move() - solid_.turn().cross(from_origin);
  }

  const MovingFeature& feature_;
  const MovingSolid& solid_;
  double way_ = 0;   // largest speed of any point as seen from the solid, m per step
  double size_ = 0;  // longest side
};

/// Returns a time in which the distance cannot fall to `limit`: it changes by no more than the points move. A
/// convex solid stays below the plane between the two, so that only what points move against that counts, and
/// what slides along a surface is safe.
double FeatureOnSolid::safe_advance(const LowestAt& lowest, double limit) const {
  const double by_distance = (lowest.distance - limit) / way_;
  if (!solid_.shape().convex() || !(lowest.distance > 0)) return by_distance;
  Vector3d place = Vector3d::Zero();
  for (int i = 0; i < feature_.count; ++i) place += lowest.weight[i] * feature_.at(i, lowest.t);
  const double plane = lowest.n.dot(place) - lowest.distance;
  const Vector3d origin = solid_.from().x + lowest.t * solid_.move();
  double by_plane = 1;
  for (int i = 0; i < feature_.count; ++i) {
    const Vector3d x = feature_.at(i, lowest.t), relative = feature_.move[i] - solid_.move();
    const double turning = solid_.angle() * ((x - origin).norm() + 2 * relative.norm());
    const double closing = turning - lowest.n.dot(relative);
    if (closing > 0) by_plane = std::min(by_plane, std::max(0.0, lowest.n.dot(x) - plane - limit) / closing);
  }
  return std::max(by_distance, by_plane);
}

LowestAt FeatureOnSolid::lowest_at(double t) const {
  const Frame pose = solid_.at(t);
  const Shape& shape = solid_.shape();
  std::array<MeasuredPoint, 3> corner;
  corner.fill({Vector3d::Zero(), {Vector3d::Zero(), Vector3d::Zero(), 0}});
  for (int i = 0; i < feature_.count; ++i) {
    corner[i].x = local(feature_.at(i, t), pose);
    corner[i].surface = shape.closest(corner[i].x);
  }
  LowestAt best{t, corner[0].surface.distance, Vector3d::UnitX(), corner[0].surface.n};
  for (int i = 1; i < feature_.count; ++i)
    if (corner[i].surface.distance < best.distance)
      best = {t, corner[i].surface.distance, Vector3d::Unit(i), corner[i].surface.n};
  const double accuracy = place_accuracy * size_;
  for (int i = 0; i < feature_.count; ++i) {
    const int j = (i + 1) % feature_.count;
    if (feature_.count == 2 && i == 1) break;
    const LowestPlace place =
        lowest_on_segment(shape, {corner[i], corner[j]}, best.distance - accuracy, accuracy);
    if (place.found)
      best = {t, place.distance, place.weight[0] * Vector3d::Unit(i) + place.weight[1] * Vector3d::Unit(j),
              place.n};
  }
  if (feature_.count == 3) {
    const LowestPlace place = lowest_on_triangle(shape, corner, best.distance - accuracy, accuracy);
    if (place.found) best = {t, place.distance, place.weight, place.n};
  }
  best.n = pose.R * best.n;
  return best;
}

/// A feature that comes too close to a solid.
struct SolidHit {
  LowestAt at;
  bool passes;
};

/// `radius`: half the thickness of what the feature belongs to. It passes where its middle goes into the
/// solid, from outside.
std::optional<SolidHit> hit_on_way(const MovingFeature& feature, const MovingSolid& solid, double radius) {
  const FeatureOnSolid pair(feature, solid);
  const double slack = distance_slack * radius, allowed = radius - allowed_overlap * 2 * radius;
  if (pair.never_closer_than() > allowed) return {};
  const double now = pair.lowest_at(0).distance;
  const double limit = std::min(allowed, now - allowed_growth * 2 * radius - 2 * slack);
  const std::optional<LowestAt> hit = pair.reaches(limit, slack);
  if (!hit) return {};
  const bool passes = now > slack && pair.reaches(0, std::min(slack, 0.5 * now), hit->t).has_value();
  return SolidHit{*hit, passes};
}

/// Writes what B is: its index, and the point of it that will be met, where it is at the start.
void set_solid_side(const MovingSolid& solid, int index, int obstacles, const SolidHit& hit,
                    const Vector3d& met_point, Contact& contact) {
  const Vector3d local = solid.at(hit.at.t).apply_inverse(met_point - hit.at.distance * hit.at.n);
  contact.point_b = solid.from().apply(local);
  if (index < obstacles) {
    contact.b.obstacle = index;
  } else {
    contact.b.rigid = index - obstacles;
    contact.b.local = local;
  }
}

Vector3d at_time(const MovingFeature& feature, const SolidHit& hit) {
  Vector3d sum = Vector3d::Zero();
  for (int i = 0; i < feature.count; ++i) sum += hit.at.weight[i] * feature.at(i, hit.at.t);
  return sum;
}

/// One strand's capsules, without those next to the ends that meet nothing.
class StrandOnSolid {
 public:
  StrandOnSolid(const CollisionScene& scene, std::span<const Vector3d> end, int strand)
      : scene_(scene), end_(end), index_(strand), strand_(scene.strands[strand]) {}

  void append(const MovingSolid& solid, int index, int obstacles, std::vector<Crossing>& found) const {
    if (is_far(solid)) return;
    for (int i = strand_.first_node; i + 1 < strand_.first_node + strand_.nodes; ++i)
      append_capsule(i, solid, index, obstacles, found);
  }

 private:
  bool is_far(const MovingSolid& solid) const {
    const int middle = strand_.first_node + strand_.nodes / 2;
    double ball = 0, way = 0;
    for (int i = strand_.first_node; i < strand_.first_node + strand_.nodes; ++i) {
      ball = std::max(ball, (scene_.x[i] - scene_.x[middle]).norm());
      way = std::max(way, (end_[i] - scene_.x[i] - solid.move()).norm());
    }
    const double farthest = (scene_.x[middle] - solid.from().x).norm() + ball + way;
    const double least = solid.shape().distance_at_least(solid.from().apply_inverse(scene_.x[middle]));
    return least - ball - way - solid.angle() * farthest > strand_.radius;
  }

  void append_capsule(int i, const MovingSolid& solid, int index, int obstacles,
                      std::vector<Crossing>& found) const {
    const double first = scene_.s[strand_.first_node] + strand_.skip_root;
    const double last = scene_.s[strand_.first_node + strand_.nodes - 1] - strand_.skip_tip;
    const double length = scene_.capsule_length(i);
    const double from = std::max(0.0, (first - scene_.s[i]) / length);
    const double to = std::min(1.0, (last - scene_.s[i]) / length);
    if (!(from <= to)) return;
    const auto between = [&](const Vector3d& a, const Vector3d& b, double at) -> Vector3d {
      return a + at * (b - a);
    };
    MovingFeature feature{2, {}, {}};
    for (const int k : {0, 1}) {
      const double at = k == 0 ? from : to;
      feature.x[k] = between(scene_.x[i], scene_.x[i + 1], at);
      feature.move[k] = between(end_[i], end_[i + 1], at) - feature.x[k];
    }
    const std::optional<SolidHit> hit = hit_on_way(feature, solid, strand_.radius);
    if (!hit) return;
    const double fraction = from + hit->at.weight[1] * (to - from);
    Contact contact;
    contact.a = {index_, -1, scene_.s[i] + fraction * length};
    contact.point_a = scene_.capsule(i).at(fraction);
    set_solid_side(solid, index, obstacles, *hit, at_time(feature, *hit), contact);
    contact.frame = contact_frame(hit->at.n, scene_.capsule(i).d);
    contact.gap = hit->at.n.dot(contact.point_a - contact.point_b) - strand_.radius;
    append_unless_repeated({contact, hit->passes}, found);
  }

  /// Two capsules that hit with the node between them are one crossing.
  void append_unless_repeated(const Crossing& crossing, std::vector<Crossing>& found) const {
    if (!found.empty()) {
      const Contact &last = found.back().contact, &now = crossing.contact;
      const auto sides = [](const Contact& c) { return std::tuple(c.a.strand, c.b.obstacle, c.b.rigid); };
      if (sides(last) == sides(now) && std::abs(last.a.s - now.a.s) < 0.5 * strand_.radius &&
          last.frame.col(0).dot(now.frame.col(0)) > 0.9) {
        found.back().passes |= crossing.passes;
        return;
      }
    }
    found.push_back(crossing);
  }

  const CollisionScene& scene_;
  std::span<const Vector3d> end_;
  int index_;
  const CollisionStrand& strand_;
};

/// A triangle of a soft surface and a solid.
std::optional<Crossing> crossing_of_triangle(const SoftSurface& surface, int soft,
                                             const Eigen::Matrix3Xd& moves, int triangle,
                                             const MovingSolid& solid, int index, int obstacles) {
  MovingFeature feature{3, {}, {}};
  for (int k = 0; k < 3; ++k) {
    const int node = surface.triangles[triangle][k];
    feature.x[k] = surface.x.col(node);
    feature.move[k] = moves.col(node);
  }
  const std::optional<SolidHit> hit = hit_on_way(feature, solid, surface.radius);
  if (!hit) return {};
  const SoftPlace place = place_in_triangle(surface, triangle, hit->at.weight);
  Contact contact;
  contact.a = side_of(soft, surface, place);
  contact.point_a = place.x;
  set_solid_side(solid, index, obstacles, *hit, at_time(feature, *hit), contact);
  contact.frame = contact_frame(hit->at.n, material_direction(surface, place));
  contact.gap = hit->at.n.dot(contact.point_a - contact.point_b) - surface.radius;
  contact.area = area_of(surface, place);
  return Crossing{contact, hit->passes};
}

/// Triangles that share the node or the edge that hits have the same crossing.
void remove_repeated_nodes(std::vector<Crossing>& all) {
  const auto key = [](const Crossing& c) {
    const Contact& contact = c.contact;
    return std::tuple(contact.a.soft, contact.b.obstacle, contact.b.rigid, contact.a.node);
  };
  std::stable_sort(all.begin(), all.end(), [&](const Crossing& left, const Crossing& right) {
    return std::tuple(key(left), !left.passes, left.contact.gap) <
           std::tuple(key(right), !right.passes, right.contact.gap);
  });
  all.erase(std::unique(all.begin(), all.end(),
                        [&](const Crossing& left, const Crossing& right) { return key(left) == key(right); }),
            all.end());
}

}  // namespace

std::vector<Crossing> strand_solid_crossings(const CollisionScene& scene, std::span<const Vector3d> end,
                                             std::span<const MovingSolid> solids, int obstacles,
                                             const Executor& executor) {
  constexpr int strands_per_part = 16;
  const int strands = int(scene.strands.size());
  std::vector<std::vector<Crossing>> parts((strands + strands_per_part - 1) / strands_per_part);
  for_each_chunk(
      executor, strands,
      [&](int first, int last) {
        for (int k = first; k < last; ++k)
          for (int i = 0; i < int(solids.size()); ++i)
            StrandOnSolid(scene, end, k).append(solids[i], i, obstacles, parts[first / strands_per_part]);
      },
      strands_per_part);
  return joined(parts);
}

std::vector<Crossing> soft_solid_crossings(std::span<const SoftSurface> surfaces,
                                           std::span<const Eigen::Matrix3Xd> moves,
                                           std::span<const MovingSolid> solids, int obstacles,
                                           const Executor& executor) {
  constexpr int triangles_per_part = 64;
  std::vector<Crossing> all;
  for (int k = 0; k < int(surfaces.size()); ++k) {
    const SoftSurface& surface = surfaces[k];
    const int triangles = int(surface.triangles.size());
    std::vector<std::vector<Crossing>> parts((triangles + triangles_per_part - 1) / triangles_per_part);
    for_each_chunk(
        executor, triangles,
        [&](int first, int last) {
          for (int i = first; i < last; ++i)
            for (int s = 0; s < int(solids.size()); ++s)
              if (const auto crossing =
                      crossing_of_triangle(surface, k, moves[k], i, solids[s], s, obstacles))
                parts[first / triangles_per_part].push_back(*crossing);
        },
        triangles_per_part);
    const std::vector<Crossing> found = joined(parts);
    all.insert(all.end(), found.begin(), found.end());
  }
  remove_repeated_nodes(all);
  return all;
}

}  // namespace capstan
