#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "capstan/collide/detect.hpp"
#include "capstan/collide/lowest_place.hpp"
#include "capstan/collide/shape_search.hpp"
#include "capstan/errors.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

constexpr int strands_per_job = 16;
/// Searching along a capsule stops when no point can be deeper by this part of the radius.
constexpr double depth_accuracy = 1e-6;
constexpr int max_pieces_of_capsule = 16;

/// A point of a strand and what the surface is there, in the obstacle's frame.
struct Touch {
  int capsule;
  double fraction;
  SurfacePoint surface;
};

/// One strand against one obstacle.
class StrandOnObstacle {
 public:
  StrandOnObstacle(const CollisionScene& scene, int strand, int obstacle, const DetectOptions& options)
      : scene_(scene),
        strand_(scene.strands[strand]),
        strand_index_(strand),
        obstacle_index_(obstacle),
        obstacle_(scene.obstacles[obstacle]),
        merge_fraction_(options.merge_fraction) {}

  void append_contacts(std::vector<Contact>& contacts);

 private:
  bool may_touch() const;
  /// Whether no point between two, that far from each other, is near: |slope| <= 1.
  bool all_far(const SurfacePoint& low, const SurfacePoint& high, double between) const {
    return (low.distance + high.distance - between) / 2 > limit_;
  }
  void measure_nodes();
  std::vector<Touch> touches_inside_capsules() const;
  Vector3d along(int capsule) const;  // in the obstacle's frame
  Probe probe(int capsule, double fraction, const SurfacePoint& surface) const;
  void search(int capsule, Probe low, Probe high, std::vector<Touch>& found) const;
  SurfacePoint surface_at(int capsule, double fraction, double at_most) const;
  bool node_is_covered(int node, const std::vector<Touch>& inside) const;
  void add_or_merge(const Touch& touch, std::vector<Touch>& found) const;
  bool close_along(int node, const Touch& touch) const;
  double merge(const Touch& touch) const {
    return std::max(strand_.radius, merge_fraction_ * scene_.capsule_length(touch.capsule));
  }
  double arclength(const Touch& touch) const;
  Vector3d fibre(const Touch& touch) const;
  void append(const Touch& touch, std::vector<Contact>& contacts) const;

  int last_node() const { return strand_.first_node + strand_.nodes - 1; }
  const SurfacePoint& node_surface(int node) const { return nodes_[node - strand_.first_node]; }
  double fastest() const;

  const CollisionScene& scene_;
  const CollisionStrand& strand_;
  int strand_index_, obstacle_index_;
  const PlacedObstacle& obstacle_;
  double merge_fraction_;
  double limit_ = 0;                 // centrelines farther than this from the surface do not matter
  std::vector<SurfacePoint> nodes_;  // those that may matter; others are just far
};

/// Of any point of the obstacle within the strand's bounding ball: how fast it may come closer, m/s.
double StrandOnObstacle::fastest() const {
  double farthest = 0;
  for (int i = strand_.first_node; i <= last_node(); ++i)
    farthest = std::max(farthest, (scene_.x[i] - obstacle_.pose.x).norm());
  return obstacle_.twist.linear.norm() + obstacle_.twist.angular.norm() * farthest;
}

bool StrandOnObstacle::may_touch() const {
  const Vector3d middle = obstacle_.pose.apply_inverse(scene_.x[strand_.first_node + strand_.nodes / 2]);
  double ball = 0;
  for (int i = strand_.first_node; i <= last_node(); ++i)
    ball = std::max(ball, (scene_.x[i] - scene_.x[strand_.first_node + strand_.nodes / 2]).norm());
  return obstacle_.shape->distance_at_least(middle) < ball + limit_;
}

