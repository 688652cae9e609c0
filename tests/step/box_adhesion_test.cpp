// The coupling "box" in steps, beside the exact one.
#include <gtest/gtest.h>

#include "capstan/errors.hpp"
#include "step/glue_worlds.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

// A pull has no part along the surface: the two couplings are one law.
TEST(BoxAdhesion, ACubeHangsWhereTheExactCouplingHoldsIt) {
  for (const double C : {1e6, 1e7, 1e8})
    for (const double dt : {1e-3, 5e-3}) {
      const auto gap_after = [&](Coupling coupling, double seconds) {
        Adhesion adhesion = glue(coupling);
        adhesion.stiffness = C;
        adhesion.energy = 10;  // holds through the first swing
        Simulation simulation(hanging_cube(adhesion, 0), fixed_steps(dt, 1e-10));
        run_until(simulation, seconds);
        EXPECT_EQ(simulation.bonds().size(), 4);
        return gap_of(simulation);
      };
      const double expected = kMass * kFall / kArea / C;
      EXPECT_NEAR(gap_after(Coupling::box, 3), expected, 1e-6 * expected) << "C = " << C << ", dt = " << dt;
      // And as it gets there.
      EXPECT_NEAR(gap_after(Coupling::box, 0.05), gap_after(Coupling::rcc, 0.05), 1e-6 * expected)
          << "C = " << C << ", dt = " << dt;
    }
}

// Bonds decay at a pull above sqrt(C W) = 1000 Pa, 10 N on this cube.
TEST(BoxAdhesion, BreaksAtTheSameLoad) {
  for (const double load : {9.98, 10.02}) {
    World world = hanging_cube(glue(Coupling::box), load / kArea / 1e6, load / kMass);
    Simulation simulation(std::move(world), fixed_steps(2e-3, 1e-10));
    run_until(simulation, 20);
    EXPECT_EQ(simulation.bonds().size(), load < 10 ? 4 : 0);
    EXPECT_EQ(gap_of(simulation) > 1, load > 10);
  }
}

/// A cube on a slope with mu = 0.5 and stiff glue, after a second.
struct OnSlope {
  OnSlope(double angle, Coupling coupling) {
    World world = slope_world(angle, 0.5);
    PairFriction pair;
    pair.mu = 0.5;
    pair.adhesion = glue(coupling);
    pair.adhesion->stiffness = 1e8;
    pair.adhesion->energy = 1000;
    world.friction = PairTable(1, pair);
    world.rigid.push_back(rigid_box(Vector3d::Constant(kSide), on_slope(angle, 0.5 * kSide)));
    Simulation simulation(std::move(world), fixed_steps(1e-3, 1e-10));
    run_until(simulation, 1);
    const Vector3d moved = slope(angle).apply_inverse(simulation.world().rigid[0].body->centre());
    moved_by = moved[0];
    bonds = static_cast<int>(simulation.bonds().size());
    for (const Bond& bond : simulation.bonds()) {
      const Contact contact = contact_of(simulation.world(), bond, simulation.t());
      slip += 0.25 * contact.frame.transpose() * (contact.point_a - contact.point_b);
    }
    for (const Vector3d& impulse : simulation.impulses())
      force += slope(angle).R.transpose() * impulse / 1e-3;
  }
  double moved_by;
  int bonds;
  Vector3d slip = Vector3d::Zero(), force = Vector3d::Zero();
};

// tan 0.3 = 0.31 < mu: the springs bear m g sin 0.3 at a slip of that over A C.
TEST(BoxAdhesion, ACubeOnAGentleSlopeIsHeldByItsSprings) {
  const OnSlope held(0.3, Coupling::box);
  EXPECT_EQ(held.bonds, 4);
  EXPECT_NEAR(held.force[0], -kMass * kFall * std::sin(0.3), 1e-4);
  EXPECT_NEAR(held.force[2], kMass * kFall * std::cos(0.3), 1e-4);
  const double expected = kMass * kFall * std::sin(0.3) / kArea / 1e8;
  EXPECT_NEAR(held.slip.tail<2>().norm(), expected, 1e-3 * expected);
}

// tan 0.6 = 0.68 > mu. What is pressed bears no more than friction, however good the glue: it slides until
// its bonds break, and then as if there had been none, by g (sin 0.6 - mu cos 0.6)/2 in a second. The exact
// coupling adds the springs to friction and holds.
TEST(BoxAdhesion, OnASteepSlopeTheSmallerOfFrictionAndAdhesionDoesNotHold) {
  const OnSlope box(0.6, Coupling::box), exact(0.6, Coupling::rcc);
  EXPECT_EQ(box.bonds, 0);
  EXPECT_NEAR(box.moved_by, 0.5 * kFall * (std::sin(0.6) - 0.5 * std::cos(0.6)), 0.01);
  EXPECT_EQ(exact.bonds, 4);
  EXPECT_LT(exact.moved_by, 1e-4);
}

