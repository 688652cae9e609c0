#pragma once
#include <memory>
#include <optional>
#include <string>

#include "capstan/body/motion.hpp"
#include "capstan/collide/shape.hpp"
#include "capstan/collide/solid.hpp"

namespace capstan {

/// A body whose motion is given.
struct Obstacle {
  std::string name;
  std::shared_ptr<const Shape> shape;  ///< what strands meet
  Motion motion;
  std::optional<Solid> solid = {};  ///< what rigid bodies meet: the same shape; without it they pass through
};

/// An obstacle during one step. The pose is that of the start, like the strands': the gap at the end is then
/// gap + dt u_N with u_N the relative velocity, the obstacle's included.
struct PlacedObstacle {
  std::shared_ptr<const Shape> shape;
  Frame pose;
  Twist twist;
  double dt = 0;  ///< s; the margin grows by how far the surface comes closer in this time
};

/// From t to t + dt. Throws InputError without a shape or unless dt > 0.
PlacedObstacle place(const Obstacle& obstacle, double t, double dt);

}  // namespace capstan
