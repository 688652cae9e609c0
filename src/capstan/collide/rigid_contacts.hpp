#pragma once
#include <span>
#include <vector>

#include "capstan/collide/manifold.hpp"
#include "capstan/executor.hpp"

namespace capstan {

/// A rigid body at one moment, for collisions.
struct RigidCollider {
  const Solid* solid = nullptr;
  Frame pose;
  double margin = 0;  ///< m; a pair is reported up to a gap of the sum of both margins
  int group = -1;     ///< bodies of one group >= 0 do not meet each other
};

/// Two bodies that touch, or may soon.
struct RigidPair {
  int a = 0;        ///< of the movable bodies
  int b = 0;        ///< >= 0: of the movable bodies, b > a; < 0: of the fixed ones, -1 - its index
  Manifold points;  ///< of a and b in this order; not empty

  bool fixed() const { return b < 0; }
  int fixed_index() const { return -1 - b; }
};

/// All pairs of movable bodies, and of movable with fixed or keyframed ones, which do not meet each other.
/// Sorted by a, then b: fixed ones come first, the last of them at the front. Does not depend on the threads.
/// Throws InputError if a body has no solid, a pose that is not finite or a negative margin, or if one that
/// moves is a half space.
std::vector<RigidPair> detect_between_rigid(std::span<const RigidCollider> movable,
                                            std::span<const RigidCollider> fixed,
                                            const Executor& executor = serial_executor());

}  // namespace capstan
