#include <gtest/gtest.h>

#include <cmath>

#include "step/glue_worlds.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

TEST(AdhesiveStep, ACubeHangsWhereItsWeightIsTheTraction) {
  for (const double C : {1e6, 1e7, 1e8})
    for (const double dt : {1e-3, 5e-3}) {
      Adhesion adhesion = glue();
      adhesion.stiffness = C;
      adhesion.energy = 10;  // holds through the first swing
      Simulation simulation(hanging_cube(adhesion, 0), fixed_steps(dt, 1e-10));
      run_until(simulation, 3);
      const double expected = kMass * kFall / kArea / C;
      EXPECT_NEAR(gap_of(simulation), expected, 1e-6 * expected) << "C = " << C << ", dt = " << dt;
    }
}

TEST(AdhesiveStep, HalfTheIntensityHoldsAtFourTimesTheGap) {
  Adhesion adhesion = glue();
  adhesion.initial = 0.5;
  adhesion.energy = 100;
  adhesion.debond_gap = 0.02;
  Simulation simulation(hanging_cube(adhesion, 0), fixed_steps(5e-3, 1e-10));
  run_until(simulation, 6);
  const double expected = kMass * kFall / kArea / 1e6 / 0.25;
  EXPECT_NEAR(gap_of(simulation), expected, 1e-6 * expected);
}

// Bonds decay where C g^2 > W, that is at a pull above sqrt(C W) = 1000 Pa, 10 N on this cube.
TEST(AdhesiveStep, BreaksAtTheLoadPredicted) {
  for (const double load : {9.98, 10.02}) {
    World world = hanging_cube(glue(), load / kArea / 1e6, load / kMass);
    Simulation simulation(std::move(world), fixed_steps(2e-3, 1e-10));
    run_until(simulation, 20);
    if (load < 10) {
      EXPECT_EQ(simulation.bonds().size(), 4);
      EXPECT_EQ(simulation.bonds().at(0).beta, 1);
    } else {
      EXPECT_TRUE(simulation.bonds().empty());
      EXPECT_GT(gap_of(simulation), 1);
    }
  }
}

// Pulled apart slowly, beta follows W/(C g^2) once g > g0 = sqrt(W/C), and the work up to the gap where bonds
// break is W/2 + W/2 (1 - (g0/gap)^2) for each square metre: 0.875 W if that gap is 2 g0.
TEST(AdhesiveStep, DebondingTakesTheEnergyPredicted) {
  Adhesion adhesion = glue();
  adhesion.viscosity = 1e-4;
  World world = hanging_cube(adhesion, 0, 0);
  const double density = 1e8;  // so heavy that its speed hardly changes
  const MassProperties mass = mass_of_box(Vector3d::Constant(kSide / 2), density);
  const double m = density * std::pow(kSide, 3), speed = 1e-3;
  world.rigid[0].body = std::make_unique<RigidBody>(mass, Frame{{0, 0, -0.5 * kSide}}, Twist{{0, 0, -speed}});
  Simulation simulation(std::move(world), fixed_steps(1e-3, 1e-12));
  run_until(simulation, 3);
  EXPECT_TRUE(simulation.bonds().empty());
  const double left = simulation.world().rigid[0].body->twist().linear.norm();
  const double work = 0.5 * m * (speed * speed - left * left);
  EXPECT_NEAR(work, 0.875 * adhesion.energy * kArea, 0.02 * 0.875 * kArea);
}

// A cube at rest presses with 981 Pa.
TEST(AdhesiveStep, IntensityGrowsUnderAWeightAsTheClosedForm) {
  Adhesion adhesion = glue();
  adhesion.initial = 0;
  adhesion.bonding_rate = 1e-3;
  adhesion.saturation = 2000;
  World world = hanging_cube(adhesion, 0, -kFall);  // pressed against the ceiling
  Simulation simulation(std::move(world), fixed_steps(5e-3, 1e-12));
  run_until(simulation, 0.5);
  ASSERT_EQ(simulation.bonds().size(), 4);
  const double p = kMass * kFall / kArea;
  double mean = 0;  // how four corners share the weight is not determined
  for (const Bond& bond : simulation.bonds()) mean += 0.25 * bond.beta;
  EXPECT_NEAR(mean, p / 2000 * (1 - std::exp(-2 * 0.5)), 1e-6);
}

