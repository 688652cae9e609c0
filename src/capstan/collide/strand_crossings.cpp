#include <algorithm>
#include <cmath>
#include <tuple>

#include "capstan/collide/broad_phase.hpp"
#include "capstan/collide/continuous.hpp"
#include "capstan/collide/first_touch.hpp"
#include "capstan/collide/joined.hpp"
#include "capstan/collide/near_pair.hpp"
#include "capstan/collide/soft_sides.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

/// Part of both radii: centrelines that come this close pass through each other.
constexpr double passing_distance = 0.1;

/// The strands of a scene and where their nodes are at the end of a step.
class MovingStrands {
 public:
  MovingStrands(const CollisionScene& scene, std::span<const Vector3d> end)
      : scene_(scene), end_(end), strand_of_(scene.x.size(), -1) {
    for (int k = 0; k < int(scene.strands.size()); ++k)
      std::fill_n(strand_of_.begin() + scene.strands[k].first_node, scene.strands[k].nodes - 1, k);
  }

  const CollisionScene& scene() const { return scene_; }
  int nodes() const { return int(scene_.x.size()); }
  /// The strand of the capsule that begins at a node; -1: a strand ends there.
  int strand_of(int capsule) const { return strand_of_[capsule]; }
  const CollisionStrand& strand(int capsule) const { return scene_.strands[strand_of_[capsule]]; }
  Vector3d move(int node) const { return end_[node] - scene_.x[node]; }
  double arclength(int capsule, double fraction) const {
    return scene_.s[capsule] + fraction * scene_.capsule_length(capsule);
  }
  bool wanted(int capsule, double fraction) const {
    return scene_.wanted(strand(capsule), arclength(capsule, fraction));
  }

  /// Boxes around the ways of all capsules, at the index of their first node, seen from `origin`.
  std::vector<Bounds> boxes(const Vector3d& origin) const {
    std::vector<Bounds> result(scene_.x.size(), Bounds::none());
    for (int i = 0; i < nodes(); ++i) {
      if (strand_of_[i] < 0) continue;
      Eigen::Array3d low = scene_.x[i], high = low;
      for (const Vector3d& p : {scene_.x[i + 1], end_[i], end_[i + 1]})
        low = low.min(p.array()), high = high.max(p.array());
      result[i] =
          Bounds::around(low - origin.array() - strand(i).radius, high - origin.array() + strand(i).radius);
    }
    return result;
  }

 private:
  const CollisionScene& scene_;
  std::span<const Vector3d> end_;
  std::vector<int> strand_of_;
};

/// Returns whether two things that are `distance` apart cannot come closer than `allowed`: a bound from the
/// largest relative motion of their points, which is cheap.
bool stays_clear(const MovingPair& pair, double distance, double allowed) {
  double fastest = 0;
  for (int i = 0; i < pair.count_a; ++i)
    for (int j = pair.count_a; j < 4; ++j)
      fastest = std::max(fastest, (pair.move[i] - pair.move[j]).squaredNorm());
  return distance - std::sqrt(fastest) > allowed;
}

/// Returns where two round things meet, if their middles come so close on the way that they pass through each
/// other. What is closer than that at the start has half of the distance left.
std::optional<NearestPoints> passage(const MovingPair& pair, double radius_a, double radius_b) {
  const double now = nearest_at(pair, 0).apart.norm();
  const double passing = std::min(passing_distance * (radius_a + radius_b), 0.5 * now);
  if (!(now > 0) || stays_clear(pair, now, passing) || !first_touch(pair, passing)) return {};
  return first_touch(pair, std::max(passing, std::min(radius_a + radius_b, 0.9 * now)));
}

std::optional<Contact> crossing_of_capsules(const MovingStrands& strands, int a, int b) {
  const CollisionScene& scene = strands.scene();
  const MovingPair pair{2,
                        {scene.x[a], scene.x[a + 1], scene.x[b], scene.x[b + 1]},
                        {strands.move(a), strands.move(a + 1), strands.move(b), strands.move(b + 1)}};
  const double radius_a = strands.strand(a).radius, radius_b = strands.strand(b).radius;
  const std::optional<NearestPoints> found = passage(pair, radius_a, radius_b);
  if (!found) return {};
  const double at_a = found->weight[1], at_b = found->weight[3];
  if (!strands.wanted(a, at_a) && !strands.wanted(b, at_b)) return {};
  Contact contact;
  contact.a = {strands.strand_of(a), -1, strands.arclength(a, at_a)};
  contact.b = {strands.strand_of(b), -1, strands.arclength(b, at_b)};
  contact.point_a = scene.capsule(a).at(at_a);
  contact.point_b = scene.capsule(b).at(at_b);
  const Vector3d n = found->apart.normalized();
  contact.frame = contact_frame(n, scene.capsule(a).d, scene.capsule(b).d);
  contact.gap = n.dot(contact.point_a - contact.point_b) -
                scene.distance_at(strands.strand(a), contact.a.s, strands.strand(b), contact.b.s);
  return contact;
}

