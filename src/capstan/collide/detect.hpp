#pragma once
#include <vector>

#include "capstan/collide/collision_scene.hpp"
#include "capstan/collide/contact.hpp"
#include "capstan/executor.hpp"

namespace capstan {

struct DetectOptions {
  /// Contacts of one pair are one contact if, on both strands, they are closer than the larger of the radius
  /// and this part of a capsule's length, and their normals agree.
  double merge_fraction = 0.25;
  /// Most contacts between two strands, the deepest first, then those farthest from the ones already kept;
  /// 0: all. A strand of m unknowns is overconstrained by more than m / 3.
  int max_per_pair = 0;
};

/// All contacts of a scene, in an order that does not depend on the threads: between strands by (strand of A,
/// strand of B, s of A, s of B), A being the strand with the smaller number, or on one strand the smaller
/// arclength; then with obstacles by (strand, obstacle, s).
/// Throws InputError if a node is not finite.
std::vector<Contact> detect(const CollisionScene& scene, const DetectOptions& options = {},
                            const Executor& executor = serial_executor());

/// The two halves of detect.
std::vector<Contact> detect_between_strands(const CollisionScene& scene, const DetectOptions& options = {},
                                            const Executor& executor = serial_executor());
std::vector<Contact> detect_with_obstacles(const CollisionScene& scene, const DetectOptions& options = {},
                                           const Executor& executor = serial_executor());

}  // namespace capstan