// On a wall the springs along the surface bear the weight, and friction nothing: there is no pressure.
TEST(AdhesiveStep, ACubeOnAWallHangsByItsSprings) {
  Adhesion adhesion = glue();
  adhesion.stiffness = 1e8;
  adhesion.energy = 100;
  World world = hanging_cube(adhesion, 0);
  world.gravity = Vector3d(kFall, 0, 0);
  Simulation simulation(std::move(world), fixed_steps(2e-3, 1e-10));
  run_until(simulation, 2);
  Vector3d force = Vector3d::Zero();
  for (const Vector3d& impulse : simulation.impulses()) force += impulse / 2e-3;
  EXPECT_NEAR(force[0], -kMass * kFall, 1e-5);
  EXPECT_NEAR(force[2], 0, 1e-5);
  ASSERT_EQ(simulation.bonds().size(), 4);
  // Its weight acts half a side off the wall: the upper bonds are pulled, the lower pressed. The slip is the
  // mean of what the lever adds and C holds.
  double slip = 0;
  for (const Bond& bond : simulation.bonds()) {
    const Contact contact = contact_of(simulation.world(), bond, simulation.t());
    slip += 0.25 * (contact.point_a - contact.point_b)[0];
  }
  EXPECT_NEAR(slip, kMass * kFall / kArea / 1e8, 2e-3 * slip);
}

// Bonds follow the matter: a cube carried about by a turning ceiling stays where it is on it.
TEST(AdhesiveStep, ACubeIsCarriedByATurningCeiling) {
  Adhesion adhesion = glue();
  adhesion.stiffness = 1e8;
  adhesion.energy = 1000;
  World world = hanging_cube(adhesion, 0);
  const Frame ceiling = world.obstacles[0].motion.at(0);
  world.obstacles[0].motion = Motion(ceiling, {{0}, {1, Vector3d::Zero(), {0, 0, 2}}});
  Simulation simulation(std::move(world), fixed_steps(2e-3, 1e-10));
  run_until(simulation, 1);
  const Frame pose = simulation.world().rigid[0].body->frame();
  EXPECT_NEAR(std::atan2(pose.R(1, 0), pose.R(0, 0)), 2, 0.01);
  EXPECT_EQ(simulation.bonds().size(), 4);
}

TEST(AdhesiveStep, WhatHasNoBondsGivesTheBitsOfPlainContact) {
  const auto end = [](bool adhesive) {
    World world = hanging_cube(glue(), 0.01, -kFall);
    PairFriction pair = world.friction(0, 0);
    pair.adhesion->initial = 0;
    if (!adhesive) pair.adhesion.reset();
    world.friction = PairTable(1, pair);
    world.rigid[0].body = std::make_unique<RigidBody>(mass_of_box(Vector3d::Constant(kSide / 2), 1000),
                                                      Frame{{0, 0, -0.06}}, Twist{{0.5, 0.1, 0}, {1, 2, 3}});
    Simulation simulation(std::move(world), fixed_steps(2e-3, 1e-8));
    run_until(simulation, 0.4);
    return simulation.world().rigid[0].body->state();
  };
  EXPECT_EQ(end(true), end(false));
}

TEST(AdhesiveStep, AStateWithBondsGoesOnBitForBit) {
  Adhesion adhesion = glue();
  adhesion.bonding_rate = 1e-3;
  adhesion.energy = 3;
  const auto fresh = [&] { return Simulation(hanging_cube(adhesion, 5e-4), fixed_steps(2e-3, 1e-8)); };
  Simulation whole = fresh(), first = fresh(), second = fresh();
  for (const double t : {0.1, 0.2}) run_until(whole, t);
  run_until(first, 0.1);
  second.set_state(first.state());
  run_until(second, 0.2);
  EXPECT_EQ(whole.world().rigid[0].body->state(), second.world().rigid[0].body->state());
  ASSERT_EQ(whole.bonds().size(), second.bonds().size());
  EXPECT_EQ(whole.bonds().at(0).beta, second.bonds().at(0).beta);
}

// A ball falls on glue, is held as it bounces, and stays.
TEST(AdhesiveStep, ABallThatBouncesIsHeldByGlue) {
  const auto rises = [](bool adhesive) {
    World world;
    PairFriction pair;
    pair.restitution = 0.5;
    if (adhesive) {
      pair.adhesion = glue();
      pair.adhesion->stiffness = 1e7;
      pair.adhesion->energy = 1e4;
      pair.adhesion->debond_gap = 0.01;
      pair.adhesion->bonding_rate = 1;
    }
    world.friction = PairTable(1, pair);
    world.obstacles.emplace_back(still_solid(Solid::half_space()));
    world.rigid.push_back(rigid_ball(0.05, {{0, 0, 0.1}}));
    Simulation simulation(std::move(world), fixed_steps(1e-3, 1e-8));
    double highest = 0;
    while (simulation.t() < 0.5) {
      simulation.step(0.5);
      if (simulation.t() > 0.12)
        highest = std::max(highest, simulation.world().rigid[0].body->centre()[2] - 0.05);
    }
    return highest;
  };
  EXPECT_GT(rises(false), 0.01);
  EXPECT_LT(rises(true), 0.003);
}

}  // namespace
}  // namespace capstan
