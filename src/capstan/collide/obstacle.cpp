#include "capstan/collide/obstacle.hpp"

#include "capstan/errors.hpp"

namespace capstan {

PlacedObstacle place(const Obstacle& obstacle, double t, double dt) {
  if (!obstacle.shape) throw InputError("obstacle \"" + obstacle.name + "\" has no shape");
  if (!(dt > 0))
    throw InputError("obstacle \"" + obstacle.name + "\": dt is " + std::to_string(dt) + ", expected > 0");
  const Frame start = obstacle.motion.at(t);
  if (!obstacle.motion.moves()) return {obstacle.shape, start, {}, dt};
  return {obstacle.shape, start, twist_between(start, obstacle.motion.at(t + dt), dt), dt};
}

}  // namespace capstan
