#pragma once
#include <span>
#include <utility>
#include <vector>

#include "capstan/collide/collision_scene.hpp"
#include "capstan/collide/contact.hpp"
#include "capstan/collide/detect.hpp"

namespace capstan {

/// A place where two capsules are within reach of each other, before duplicates are removed.
struct NearPair {
  int strand_a, strand_b;
  int capsule_a, capsule_b;  ///< nodes at which they begin; a is on the strand with the smaller number
  ClosestFractions at;
  double distance;  ///< m, between the centrelines
  bool line;        ///< one of two that hold a stretch of nearly parallel capsules
};

/// By (strand a, strand b, capsule a, capsule b).
bool operator<(const NearPair& left, const NearPair& right);

/// Whether two capsules may touch at all: not of one group, not too close along one strand.
bool may_touch(const CollisionScene& scene, int strand_a, int capsule_a, int strand_b, int capsule_b);

/// Adds what is within reach of two capsules: the closest points, or both ends of the stretch over which they
/// run beside each other, or nothing.
void append_near(const CollisionScene& scene, int strand_a, int capsule_a, int strand_b, int capsule_b,
                 std::vector<NearPair>& near);

/// The places of two strands, sorted, without those that are the same physical contact, sorted by arclength.
std::vector<NearPair> without_duplicates(const CollisionScene& scene, std::span<const NearPair> places,
                                         const DetectOptions& options);

Contact make_contact(const CollisionScene& scene, const NearPair& place);

}  // namespace capstan
