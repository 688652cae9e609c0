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
constexpr int max_halvings = 5;  // of a feature, when it is looked for where it may be near

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

  /// Returns whether some point may come as close as `limit` in the step: a bound from where it starts and
  /// how far it goes, which is cheap for most of what is near.
  bool may_reach(double limit) const {
    const double reach = limit + way_;
    double least = at_least(0);
    for (int i = 1; i < feature_.count; ++i) least = std::min(least, at_least(i));
    if (least - size_ / std::sqrt(3.0) > reach)
      return false;  // no point of a triangle is farther from its corners
    std::array<Vector3d, 3> corner;
    std::array<double, 3> distance{};
    for (int i = 0; i < feature_.count; ++i) {
      corner[i] = local(feature_.x[i], solid_.from());
      distance[i] = solid_.shape().closest(corner[i]).distance;
    }
    return feature_.count == 2 ? segment_is_below(reach, corner, distance, max_halvings)
                               : triangle_is_below(reach, corner, distance, max_halvings);
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
  double at_least(int i) const {
    return solid_.shape().distance_at_least(local(feature_.x[i], solid_.from()));
  }
  using Distances = std::array<double, 3>;
  bool segment_is_below(double limit, const std::array<Vector3d, 3>& x, const Distances& d,
                        int halvings) const;
  bool triangle_is_below(double limit, const std::array<Vector3d, 3>& x, const Distances& d,
                         int halvings) const;
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

/// Returns whether a place of a segment may be below `limit`, by halving: distances change by no more than
/// the way between two points.
bool FeatureOnSolid::segment_is_below(double limit, const std::array<Vector3d, 3>& x, const Distances& d,
                                      int halvings) const {
  if (std::min(d[0], d[1]) <= limit) return true;
  const double length = (x[1] - x[0]).norm();
  if ((d[0] + d[1] - length) / 2 > limit) return false;
  if (halvings == 0) return true;
  const Vector3d middle = (x[0] + x[1]) / 2;
  const double at_most = std::abs(d[0]) + length / 2;
  const double between = solid_.shape().closest(middle, at_most).distance;
  return segment_is_below(limit, {x[0], middle}, {d[0], between}, halvings - 1) ||
         segment_is_below(limit, {middle, x[1]}, {between, d[1]}, halvings - 1);
}

/// The same of a triangle, whose points are at most its longest side over sqrt(3) from a corner.
bool FeatureOnSolid::triangle_is_below(double limit, const std::array<Vector3d, 3>& x, const Distances& d,
                                       int halvings) const {
  const double least = std::min({d[0], d[1], d[2]});
  if (least <= limit) return true;
  double longest = 0;
  for (int i = 0; i < 3; ++i) longest = std::max(longest, (x[(i + 1) % 3] - x[i]).norm());
  if (least - longest / std::sqrt(3.0) > limit) return false;
  if (halvings == 0) return true;
  std::array<Vector3d, 3> middle;  // opposite to each corner
  Distances between{};
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    middle[i] = (x[j] + x[k]) / 2;
    between[i] = solid_.shape().closest(middle[i], std::abs(d[j]) + longest / 2).distance;
  }
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    if (triangle_is_below(limit, {x[i], middle[k], middle[j]}, {d[i], between[k], between[j]}, halvings - 1))
      return true;
  }
  return triangle_is_below(limit, middle, between, halvings - 1);
}

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

/// `radius`: half the thickness of what the feature belongs to. It passes where its middle goes into the
/// solid, from outside.
std::optional<LowestAt> passage(const MovingFeature& feature, const MovingSolid& solid, double radius) {
  const FeatureOnSolid pair(feature, solid);
  const double slack = distance_slack * radius;
  if (!pair.may_reach(slack)) return {};
  const double now = pair.lowest_at(0).distance;
  return now > slack ? pair.reaches(0, std::min(slack, 0.5 * now)) : std::nullopt;
}

/// Writes what B is: its index, and the point of it that will be met, where it is at the start.
void set_solid_side(const MovingSolid& solid, int index, int obstacles, const LowestAt& hit,
                    const Vector3d& met_point, Contact& contact) {
  const Vector3d local = solid.at(hit.t).apply_inverse(met_point - hit.distance * hit.n);
  contact.point_b = solid.from().apply(local);
  if (index < obstacles) {
    contact.b.obstacle = index;
  } else {
    contact.b.rigid = index - obstacles;
    contact.b.local = local;
  }
}

Vector3d at_time(const MovingFeature& feature, const LowestAt& hit) {
  Vector3d sum = Vector3d::Zero();
  for (int i = 0; i < feature.count; ++i) sum += hit.weight[i] * feature.at(i, hit.t);
  return sum;
}

