#include <algorithm>
#include <cmath>
#include <optional>

#include "capstan/collide/broad_phase.hpp"
#include "capstan/collide/continuous.hpp"
#include "capstan/collide/joined.hpp"
#include "capstan/collide/manifold.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

/// Parts of the thickness of the thinner of two bodies. The way is sampled so that they move less than the
/// first against each other between two samples, which is why none can step over the other; bodies that move
/// less than that in all are not looked at. An overlap of the last is a passage; the contact is that of the
/// first sample with an overlap of the second.
constexpr double sampled_move = 0.25, touching_overlap = 0.05, passing_overlap = 0.4;
constexpr int max_samples = 64;

/// Two rigid bodies, or one and an obstacle, on their way.
class RigidPairOnWay {
 public:
  RigidPairOnWay(const MovingSolid& a, const MovingSolid& b) : a_(a), b_(b) {
    thickness_ = a.solid()->thickness();
    if (b.solid()->bounded()) thickness_ = std::min(thickness_, b.solid()->thickness());
  }

  /// Returns the most that any point of A moves against B.
  double relative_move() const {
    const double radius = a_.solid()->bounding_radius();
    const double apart = (a_.from().x - b_.from().x).norm();
    return (a_.move() - b_.move()).norm() + (a_.turn() - b_.turn()).norm() * radius +
           b_.angle() * (apart + (a_.move() - b_.move()).norm());
  }

  /// The points of one sample.
  struct Hit {
    double t;
    Manifold points;
  };
  /// Returns where the two touch first, if they pass through each other.
  std::optional<Hit> passage() const {
    const double move = relative_move();
    if (move < sampled_move * thickness_) return {};
    const int samples = std::clamp(int(std::ceil(move / (sampled_move * thickness_))), 1, max_samples);
    std::optional<Hit> touch;
    double before = 0;  // the overlap at the start, which is no passage
    for (int k = 1; k <= samples; ++k) {
      const double t = double(k) / samples;
      Manifold points = manifold_at(t);
      const double depth = depth_of(points);
      if (depth <= touching_overlap * thickness_) continue;
      if (!touch) before = depth_of(manifold_at(0)), touch = Hit{t, std::move(points)};
      if (depth > before + passing_overlap * thickness_) return touch;
    }
    return {};
  }

 private:
  Manifold manifold_at(double t) const { return manifold(*a_.solid(), a_.at(t), *b_.solid(), b_.at(t), 0); }
  static double depth_of(const Manifold& points) {
    double depth = 0;
    for (const ManifoldPoint& point : points) depth = std::max(depth, -point.gap);
    return depth;
  }

  const MovingSolid &a_, &b_;
  double thickness_;
};

Contact contact_at_start(const MovingSolid& a, const MovingSolid& b, double t, const ManifoldPoint& point) {
  Contact contact;
  contact.a.local = a.at(t).apply_inverse(point.on_a);
  contact.point_a = a.from().apply(contact.a.local);
  contact.point_b = b.from().apply(b.at(t).apply_inverse(point.on_b));
  contact.frame = contact_frame(point.n, Vector3d::UnitX(), Vector3d::UnitY());
  contact.gap = point.n.dot(contact.point_a - contact.point_b);
  return contact;
}

void append_rigid(std::span<const MovingSolid> solids, int obstacles, int a, int b,
                  std::vector<Contact>& found) {
  const RigidPairOnWay pair(solids[a], solids[b]);
  const auto hit = pair.passage();
  if (!hit) return;
  for (const ManifoldPoint& point : hit->points) {
    if (!(point.gap < 0)) continue;
    Contact contact = contact_at_start(solids[a], solids[b], hit->t, point);
    contact.a.rigid = a - obstacles;
    (b < obstacles ? contact.b.obstacle : contact.b.rigid) = b < obstacles ? b : b - obstacles;
    found.push_back(contact);
  }
}

/// Boxes around the ways of all bounded solids that rigid bodies meet, seen from `origin`.
std::vector<Bounds> boxes_of_ways(std::span<const MovingSolid> solids, const Vector3d& origin) {
  std::vector<Bounds> boxes(solids.size(), Bounds::none());
  for (std::size_t k = 0; k < solids.size(); ++k) {
    const MovingSolid& solid = solids[k];
    if (!solid.solid() || !solid.solid()->bounded()) continue;
    const double turned = solid.angle() * solid.solid()->bounding_radius();  // what turning adds on the way
    const Frame from = solid.from(), to = solid.at(1);
    const Bounds first = bounds(*solid.solid(), {from.x - origin, from.R}, turned);
    const Bounds last = bounds(*solid.solid(), {to.x - origin, to.R}, turned);
    boxes[k] = {first.low.min(last.low), first.high.max(last.high)};
  }
  return boxes;
}

}  // namespace

std::vector<Contact> rigid_crossings(std::span<const MovingSolid> solids, int obstacles,
                                     const Executor& executor) {
  const int count = int(solids.size());
  if (count == obstacles) return {};
  const BoundsGrid grid(boxes_of_ways(solids, solids[obstacles].from().x));
  std::vector<std::vector<Contact>> parts(grid.chunks() + 1);
  executor.for_each(grid.chunks(), [&](int chunk) {
    std::vector<std::pair<int, int>> pairs;
    grid.append_pairs(chunk, pairs);
    for (const auto& [first, second] : pairs)  // obstacles have the smaller numbers
      if (second >= obstacles) append_rigid(solids, obstacles, second, first, parts[chunk]);
  });
  for (int b = 0; b < obstacles; ++b)
    if (solids[b].solid() && !solids[b].solid()->bounded())
      for (int a = obstacles; a < count; ++a) append_rigid(solids, obstacles, a, b, parts.back());
  std::vector<Contact> all = joined(parts);
  std::stable_sort(all.begin(), all.end(), [](const Contact& left, const Contact& right) {
    const auto key = [](const Contact& c) { return std::tuple(c.a.rigid, c.b.rigid, c.b.obstacle); };
    return key(left) < key(right);
  });
  return all;
}

}  // namespace capstan