/// Orders the crossings of strands by pair, then along both; of several close to each other on one pair the
/// first to be listed is the one with the smallest gap.
void remove_repeated(const CollisionScene& scene, std::vector<Contact>& all) {
  const auto pair = [](const Contact& c) { return std::tuple(c.a.strand, c.b.strand, c.b.soft); };
  std::sort(all.begin(), all.end(), [&](const Contact& l, const Contact& r) {
    return std::tuple(pair(l), l.gap, l.a.s, l.b.s, l.b.node) <
           std::tuple(pair(r), r.gap, r.a.s, r.b.s, r.b.node);
  });
  std::vector<Contact> kept;
  std::size_t first_of_pair = 0;
  for (const Contact& one : all) {
    if (kept.empty() || pair(kept.back()) != pair(one)) first_of_pair = kept.size();
    const double radius = scene.strands[one.a.strand].radius;
    const auto same = [&](const Contact& other) {
      return std::abs(other.a.s - one.a.s) < radius && (other.point_b - one.point_b).norm() < 2 * radius &&
             other.frame.col(0).dot(one.frame.col(0)) > 0.9;
    };
    if (std::none_of(kept.begin() + std::ptrdiff_t(first_of_pair), kept.end(), same)) kept.push_back(one);
  }
  all = std::move(kept);
}

/// Strands (A) with soft surfaces (B): nodes with triangles, capsules with edges.
class StrandSoftCrossings {
 public:
  StrandSoftCrossings(const MovingStrands& strands, std::span<const SoftSurface> surfaces,
                      std::span<const Eigen::Matrix3Xd> moves, const Executor& executor)
      : strands_(strands),
        surfaces_(surfaces),
        moves_(moves),
        row_(surfaces, strands.nodes()),
        near_(
            boxes(executor), [this](int i, int j) { return is_capsule(i) != is_capsule(j); }, executor) {}

  void append(int capsule, std::vector<Contact>& found) const {
    if (strands_.strand_of(capsule) < 0) return;
    row_.for_each_run(near_.of(capsule), [&](const TriangleRun& run) {
      for (const int item : run.items) {
        const int triangle = item - run.first;
        append_node(capsule, 0, run.surface, triangle, found);
        if (strands_.strand_of(capsule + 1) < 0) append_node(capsule, 1, run.surface, triangle, found);
        for_each_own_edge(surfaces_[run.surface], triangle,
                          [&](int edge) { append_edge(capsule, run.surface, edge, found); });
      }
    });
  }

 private:
  bool is_capsule(int item) const { return item < strands_.nodes(); }
  std::vector<Bounds> boxes(const Executor& executor) const {
    const Vector3d origin = middle_of(surfaces_);
    std::vector<double> thickness;
    for (const SoftSurface& surface : surfaces_) thickness.push_back(surface.radius);
    const std::vector<Bounds> triangles = triangle_bounds(surfaces_, origin, thickness, moves_, executor);
    std::vector<Bounds> result = strands_.boxes(origin);
    result.insert(result.end(), triangles.begin(), triangles.end());
    return result;
  }
  Vector3d x(int surface, int node) const { return surfaces_[surface].x.col(node); }
  Vector3d move(int surface, int node) const { return moves_[surface].col(node); }

  void append_node(int capsule, int end, int surface, int triangle, std::vector<Contact>& found) const {
    const int node = capsule + end;
    const auto& [i, j, k] = surfaces_[surface].triangles[triangle];
    const MovingPair pair{1,
                          {strands_.scene().x[node], x(surface, i), x(surface, j), x(surface, k)},
                          {strands_.move(node), move(surface, i), move(surface, j), move(surface, k)}};
    const std::optional<NearestPoints> hit = hit_of(pair, capsule, surface);
    if (!hit) return;
    append_contact(capsule, end, surface,
                   place_in_triangle(surfaces_[surface], triangle, hit->weight.tail<3>()), *hit, found);
  }