// Distances change by no more than one goes: bounds from below at both ends rule out most capsules, and only
// the nodes of the others need exact values.
void StrandOnObstacle::measure_nodes() {
  std::vector<Vector3d> x(strand_.nodes);
  std::vector<bool> exact(strand_.nodes, false);
  nodes_.resize(strand_.nodes);
  for (int i = 0; i < strand_.nodes; ++i) {
    x[i] = obstacle_.pose.apply_inverse(scene_.x[strand_.first_node + i]);
    nodes_[i].distance = obstacle_.shape->distance_at_least(x[i]);
    exact[i] = nodes_[i].distance <= limit_;
  }
  for (int i = 0; i + 1 < strand_.nodes; ++i)
    if (!all_far(nodes_[i], nodes_[i + 1], (x[i + 1] - x[i]).norm())) exact[i] = exact[i + 1] = true;
  double at_most = std::numeric_limits<double>::infinity();
  for (int i = 0; i < strand_.nodes; ++i) {
    if (exact[i]) nodes_[i] = obstacle_.shape->closest(x[i], at_most);
    if (i + 1 < strand_.nodes)
      at_most = exact[i] ? std::abs(nodes_[i].distance) + (x[i + 1] - x[i]).norm()
                         : std::numeric_limits<double>::infinity();
  }
}

SurfacePoint StrandOnObstacle::surface_at(int capsule, double fraction, double at_most) const {
  return obstacle_.shape->closest(obstacle_.pose.apply_inverse(scene_.capsule(capsule).at(fraction)),
                                  at_most);
}

Vector3d StrandOnObstacle::along(int capsule) const {
  return obstacle_.pose.R.transpose() * scene_.capsule(capsule).d;
}

Probe StrandOnObstacle::probe(int capsule, double fraction, const SurfacePoint& surface) const {
  return {fraction, surface.distance, surface.n.dot(along(capsule)), surface};
}

void StrandOnObstacle::search(int capsule, Probe low, Probe high, std::vector<Touch>& found) const {
  if (!dips_between(low, high)) return;
  const double accuracy = depth_accuracy * strand_.radius, length = along(capsule).norm();
  const auto at_node = [](double fraction) { return fraction == 0 || fraction == 1; };
  Probe best = low.distance < high.distance ? low : high;
  best.distance -= at_node(best.at) ? accuracy : 0;  // nodes are looked at anyway
  best = lowest_between(low, high, best, length, limit_, accuracy, [&](double fraction, double at_most) {
    return probe(capsule, fraction, surface_at(capsule, fraction, at_most));
  });
  if (best.distance < limit_ && !at_node(best.at)) add_or_merge({capsule, best.at, best.surface}, found);
}

/// Facets give several minima where a smooth surface has one: of those close together the deepest stays.
void StrandOnObstacle::add_or_merge(const Touch& touch, std::vector<Touch>& found) const {
  const bool same = !found.empty() && std::abs(arclength(found.back()) - arclength(touch)) <= merge(touch) &&
                    found.back().surface.n.dot(touch.surface.n) > 0.9;
  if (!same)
    found.push_back(touch);
  else if (touch.surface.distance < found.back().surface.distance)
    found.back() = touch;
}

std::vector<Touch> StrandOnObstacle::touches_inside_capsules() const {
  std::vector<Touch> found;
  for (int i = strand_.first_node; i < last_node(); ++i) {
    const double length = scene_.capsule(i).d.norm();
    if (all_far(node_surface(i), node_surface(i + 1), length)) continue;
    const int pieces = pieces_along(*obstacle_.shape, length, max_pieces_of_capsule);
    Probe low = probe(i, 0, node_surface(i));
    for (int piece = 1; piece <= pieces; ++piece) {
      const double end = double(piece) / pieces;
      const Probe high =
          probe(i, end,
                piece == pieces ? node_surface(i + 1)
                                : surface_at(i, end, std::abs(low.distance) + length / pieces));
      if (!all_far(low.surface, high.surface, length / pieces)) search(i, low, high, found);
      low = high;
    }
  }
  return found;
}

bool StrandOnObstacle::close_along(int node, const Touch& touch) const {
  return std::abs(arclength(touch) - scene_.s[node]) <= merge(touch);
}

