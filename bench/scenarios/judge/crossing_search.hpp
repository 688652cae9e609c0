#pragma once
#include <functional>

#include "bench/scenarios/judge/moment.hpp"

namespace capstan::scenarios {

enum class ThingKind { curve, surface, body };
struct Thing {
  ThingKind kind;
  int index;
  auto operator<=>(const Thing&) const = default;
};

/// Hears of two things and of a place where one passes through the other, or is in it.
using OnCrossing = std::function<void(const Thing&, const Thing&, const Eigen::Vector3d& where)>;

/// Finds what is in each other at one moment: centre lines in solids and through surfaces, sheets in solids
/// and through surfaces, solids half way in solids. Centre lines among each other have no such state.
void find_overlaps(const JudgedThings& things, const Moment& now, const OnCrossing& report);

/// Finds what passes through each other on the straight ways from one moment to the next. Seen from a solid
/// the ways are straight in its own frame.
void find_crossings(const JudgedThings& things, const Moment& before, const Moment& now,
                    const OnCrossing& report);

}  // namespace capstan::scenarios
