// Models of friction that depend on more than one coefficient, from the scene to the motion, against closed
// forms.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "step/rigid_worlds.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

constexpr double kG = 9.81;

Simulation simulation_of(const std::string& text) {
  const std::string settings =
      "[simulation]\nduration = 1\ndt = 1e-3\ntolerance = 1e-10\nadaptive = false\n"
      "[[obstacle]]\nname = 'floor'\nshape = 'plane'\n";
  const Scene scene = parse_scene(settings + text, "test.toml");
  return {build_world(scene), step_options(scene.simulation, serial_executor())};
}

/// A box whose scales point along x times `direction`, on the floor.
Simulation sledge(double direction, double speed) {
  return simulation_of(
      "[[rigid]]\nname = 'sledge'\nshape = 'box'\nsize = [1, 0.8, 0.1]\nposition = [0, 0, 0.05]\n"
      "structure = { kind = 'constant', direction = [" +
      std::to_string(direction) + ", 0, 0] }\nvelocity = [" + std::to_string(speed) +
      ", 0, 0]\n[[friction]]\nbetween = ['sledge', 'floor']\nmodel = 'one_sided'\nmu = 0.3\nwith = 0.1\n"
      "against = 0.5\nacross = 0.3\n");
}

const RigidBody& only_body(const Simulation& simulation) { return *simulation.world().rigid[0].body; }

// The scales of the sledge point to +x. Over the floor it goes "with" them where the floor, seen from the
// sledge, slides the way they point: when the sledge goes to -x.
TEST(PairModels, OneSidedFrictionBrakesByTheSenseOfSliding) {
  for (const double speed : {2.0, -2.0}) {
    Simulation simulation = sledge(1, speed);
    run_until(simulation, 0.2);
    const double mu = speed < 0 ? 0.1 : 0.5;
    const Vector3d v = only_body(simulation).twist().linear;
    EXPECT_NEAR(std::abs(v[0]), 2 - 0.2 * mu * kG, 1e-6) << speed;
    EXPECT_LT(std::abs(v[1]), 1e-9);
    run_until(simulation, 0.6);  // against the scales it has stopped by now, and stays
    if (speed > 0) {
      EXPECT_LT(only_body(simulation).twist().linear.norm(), 1e-9);
    }
  }
}

// On a slope it holds one way round and slides the other way round.
TEST(PairModels, OneSidedFrictionHoldsASledgeByItsScales) {
  for (const double direction : {1.0, -1.0}) {
    Simulation simulation = sledge(direction, 0);
    simulation.world().gravity = Vector3d(0.3 * kG, 0, -kG);  // tan = 0.3, down is +x
    run_until(simulation, 0.5);
    const double expected = direction > 0 ? 0 : 0.5 * (0.3 - 0.1) * kG;
    EXPECT_NEAR(only_body(simulation).twist().linear[0], expected, 1e-6);
  }
}

// A ball that spins about the vertical is braked by c m g: c m g / (2/5 m r^2) rad/s^2, until it stands.
TEST(PairModels, ABallThatDrillsStopsWhenItsTorqueSays) {
  Simulation simulation = simulation_of(
      "[[rigid]]\nname = 'ball'\nshape = 'sphere'\nradius = 0.1\nposition = [0, 0, 0.1]\nspin = [0, 0, 30]\n"
      "[[friction]]\nbetween = ['ball', 'floor']\nmu = 0.4\nspin = 0.01\n");
  const double braking = 0.01 * kG / (0.4 * 0.01);
  run_until(simulation, 0.5);
  EXPECT_NEAR(only_body(simulation).twist().angular[2], 30 - 0.5 * braking, 1e-6 * braking);
  EXPECT_LT(only_body(simulation).twist().linear.norm(), 1e-9);
  run_until(simulation, 1.3);  // it would take 30 / braking = 1.22 s
  EXPECT_LT(only_body(simulation).twist().angular.norm(), 1e-9);
}

// Friction is one cone over sliding and drilling: what uses it up by drilling has little left against
// sliding.
TEST(PairModels, WhatDrillsSlidesMoreEasily) {
  const auto distance = [](double spin) {
    Simulation simulation = simulation_of(
        "[[rigid]]\nname = 'disc'\nshape = 'cylinder'\nradius = 0.1\nlength = 0.02\nposition = [0, 0, 0.01]\n"
        "velocity = [0.5, 0, 0]\nspin = [0, 0, " +
        std::to_string(spin) + "]\n[[friction]]\nbetween = ['disc', 'floor']\nmu = 0.4\nspin = 0.02\n");
    run_until(simulation, 0.1);
    return only_body(simulation).centre()[0];
  };
  EXPECT_GT(distance(60), 1.02 * distance(0));
}

// A turntable drags what stands on its axis along, and the torque is what its law allows.
TEST(PairModels, ATurningObstacleDrivesByDrilling) {
  const Scene scene = parse_scene(
      "[simulation]\nduration = 1\ndt = 1e-3\ntolerance = 1e-10\nadaptive = false\n[[obstacle]]\n"
      "name = 'table'\nshape = 'cylinder'\nradius = 1\nlength = 0.2\nposition = [0, 0, -0.1]\n"
      "keys = [{ t = 0 }, { t = 1, rotation = [0, 0, 3] }]\n[[rigid]]\nname = 'ball'\nshape = 'sphere'\n"
      "radius = 0.1\nposition = [0, 0, 0.1]\n[[friction]]\nbetween = ['ball', 'table']\nmu = 0.4\n"
      "spin = 0.0004\n",
      "test.toml");
  Simulation simulation(build_world(scene), step_options(scene.simulation, serial_executor()));
  run_until(simulation, 0.5);
  const double acceleration = 0.0004 * kG / (0.4 * 0.01);
  EXPECT_NEAR(only_body(simulation).twist().angular[2], 0.5 * acceleration, 1e-4 * acceleration);
}

}  // namespace
}  // namespace capstan