// On a wall the lever of the weight pulls at the upper bonds and presses the lower ones. There is no pressure
// on the whole, so friction alone could not hold it: what is pulled does, by its springs.
TEST(BoxAdhesion, ACubeOnAWallHangsByTheBondsThatArePulled) {
  for (const double dt : {1e-3, 5e-3}) {
    Adhesion adhesion = glue(Coupling::box);
    adhesion.stiffness = 1e8;
    adhesion.energy = 1000;
    World world = hanging_cube(adhesion, 0);
    world.gravity = Vector3d(kFall, 0, 0);
    Simulation simulation(std::move(world), fixed_steps(dt, 1e-10));
    while (simulation.t() < 2) EXPECT_EQ(simulation.step(2).status, Status::converged) << simulation.t();
    Vector3d force = Vector3d::Zero();
    int pulled = 0;
    for (const Vector3d& impulse : simulation.impulses()) {
      force += impulse / dt;
      pulled += impulse[2] > 0;  // up to the ceiling
    }
    EXPECT_EQ(pulled, 2);
    EXPECT_NEAR(force[0], -kMass * kFall, 1e-4);
    EXPECT_NEAR(force[2], 0, 1e-4);
    EXPECT_EQ(simulation.bonds().size(), 4);
    EXPECT_LT(simulation.world().rigid[0].body->centre()[0], 1e-4);
  }
}

TEST(BoxAdhesion, AStateWithBondsGoesOnBitForBit) {
  Adhesion adhesion = glue(Coupling::box);
  adhesion.bonding_rate = 1e-3;
  adhesion.energy = 3;
  const auto fresh = [&] {
    World world = hanging_cube(adhesion, 5e-4);
    world.gravity += Vector3d(1, 2, 0);
    return Simulation(std::move(world), fixed_steps(2e-3, 1e-8));
  };
  Simulation whole = fresh(), first = fresh(), second = fresh();
  for (const double t : {0.1, 0.2}) run_until(whole, t);
  run_until(first, 0.1);
  second.set_state(first.state());
  run_until(second, 0.2);
  EXPECT_EQ(whole.world().rigid[0].body->state(), second.world().rigid[0].body->state());
  ASSERT_EQ(whole.bonds().size(), second.bonds().size());
}

// A ball that sticks does not bounce, in this coupling either; and it is drawn back by a spring.
TEST(BoxAdhesion, ABallThatBouncesIsHeldByGlue) {
  const auto rises = [](Coupling coupling) {
    World world;
    PairFriction pair;
    pair.restitution = 0.5;
    pair.adhesion = glue(coupling);
    pair.adhesion->stiffness = 1e7;
    pair.adhesion->energy = 1e4;
    pair.adhesion->debond_gap = 0.01;
    pair.adhesion->bonding_rate = 1;
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
  EXPECT_NEAR(rises(Coupling::box), rises(Coupling::rcc), 1e-6);
  EXPECT_LT(rises(Coupling::box), 0.003);
}

TEST(BoxAdhesion, IsNotOfferedBesideFrictionAboutTheNormal) {
  PairFriction pair;
  pair.adhesion = glue(Coupling::box);
  check(pair);
  pair.mu_spin = 0.01;
  EXPECT_THROW(check(pair), InputError);
  pair.adhesion->coupling = Coupling::rcc;
  check(pair);
}

TEST(BoxAdhesion, IsAskedForInTheScene) {
  const auto coupling_of = [](const std::string& keys) {
    const World world = build_world(parse_scene(
        "[[rigid]]\nname = \"cube\"\nshape = \"box\"\nsize = [1, 1, 1]\n[[friction]]\nbetween = [\"cube\", "
        "\"cube\"]\nmu = 0.5\nadhesion = { stiffness = 1e6, energy = 1, viscosity = 1, debond_gap = 1e-3" +
            keys,
        "scene.toml"));
    return world.friction(world.rigid[0].family, world.rigid[0].family).adhesion->coupling;
  };
  EXPECT_EQ(coupling_of(" }\n"), Coupling::rcc);
  EXPECT_EQ(coupling_of(", coupling = \"rcc\" }\n"), Coupling::rcc);
  EXPECT_EQ(coupling_of(", coupling = \"box\" }\n"), Coupling::box);
  EXPECT_THROW(coupling_of(", coupling = \"cone\" }\n"), InputError);
  EXPECT_THROW(coupling_of(", coupling = \"box\" }\nspin = 0.1\n"), InputError);
}

}  // namespace
}  // namespace capstan
