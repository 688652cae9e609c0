#pragma once
#include <cstdint>
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

/// By (strand a, strand b, capsule a, capsule b), then along a. Two integers at once: sorting is a good part
/// of the time.
inline bool operator<(const NearPair& left, const NearPair& right) {
  const auto packed = [](int high, int low) { return std::uint64_t(high) << 32 | std::uint32_t(low); };
  const std::uint64_t strands = packed(left.strand_a, left.strand_b);
  if (const auto other = packed(right.strand_a, right.strand_b); strands != other) return strands < other;
  const std::uint64_t capsules = packed(left.capsule_a, left.capsule_b);
  if (const auto other = packed(right.capsule_a, right.capsule_b); capsules != other) return capsules < other;
  return left.at.a < right.at.a;
}

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
