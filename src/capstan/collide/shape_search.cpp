#include "capstan/collide/shape_search.hpp"

namespace capstan {

// The distance f from a convex solid is convex along a segment: it lies above its tangents, whose slopes are
// n.d. The tangents at both ends of a stretch that holds the minimum meet at a lower bound for it. Where they
// do not meet the solid is not convex, and all that is known is |slope| <= |d|. The minimum is guessed there,
// which is right at edges, or in turn where the slope, if it grew evenly, would be zero: right on what is
// round.
Guess guess_lowest(const Probe& low, const Probe& high, double steepest, bool round) {
  const double width = high.at - low.at;
  const double falling = low.slope, rising = high.slope;
  const double meet = (high.distance - low.distance - rising * width) / (falling - rising);
  if (meet < 0 || meet > width)
    return {low.at + width / 2, (low.distance + high.distance - width * steepest) / 2};
  const double best = round ? width * falling / (falling - rising) : meet;
  // Never so near an end that the stretch hardly shrinks.
  return {low.at + std::clamp(best, 0.01 * width, 0.99 * width), low.distance + falling * meet};
}

}  // namespace capstan