/// One strand's capsules, without those next to the ends that meet nothing.
class StrandOnSolid {
 public:
  StrandOnSolid(const CollisionScene& scene, std::span<const Vector3d> end, int strand)
      : scene_(scene), end_(end), index_(strand), strand_(scene.strands[strand]) {}

  void append(const MovingSolid& solid, int index, int obstacles, std::vector<Contact>& found) const {
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
                      std::vector<Contact>& found) const {
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
    const std::optional<LowestAt> hit = passage(feature, solid, strand_.radius);
    if (!hit) return;
    const double fraction = from + hit->weight[1] * (to - from);
    Contact contact;
    contact.a = {index_, -1, scene_.s[i] + fraction * length};
    contact.point_a = scene_.capsule(i).at(fraction);
    set_solid_side(solid, index, obstacles, *hit, at_time(feature, *hit), contact);
    contact.frame = contact_frame(hit->n, scene_.capsule(i).d);
    contact.gap = hit->n.dot(contact.point_a - contact.point_b) - scene_.radius_at(strand_, contact.a.s);
    append_unless_repeated(contact, found);
  }

  /// Two capsules that hit with the node between them are one crossing.
  void append_unless_repeated(const Contact& now, std::vector<Contact>& found) const {
    const auto sides = [](const Contact& c) { return std::tuple(c.a.strand, c.b.obstacle, c.b.rigid); };
    const bool repeated = !found.empty() && sides(found.back()) == sides(now) &&
                          std::abs(found.back().a.s - now.a.s) < 0.5 * strand_.radius &&
                          found.back().frame.col(0).dot(now.frame.col(0)) > 0.9;
    if (!repeated) found.push_back(now);
  }

  const CollisionScene& scene_;
  std::span<const Vector3d> end_;
  int index_;
  const CollisionStrand& strand_;
};

/// A triangle of a soft surface and a solid.
std::optional<Contact> crossing_of_triangle(const SoftSurface& surface, int soft,
                                            const Eigen::Matrix3Xd& moves, int triangle,
                                            const MovingSolid& solid, int index, int obstacles) {
  MovingFeature feature{3, {}, {}};
  for (int k = 0; k < 3; ++k) {
    const int node = surface.triangles[triangle][k];
    feature.x[k] = surface.x.col(node);
    feature.move[k] = moves.col(node);
  }
  const std::optional<LowestAt> hit = passage(feature, solid, surface.radius);
  if (!hit) return {};
  const SoftPlace place = place_in_triangle(surface, triangle, hit->weight);
  Contact contact;
  contact.a = side_of(soft, surface, place);
  contact.point_a = place.x;
  set_solid_side(solid, index, obstacles, *hit, at_time(feature, *hit), contact);
  contact.frame = contact_frame(hit->n, material_direction(surface, place));
  contact.gap = hit->n.dot(contact.point_a - contact.point_b) - surface.radius;
  contact.area = area_of(surface, place);
  return contact;
}

/// Triangles that share the node or the edge that hits have the same crossing.
void remove_repeated_nodes(std::vector<Contact>& all) {
  const auto key = [](const Contact& c) { return std::tuple(c.a.soft, c.b.obstacle, c.b.rigid, c.a.node); };
  std::stable_sort(all.begin(), all.end(), [&](const Contact& left, const Contact& right) {
    return std::tuple(key(left), left.gap) < std::tuple(key(right), right.gap);
  });
  const auto same = [&](const Contact& left, const Contact& right) { return key(left) == key(right); };
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
}

}  // namespace

std::vector<Contact> strand_solid_crossings(const CollisionScene& scene, std::span<const Vector3d> end,
                                            std::span<const MovingSolid> solids, int obstacles,
                                            const Executor& executor) {
  constexpr int strands_per_part = 16;
  const int strands = int(scene.strands.size());
  std::vector<std::vector<Contact>> parts((strands + strands_per_part - 1) / strands_per_part);
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

std::vector<Contact> soft_solid_crossings(std::span<const SoftSurface> surfaces,
                                          std::span<const Eigen::Matrix3Xd> moves,
                                          std::span<const MovingSolid> solids, int obstacles,
                                          const Executor& executor) {
  constexpr int triangles_per_part = 64;
  std::vector<Contact> all;
  for (int k = 0; k < int(surfaces.size()); ++k) {
    const SoftSurface& surface = surfaces[k];
    const int triangles = int(surface.triangles.size());
    std::vector<std::vector<Contact>> parts((triangles + triangles_per_part - 1) / triangles_per_part);
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
    const std::vector<Contact> found = joined(parts);
    all.insert(all.end(), found.begin(), found.end());
  }
  remove_repeated_nodes(all);
  return all;
}

}  // namespace capstan