// A node adds nothing if a deeper place is close, or if both its capsules touch in their middle.
bool StrandOnObstacle::node_is_covered(int node, const std::vector<Touch>& inside) const {
  bool before = false, after = false;
  const auto first = std::lower_bound(inside.begin(), inside.end(), node - 1,
                                      [](const Touch& touch, int wanted) { return touch.capsule < wanted; });
  for (auto touch = first; touch != inside.end() && touch->capsule <= node; ++touch) {
    if (touch->surface.distance > node_surface(node).distance) continue;
    if (close_along(node, *touch)) return true;
    (touch->capsule == node ? after : before) = true;
  }
  return before && after;
}

double StrandOnObstacle::arclength(const Touch& touch) const {
  return scene_.s[touch.capsule] + touch.fraction * scene_.capsule_length(touch.capsule);
}

Vector3d StrandOnObstacle::fibre(const Touch& touch) const {
  const Vector3d here = scene_.capsule(touch.capsule).d.normalized();
  if (touch.fraction == 0 && touch.capsule > strand_.first_node)
    return here + scene_.capsule(touch.capsule - 1).d.normalized();
  return here;
}

void StrandOnObstacle::append(const Touch& touch, std::vector<Contact>& contacts) const {
  Contact contact;
  contact.a = {strand_index_, -1, arclength(touch)};
  contact.b = {-1, obstacle_index_, 0};
  contact.point_a = scene_.capsule(touch.capsule).at(touch.fraction);
  contact.point_b = obstacle_.pose.apply(touch.surface.x);
  const Vector3d n = obstacle_.pose.R * touch.surface.n;
  contact.frame = contact_frame(n, fibre(touch));
  contact.gap = touch.surface.distance - scene_.radius_at(strand_, contact.a.s);
  contact.velocity_b = obstacle_.twist.at(contact.point_b, obstacle_.pose.x);
  const double approach = std::max(0.0, obstacle_.dt * contact.velocity_b.dot(n));
  if (contact.gap < strand_.margin + approach && scene_.wanted(strand_, contact.a.s))
    contacts.push_back(contact);
}

void StrandOnObstacle::append_contacts(std::vector<Contact>& contacts) {
  limit_ = strand_.radius + strand_.margin + obstacle_.dt * fastest();
  if (!may_touch()) return;
  measure_nodes();
  const std::vector<Touch> inside = touches_inside_capsules();
  std::vector<Touch> all = inside;
  for (int i = strand_.first_node; i <= last_node(); ++i) {
    if (node_surface(i).distance >= limit_ || node_is_covered(i, inside)) continue;
    const bool last = i == last_node();
    all.push_back({last ? i - 1 : i, last ? 1.0 : 0.0, node_surface(i)});
  }
  std::sort(all.begin(), all.end(), [](const Touch& left, const Touch& right) {
    return std::pair(left.capsule, left.fraction) < std::pair(right.capsule, right.fraction);
  });
  for (const Touch& touch : all) append(touch, contacts);
}

}  // namespace

std::vector<Contact> detect_with_obstacles(const CollisionScene& scene, const DetectOptions& options,
                                           const Executor& executor) {
  if (scene.obstacles.empty()) return {};
  scene.require_finite();
  for (std::size_t i = 0; i < scene.obstacles.size(); ++i)
    if (!scene.obstacles[i].shape)
      throw InputError("obstacle " + std::to_string(i) + " has no shape, expected one");
  const int strands = int(scene.strands.size()), jobs = (strands + strands_per_job - 1) / strands_per_job;
  std::vector<std::vector<Contact>> parts(jobs);
  executor.for_each(jobs, [&](int job) {
    for (int k = job * strands_per_job; k < std::min(strands, (job + 1) * strands_per_job); ++k)
      for (int i = 0; i < int(scene.obstacles.size()); ++i)
        StrandOnObstacle(scene, k, i, options).append_contacts(parts[job]);
  });
  std::vector<Contact> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace capstan
