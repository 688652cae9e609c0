#pragma once
#include "step/worlds.hpp"

namespace capstan {

inline const Eigen::Vector3d kGravity(0, 0, -9.81);

inline WorldRigid rigid_box(const Eigen::Vector3d& size, const Frame& pose, const Twist& twist = {}) {
  const MassProperties mass = mass_of_box(size / 2, 1000);
  return {"box", std::make_unique<RigidBody>(mass, pose, twist), Solid::box(size / 2)};
}

inline WorldRigid rigid_ball(double radius, const Frame& pose, const Twist& twist = {}) {
  const MassProperties mass = mass_of_sphere(radius, 1000);
  return {"ball", std::make_unique<RigidBody>(mass, pose, twist), Solid::sphere(radius)};
}

inline Obstacle still_solid(const Solid& solid, const Frame& pose = {}) {
  return {"ground", solid.shape(), Motion(pose), solid};
}

/// A plane through the origin that falls along +x by the angle.
inline Frame slope(double angle) { return {Eigen::Vector3d::Zero(), rotation_exp({0, angle, 0})}; }

/// On a slope, `height` above it, in its axes.
inline Frame on_slope(double angle, double height) {
  const Frame plane = slope(angle);
  return {plane.apply({0, 0, height}), plane.R};
}

inline World slope_world(double angle, double mu) {
  World world;
  world.obstacles.emplace_back(still_solid(Solid::half_space(), slope(angle)));
  set_friction(world, mu);
  return world;
}

}  // namespace capstan
