#include "capstan/collide/rigid_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "capstan/collide/broad_phase.hpp"
#include "capstan/errors.hpp"

namespace capstan {
namespace {

constexpr int bodies_per_job = 256;

using IndexPair = std::pair<int, int>;  // as in RigidPair

void require_sound(std::span<const RigidCollider> bodies, const std::string& what) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const std::string name = what + " body " + std::to_string(i);
    if (!bodies[i].solid) throw InputError(name + " has no solid, expected one");
    if (!bodies[i].pose.x.allFinite() || !bodies[i].pose.R.allFinite())
      throw InputError(name + " has a pose that is not finite");
    if (!(bodies[i].margin >= 0) || !std::isfinite(bodies[i].margin))
      throw InputError(name + " has a margin of " + std::to_string(bodies[i].margin) + ", expected >= 0");
  }
}

bool may_meet(const RigidCollider& a, const RigidCollider& b) { return a.group < 0 || a.group != b.group; }

/// The movable bodies and then the fixed ones, as one row of boxes; what has no bounds has an empty box. Seen
/// from the middle of the movable ones, so that single precision does not depend on where the scene lies.
std::vector<Bounds> boxes_of(std::span<const RigidCollider> movable, std::span<const RigidCollider> fixed,
                             const Executor& executor) {
  Eigen::Array3d low = movable[0].pose.x, high = low;
  for (const RigidCollider& body : movable)
    low = low.min(body.pose.x.array()), high = high.max(body.pose.x.array());
  const Eigen::Vector3d middle = (low + high) / 2;
  std::vector<Bounds> boxes(movable.size() + fixed.size(), Bounds::none());
  for_each_chunk(
      executor, int(boxes.size()),
      [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
          const bool moves = i < int(movable.size());
          const RigidCollider& body = moves ? movable[i] : fixed[i - movable.size()];
          if (body.solid->bounded())
            boxes[i] = bounds(*body.solid, {body.pose.x - middle, body.pose.R}, body.margin);
        }
      },
      bodies_per_job);
  return boxes;
}

class RigidDetection {
 public:
  RigidDetection(std::span<const RigidCollider> movable, std::span<const RigidCollider> fixed,
                 const Executor& executor)
      : movable_(movable), fixed_(fixed), executor_(executor) {}

  std::vector<RigidPair> pairs() const {
    std::vector<RigidPair> all = pairs_within_bounds();
    for (int k = 0; k < int(fixed_.size()); ++k)
      if (!fixed_[k].solid->bounded()) append_with_all(k, all);
    std::sort(all.begin(), all.end(), [](const RigidPair& left, const RigidPair& right) {
      return IndexPair(left.a, left.b) < IndexPair(right.a, right.b);
    });
    return all;
  }

 private:
  const RigidCollider& body(int index) const { return index < 0 ? fixed_[-1 - index] : movable_[index]; }

  /// The number of a body in RigidPair, from that of its box.
  int index_of_box(int box) const {
    const int movable = int(movable_.size());
    return box < movable ? box : -1 - (box - movable);
  }

  void append_if_near(int a, int b, std::vector<RigidPair>& found) const {
    const RigidCollider &left = body(a), &right = body(b);
    if (!may_meet(left, right)) return;
    Manifold points = manifold(*left.solid, left.pose, *right.solid, right.pose, left.margin + right.margin);
    if (!points.empty()) found.push_back({a, b, std::move(points)});
  }

  std::vector<RigidPair> pairs_within_bounds() const {
    const BoundsGrid grid(boxes_of(movable_, fixed_, executor_));
    std::vector<std::vector<RigidPair>> parts(grid.chunks());
    executor_.for_each(grid.chunks(), [&](int chunk) {
      std::vector<IndexPair> near;
      grid.append_pairs(chunk, near);
      for (const auto& [first, second] : near)  // movable bodies have the smaller numbers
        if (first < int(movable_.size())) append_if_near(first, index_of_box(second), parts[chunk]);
    });
    return moved_together(parts);
  }

  void append_with_all(int fixed, std::vector<RigidPair>& all) const {
    std::vector<std::vector<RigidPair>> parts((movable_.size() + bodies_per_job - 1) / bodies_per_job);
    for_each_chunk(
        executor_, int(movable_.size()),
        [&](int begin, int end) {
          for (int i = begin; i < end; ++i) append_if_near(i, -1 - fixed, parts[begin / bodies_per_job]);
        },
        bodies_per_job);
    for (RigidPair& pair : moved_together(parts)) all.push_back(std::move(pair));
  }

  static std::vector<RigidPair> moved_together(std::vector<std::vector<RigidPair>>& parts) {
    std::vector<RigidPair> all;
    for (auto& part : parts)
      for (RigidPair& pair : part) all.push_back(std::move(pair));
    return all;
  }

  std::span<const RigidCollider> movable_, fixed_;
  const Executor& executor_;
};

}  // namespace

std::vector<RigidPair> detect_between_rigid(std::span<const RigidCollider> movable,
                                            std::span<const RigidCollider> fixed, const Executor& executor) {
  require_sound(movable, "movable");
  require_sound(fixed, "fixed");
  for (std::size_t i = 0; i < movable.size(); ++i)
    if (!movable[i].solid->bounded())
      throw InputError("movable body " + std::to_string(i) + " is a half space, expected a bounded solid");
  if (movable.empty()) return {};
  return RigidDetection(movable, fixed, executor).pairs();
}

}  // namespace capstan