  void append_edge(int capsule, int surface, int edge, std::vector<Contact>& found) const {
    const auto& [i, j] = surfaces_[surface].edges[edge];
    const CollisionScene& scene = strands_.scene();
    const MovingPair pair{
        2,
        {scene.x[capsule], scene.x[capsule + 1], x(surface, i), x(surface, j)},
        {strands_.move(capsule), strands_.move(capsule + 1), move(surface, i), move(surface, j)}};
    const std::optional<NearestPoints> hit = hit_of(pair, capsule, surface);
    if (!hit) return;
    append_contact(capsule, hit->weight[1], surface, place_on_edge(surfaces_[surface], edge, hit->weight[3]),
                   *hit, found);
  }

  std::optional<NearestPoints> hit_of(const MovingPair& pair, int capsule, int surface) const {
    return passage(pair, strands_.strand(capsule).radius, surfaces_[surface].radius);
  }

  void append_contact(int capsule, double fraction, int surface, const SoftPlace& place,
                      const NearestPoints& hit, std::vector<Contact>& found) const {
    if (!strands_.wanted(capsule, fraction)) return;
    const SoftSurface& soft = surfaces_[surface];
    const Vector3d n = hit.apart.normalized();
    if (soft.closed && outward(soft, place).dot(n) < facing_away) return;  // it leaves from inside
    Contact contact;
    contact.a = {strands_.strand_of(capsule), -1, strands_.arclength(capsule, fraction)};
    contact.b = side_of(surface, soft, place);
    contact.point_a = strands_.scene().capsule(capsule).at(fraction);
    contact.point_b = place.x;
    contact.frame = contact_frame(n, strands_.scene().capsule(capsule).d, material_direction(soft, place));
    const double radius = strands_.strand(capsule).radius;
    contact.gap = n.dot(contact.point_a - contact.point_b) -
                  strands_.scene().radius_at(strands_.strand(capsule), contact.a.s) - soft.radius;
    contact.area = std::min(2 * radius * strands_.scene().capsule_length(capsule), area_of(soft, place));
    found.push_back(contact);
  }

  const MovingStrands& strands_;
  std::span<const SoftSurface> surfaces_;
  std::span<const Eigen::Matrix3Xd> moves_;
  TriangleRow row_;
  NearBoxes near_;
};

Vector3d middle_of_nodes(std::span<const Vector3d> x) {
  Eigen::Array3d low = x[0], high = low;
  for (const Vector3d& p : x) low = low.min(p.array()), high = high.max(p.array());
  return (low + high) / 2;
}

}  // namespace

std::vector<Contact> strand_crossings(const CollisionScene& scene, std::span<const Vector3d> end,
                                      const Executor& executor) {
  if (scene.x.empty()) return {};
  const MovingStrands strands(scene, end);
  const BoundsGrid grid(strands.boxes(middle_of_nodes(scene.x)));
  std::vector<std::vector<Contact>> parts(grid.chunks());
  executor.for_each(grid.chunks(), [&](int chunk) {
    std::vector<std::pair<int, int>> pairs;
    grid.append_pairs(chunk, pairs);
    for (const auto& [a, b] : pairs) {
      if (!may_touch(scene, strands.strand_of(a), a, strands.strand_of(b), b)) continue;
      if (const auto crossing = crossing_of_capsules(strands, a, b)) parts[chunk].push_back(*crossing);
    }
  });
  std::vector<Contact> all = joined(parts);
  remove_repeated(scene, all);
  return all;
}

std::vector<Contact> strand_soft_crossings(const CollisionScene& scene, std::span<const Vector3d> end,
                                           std::span<const SoftSurface> surfaces,
                                           std::span<const Eigen::Matrix3Xd> moves,
                                           const Executor& executor) {
  if (scene.x.empty() || surfaces.empty()) return {};
  const MovingStrands strands(scene, end);
  const StrandSoftCrossings pairs(strands, surfaces, moves, executor);
  std::vector<Contact> all;
  for (int capsule = 0; capsule < strands.nodes(); ++capsule) pairs.append(capsule, all);
  remove_repeated(scene, all);
  return all;
}

}  // namespace capstan
