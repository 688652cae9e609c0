#pragma once
#include "step/rigid_worlds.hpp"

/// The cube of [Gascon10, sec. 6]. Its weight over its area is 981 Pa (the paper has 9.8), so that C = 1e6
/// holds it at a gap of 1 mm.
namespace capstan {

constexpr double kSide = 0.1, kArea = kSide * kSide, kMass = 1, kFall = 9.81;

inline Adhesion glue(Coupling coupling = Coupling::rcc) {
  Adhesion adhesion;
  adhesion.stiffness = 1e6;
  adhesion.energy = 1;
  adhesion.viscosity = 0.1;
  adhesion.debond_gap = 2e-3;
  adhesion.initial = 1;
  adhesion.coupling = coupling;
  return adhesion;
}

/// A cube of 1 kg at this gap below a ceiling; gravity pulls it off.
inline World hanging_cube(const Adhesion& adhesion, double gap, double gravity = kFall) {
  World world;
  PairFriction pair;
  pair.mu = 0.5;
  pair.adhesion = adhesion;
  world.friction = PairTable(1, pair);
  const Frame ceiling{Eigen::Vector3d::Zero(), Eigen::Vector3d(1, -1, -1).asDiagonal()};
  world.obstacles.emplace_back(still_solid(Solid::half_space(), ceiling));
  world.rigid.push_back(rigid_box(Eigen::Vector3d::Constant(kSide), {{0, 0, -0.5 * kSide - gap}}));
  world.gravity = Eigen::Vector3d(0, 0, -gravity);
  return world;
}

inline double gap_of(const Simulation& simulation) {
  return -0.5 * kSide - simulation.world().rigid[0].body->centre()[2];
}

}  // namespace capstan
