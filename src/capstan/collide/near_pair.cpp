#include "capstan/collide/near_pair.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

namespace capstan {
namespace {

/// Nearly parallel: sideways drift along the common stretch in parts of the two radii. Two contacts at the
/// ends of the stretch then hold all of it: in the middle the distance is smaller by at most drift^2 / 8 d,
/// 1 % of d.
constexpr double line_drift = 0.25;
constexpr double joint = 1e-6;       // fractions closer to 0 or 1 are at a joint
constexpr double coincident = 1e-9;  // m; centrelines this close have no direction between them

double reach(const CollisionScene& scene, int a, int b) {
  return scene.strands[a].radius + scene.strands[b].radius;
}

double arclength(const CollisionScene& scene, int capsule, double fraction) {
  return scene.s[capsule] + fraction * scene.capsule_length(capsule);
}

/// Contacts closer than this along a strand are the same.
double merge_length(const CollisionScene& scene, int strand, int capsule, double fraction) {
  return std::max(scene.strands[strand].radius, fraction * scene.capsule_length(capsule));
}

/// The neighbour on the same strand across the joint at which `fraction` lies; -1 if none.
int neighbour(const CollisionScene& scene, int strand, int capsule, double fraction) {
  const CollisionStrand& k = scene.strands[strand];
  if (fraction < joint && capsule > k.first_node) return capsule - 1;
  if (fraction > 1 - joint && capsule + 1 < k.first_node + k.nodes - 1) return capsule + 1;
  return -1;
}

/// Whether the strand itself ends at this end, 0 or 1, of its capsule.
bool at_end(const CollisionScene& scene, int strand, int capsule, double end) {
  return neighbour(scene, strand, capsule, end) < 0;
}

auto depth_order(const NearPair& place) {
  return std::tie(place.distance, place.capsule_a, place.capsule_b, place.at.a);
}

/// The smallest distance found between two capsules, in depth order; null if they are not near.
const NearPair* deepest_of(std::span<const NearPair> places, int capsule_a, int capsule_b) {
  const auto key = [](const NearPair& p) { return std::pair(p.capsule_a, p.capsule_b); };
  const std::pair wanted(capsule_a, capsule_b);
  auto at = std::lower_bound(places.begin(), places.end(), wanted,
                             [&](const NearPair& p, const auto& value) { return key(p) < value; });
  const NearPair* best = nullptr;
  for (; at != places.end() && key(*at) == wanted; ++at)
    if (!best || depth_order(*at) < depth_order(*best)) best = &*at;
  return best;
}

/// A place at a joint belongs to two to four pairs of capsules; the distance over the chains has its local
/// minimum in only one of them. (A pair across the joint is at most as far, so it is among the places.)
bool is_local_minimum(const CollisionScene& scene, std::span<const NearPair> places, const NearPair& place) {
  const int next_a = neighbour(scene, place.strand_a, place.capsule_a, place.at.a);
  const int next_b = neighbour(scene, place.strand_b, place.capsule_b, place.at.b);
  const auto deeper_at = [&](int a, int b) {
    const NearPair* other = a < 0 || b < 0 ? nullptr : deepest_of(places, a, b);
    return other && depth_order(*other) < depth_order(place);
  };
  return !deeper_at(next_a, place.capsule_b) && !deeper_at(place.capsule_a, next_b) &&
         !deeper_at(next_a, next_b);
}

Eigen::Vector3d separation(const CollisionScene& scene, const NearPair& place) {
  return scene.capsule(place.capsule_a).at(place.at.a) - scene.capsule(place.capsule_b).at(place.at.b);
}

/// From B to A. Centrelines that cross have no direction between them: any side will do, and tracking turns
/// it to the side of the step before.
Eigen::Vector3d normal(const CollisionScene& scene, const NearPair& place) {
  if (place.distance >= coincident) return separation(scene, place) / place.distance;
  const Eigen::Vector3d a = scene.capsule(place.capsule_a).d, b = scene.capsule(place.capsule_b).d;
  const Eigen::Vector3d n = a.cross(b);
  if (n.norm() > 1e-6 * a.norm() * b.norm()) return n.normalized();
  return a.norm() > 0 ? a.unitOrthogonal() : Eigen::Vector3d(Eigen::Vector3d::UnitZ());
}

/// Places of one pair of strands with what is compared when merging.
struct Candidate {
  NearPair place;
  double s_a, s_b, merge_a, merge_b;
  Eigen::Vector3d n;
};

Candidate make_candidate(const CollisionScene& scene, const NearPair& place, double fraction) {
  return {place,
          arclength(scene, place.capsule_a, place.at.a),
          arclength(scene, place.capsule_b, place.at.b),
          merge_length(scene, place.strand_a, place.capsule_a, fraction),
          merge_length(scene, place.strand_b, place.capsule_b, fraction),
          normal(scene, place)};
}

bool same_contact(const Candidate& kept, const Candidate& other) {
  return std::abs(kept.s_a - other.s_a) <= std::max(kept.merge_a, other.merge_a) &&
         std::abs(kept.s_b - other.s_b) <= std::max(kept.merge_b, other.merge_b) &&
         (kept.n.dot(other.n) > 0.9 || std::min(kept.place.distance, other.place.distance) < coincident);
}

/// The deepest of each cluster, for candidates sorted by s_a.
std::vector<Candidate> merged(const std::vector<Candidate>& all) {
  if (all.size() < 2) return all;
  std::vector<int> order(all.size());
  double window = 0;
  for (int i = 0; i < int(all.size()); ++i) order[i] = i, window = std::max(window, all[i].merge_a);
  std::sort(order.begin(), order.end(), [&](int i, int j) {
    return std::pair(all[i].place.distance, i) < std::pair(all[j].place.distance, j);
  });
  std::vector<char> kept(all.size(), 0);
  const auto is_new = [&](int i) {
    for (int j = i - 1; j >= 0 && all[i].s_a - all[j].s_a <= window; --j)
      if (kept[j] && same_contact(all[j], all[i])) return false;
    for (int j = i + 1; j < int(all.size()) && all[j].s_a - all[i].s_a <= window; ++j)
      if (kept[j] && same_contact(all[j], all[i])) return false;
    return true;
  };
  for (const int i : order) kept[i] = is_new(i);
  std::vector<Candidate> result;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (kept[i]) result.push_back(all[i]);
  return result;
}

double arc_distance(const Candidate& left, const Candidate& right) {
  return std::abs(left.s_a - right.s_a) + std::abs(left.s_b - right.s_b);
}

/// The deepest, then again and again the one farthest from those already chosen.
std::vector<Candidate> thinned(const std::vector<Candidate>& all, int most) {
  if (most <= 0 || int(all.size()) <= most) return all;
  std::vector<double> far(all.size(), std::numeric_limits<double>::infinity());
  std::vector<char> kept(all.size(), 0);
  std::size_t next = 0;
  for (std::size_t i = 1; i < all.size(); ++i)
    if (all[i].place.distance < all[next].place.distance) next = i;
  for (int count = 0; count < most; ++count) {
    kept[next] = 1;
    for (std::size_t i = 0; i < all.size(); ++i)
      far[i] = kept[i] ? -1 : std::min(far[i], arc_distance(all[i], all[next]));
    next = std::size_t(std::max_element(far.begin(), far.end()) - far.begin());
  }
  std::vector<Candidate> result;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (kept[i]) result.push_back(all[i]);
  return result;
}

}  // namespace

// Two points of a curve whose curvature is at most 1/a are at least 2 a apart once the arc between them is
// pi a (half a circle of radius a): closer ones overlap for no reason but the thickness.
bool may_touch(const CollisionScene& scene, int strand_a, int capsule_a, int strand_b, int capsule_b) {
  const CollisionStrand& a = scene.strands[strand_a];
  if (strand_a != strand_b) return a.group < 0 || a.group != scene.strands[strand_b].group;
  if (!a.self_contact) return false;
  const double length = std::max(scene.capsule_length(capsule_a), scene.capsule_length(capsule_b));
  const double least = std::max(std::numbers::pi * a.radius, length);
  return scene.s[capsule_b] - scene.s[capsule_a + 1] > least * (1 + 1e-9);
}

void append_near(const CollisionScene& scene, int strand_a, int capsule_a, int strand_b, int capsule_b,
                 std::vector<NearPair>& near) {
  const Segment a = scene.capsule(capsule_a), b = scene.capsule(capsule_b);
  const double touching = reach(scene, strand_a, strand_b);
  const double limit = touching + scene.strands[strand_a].margin + scene.strands[strand_b].margin;
  const auto distance = [&](const ClosestFractions& at) { return (a.at(at.a) - b.at(at.b)).norm(); };
  const auto wanted = [&](const ClosestFractions& at) {
    return scene.wanted(scene.strands[strand_a], arclength(scene, capsule_a, at.a), scene.strands[strand_b],
                        arclength(scene, capsule_b, at.b));
  };
  const auto add = [&](const ClosestFractions& at, double d, bool line) {
    if (wanted(at)) near.push_back({strand_a, strand_b, capsule_a, capsule_b, at, d, line});
  };
  const ClosestFractions closest = closest_fractions(a, b);
  const double d = distance(closest);
  if (!(d < limit)) return;
  const Overlap along = overlap(a, b);
  if (along.length > touching && along.drift < line_drift * touching) {
    const double first = distance(along.first), last = distance(along.last);
    if (first < limit && last < limit) {
      add(along.first, first, true);
      add(along.last, last, true);
      return;
    }
  }
  add(closest, d, false);
  // Beside each other and not quite parallel: the next capsules watch the joints, nobody else a free end.
  if (!(along.length > touching)) return;
  const auto add_end = [&](const ClosestFractions& at) {
    if (const double there = distance(at); there < limit) add(at, there, true);
  };
  for (const double end : {0.0, 1.0}) {
    const auto point = [end](const Segment& segment) {
      return Segment{segment.at(end), Eigen::Vector3d::Zero()};
    };
    if (at_end(scene, strand_a, capsule_a, end)) add_end({end, closest_fractions(point(a), b).b});
    if (at_end(scene, strand_b, capsule_b, end)) add_end({closest_fractions(a, point(b)).a, end});
  }
}

std::vector<NearPair> without_duplicates(const CollisionScene& scene, std::span<const NearPair> places,
                                         const DetectOptions& options) {
  if (places.size() < 2) return {places.begin(), places.end()};
  std::vector<Candidate> candidates;
  candidates.reserve(places.size());
  for (const NearPair& place : places)
    if (place.line || is_local_minimum(scene, places, place))
      candidates.push_back(make_candidate(scene, place, options.merge_fraction));
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& left, const Candidate& right) {
    return std::tie(left.s_a, left.s_b, left.place) < std::tie(right.s_a, right.s_b, right.place);
  });
  std::vector<NearPair> result;
  for (const Candidate& kept : thinned(merged(candidates), options.max_per_pair))
    result.push_back(kept.place);
  return result;
}

Contact make_contact(const CollisionScene& scene, const NearPair& place) {
  const Segment a = scene.capsule(place.capsule_a), b = scene.capsule(place.capsule_b);
  Contact contact;
  contact.a = {place.strand_a, -1, arclength(scene, place.capsule_a, place.at.a)};
  contact.b = {place.strand_b, -1, arclength(scene, place.capsule_b, place.at.b)};
  contact.point_a = a.at(place.at.a);
  contact.point_b = b.at(place.at.b);
  contact.frame = contact_frame(normal(scene, place), a.d, b.d);
  contact.gap = place.distance - scene.distance_at(scene.strands[place.strand_a], contact.a.s,
                                                   scene.strands[place.strand_b], contact.b.s);
  return contact;
}

}  // namespace capstan
