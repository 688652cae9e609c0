#pragma once
#include <algorithm>
#include <cmath>

#include "capstan/collide/shape.hpp"

namespace capstan {

/// A point on a straight way past a solid: the distance there, and how fast it changes along the way.
struct Probe {
  double at;  ///< along the way
  double distance, slope;
  SurfacePoint surface;
};

/// Where to look next, and a distance below which the way does not go.
struct Guess {
  double at, bound;
};

/// Whether the minimum is between two probes; else it is at one of them, or nothing is known.
inline bool dips_between(const Probe& low, const Probe& high) { return low.slope < 0 && high.slope >= 0; }

/// Between two probes where it dips. `steepest` bounds the slopes; `round`: guess as if the slope grew
/// evenly.
Guess guess_lowest(const Probe& low, const Probe& high, double steepest, bool round);

/// The lowest of `best` and what lies between two probes where it dips, unless that is above `limit`, to
/// `accuracy`; for a solid that is not convex one of several minima. The two close in on it. P is a Probe or
/// more than that; measure(at, at_most) makes one, the distance being known to be at most that.
template <class P, class Measure>
P lowest_between(P& low, P& high, P best, double steepest, double limit, double accuracy,
                 const Measure& measure) {
  constexpr int max_guesses = 40;
  for (int i = 0; i < max_guesses && dips_between(low, high); ++i) {  // level: found
    const Guess next = guess_lowest(low, high, steepest, i % 2 == 0);
    if (next.bound > std::min(limit, best.distance - accuracy)) break;
    const double at_most = std::min(std::abs(low.distance) + (next.at - low.at) * steepest,
                                    std::abs(high.distance) + (high.at - next.at) * steepest);
    const P probe = measure(next.at, at_most);
    if (probe.distance < best.distance) best = probe;
    (probe.slope > 0 ? high : low) = probe;
  }
  return best;
}

}  // namespace capstan
