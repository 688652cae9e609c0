#include "capstan/collide/tracking.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

#include "capstan/errors.hpp"

namespace capstan {
namespace {

/// Which bodies touch.
auto pair_of(const Contact& c) {
  return std::tuple(c.b.obstacle, c.a.strand, c.b.strand, c.a.rigid, c.b.rigid, c.a.soft, c.b.soft);
}

/// Indices by pair, then by arclength on A.
std::vector<int> by_pair(std::span<const Contact> contacts) {
  std::vector<int> order(contacts.size());
  for (int i = 0; i < int(order.size()); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](int i, int j) {
    return std::tuple(pair_of(contacts[i]), contacts[i].a.s, i) <
           std::tuple(pair_of(contacts[j]), contacts[j].a.s, j);
  });
  return order;
}

struct Continuation {
  bool turned;   // normals point opposite ways
  double shift;  // m, along both strands, or over the surface of a rigid or soft A
  int now, before;
  auto key() const { return std::tie(turned, shift, now, before); }
};

double allowed_shift(const Contact& c, const CollisionScene& scene, const TrackOptions& options) {
  if (c.a.rigid >= 0) return options.max_rigid_shift * scene.rigid_radius[c.a.rigid];
  if (c.a.soft >= 0) return options.max_shift * scene.soft_edge[c.a.soft];
  double length = scene.mean_capsule_length(c.a.strand);
  if (c.b.strand >= 0) length = std::max(length, scene.mean_capsule_length(c.b.strand));
  return options.max_shift * length;
}

/// Old contacts of one pair of bodies, by arclength on A.
struct OldContacts {
  std::span<const Contact> contacts;
  std::span<const int> order;
};

/// Where the centreline of a strand is now.
Eigen::Vector3d place_at(const CollisionScene& scene, int strand, double s) {
  const int first = scene.strands[strand].first_node, last = first + scene.strands[strand].nodes - 2;
  const auto after = std::upper_bound(scene.s.begin() + first + 1, scene.s.begin() + last + 1, s);
  const int capsule = int(after - scene.s.begin()) - 1;
  return scene.capsule(capsule).at((s - scene.s[capsule]) / scene.capsule_length(capsule));
}

/// Whether the points of two strands that touched are on the other side of each other now. Where strands wind
/// around each other, contacts with opposite normals are close to each other, and nothing has passed.
bool has_passed(const Contact& before, const CollisionScene& scene) {
  const Eigen::Vector3d apart =
      place_at(scene, before.a.strand, before.a.s) - place_at(scene, before.b.strand, before.b.s);
  return before.frame.col(0).dot(apart) < 0;
}

void append_candidates(const Contact& c, int index, const OldContacts& old, double allowed, double min_cosine,
                       const CollisionScene& scene, std::vector<Continuation>& candidates) {
  const auto first = std::lower_bound(old.order.begin(), old.order.end(), c.a.s - allowed,
                                      [&](int i, double s) { return old.contacts[i].a.s < s; });
  for (auto i = first; i != old.order.end() && old.contacts[*i].a.s <= c.a.s + allowed; ++i) {
    const Contact& other = old.contacts[*i];
    const double shift =
        std::abs(c.a.s - other.a.s) + std::abs(c.b.s - other.b.s) + (c.a.local - other.a.local).norm();
    const double cosine = c.frame.col(0).dot(other.frame.col(0));
    const bool turned = cosine < 0;
    if (shift > allowed || std::abs(cosine) < min_cosine || (turned && c.b.strand < 0)) continue;
    if (turned && !has_passed(other, scene)) continue;
    candidates.push_back({turned, shift, index, *i});
  }
}

void turn_back(Contact& c) {
  c.frame.col(0) *= -1;
  c.frame.col(2) *= -1;
  c.gap -= 2 * (c.point_a - c.point_b).norm();
}

void choose(std::vector<Continuation>& candidates, std::vector<Contact>& now, std::vector<int>& continued,
            std::vector<char>& taken) {
  std::sort(candidates.begin(), candidates.end(),
            [](const Continuation& left, const Continuation& right) { return left.key() < right.key(); });
  for (const Continuation& c : candidates) {
    if (continued[c.now] >= 0 || taken[c.before]) continue;
    continued[c.now] = c.before;
    taken[c.before] = 1;
    if (c.turned) turn_back(now[c.now]);
  }
}

}  // namespace

std::vector<int> track(std::vector<Contact>& now, std::span<const Contact> before,
                       const CollisionScene& scene, const TrackOptions& options) {
  const std::vector<int> order_now = by_pair(now), order_before = by_pair(before);
  std::vector<int> continued(now.size(), -1);
  std::vector<char> taken(before.size(), 0);
  std::vector<Continuation> candidates;
  auto old = order_before.begin();
  for (auto i = order_now.begin(); i != order_now.end();) {
    const auto pair = pair_of(now[*i]);
    while (old != order_before.end() && pair_of(before[*old]) < pair) ++old;
    const auto first = old;
    while (old != order_before.end() && pair_of(before[*old]) == pair) ++old;
    candidates.clear();
    for (; i != order_now.end() && pair_of(now[*i]) == pair; ++i)
      append_candidates(now[*i], *i, {before, {first, old}}, allowed_shift(now[*i], scene, options),
                        options.min_cosine, scene, candidates);
    choose(candidates, now, continued, taken);
  }
  return continued;
}

std::vector<Eigen::Vector3d> transfer_impulses(std::span<const Contact> now, std::span<const int> continued,
                                               std::span<const Eigen::Vector3d> world_impulses,
                                               double scale) {
  if (continued.size() != now.size())
    throw InputError("indices of old contacts: " + std::to_string(continued.size()) +
                     ", expected one for each of " + std::to_string(now.size()) + " contacts");
  std::vector<Eigen::Vector3d> impulses(now.size(), Eigen::Vector3d::Zero());
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (continued[i] < 0) continue;
    if (continued[i] >= int(world_impulses.size()))
      throw InputError("old contact " + std::to_string(continued[i]) + ", expected below " +
                       std::to_string(world_impulses.size()));
    impulses[i] = scale * now[i].frame.transpose() * world_impulses[continued[i]];
  }
  return impulses;
}

}  // namespace capstan
