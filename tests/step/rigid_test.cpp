#include <gtest/gtest.h>

#include <cmath>

#include "capstan/body/rotation.hpp"
#include "capstan/parallel/tbb_executor.hpp"
#include "capstan/random.hpp"
#include "step/rigid_worlds.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

double degrees(double angle) { return angle * pi / 180; }

TEST(Rigid, ABoxJustBelowTheAngleOfFrictionDoesNotCreep) {
  const double mu = 0.4, angle = 0.999 * std::atan(mu);
  World world = slope_world(angle, mu);
  world.rigid.push_back(rigid_box({0.2, 0.3, 0.1}, on_slope(angle, 0.05)));
  Simulation simulation(std::move(world), fixed_steps(0.01, 1e-12));
  run_until(simulation, 1);
  const Vector3d before = simulation.world().rigid[0].body->centre();
  run_until(simulation, 11);
  const RigidBody& box = *simulation.world().rigid[0].body;
  EXPECT_LT((box.centre() - before).norm() / 10, 1e-9);
  EXPECT_LT(box.twist().linear.norm(), 1e-9);
}

TEST(Rigid, ABoxAboveTheAngleOfFrictionSlidesAsAPointWould) {
  const double mu = 0.3, angle = degrees(30);
  World world = slope_world(angle, mu);
  world.rigid.push_back(rigid_box({0.4, 0.3, 0.1}, on_slope(angle, 0.05)));
  Simulation simulation(std::move(world), fixed_steps(0.002, 1e-10));
  run_until(simulation, 0.5);
  // a = g (sin - mu cos)
  const double expected = 0.5 * 9.81 * (std::sin(angle) - mu * std::cos(angle));
  const Vector3d v = simulation.world().rigid[0].body->twist().linear;
  EXPECT_NEAR(v.dot(slope(angle).R.col(0)), expected, 1e-6 * expected);
  EXPECT_LT(std::abs(v.dot(slope(angle).R.col(1))), 1e-9);
}

TEST(Rigid, ABallRollsOrSlidesDownASlope) {
  const double angle = degrees(30);
  for (const double mu : {0.1, 0.5}) {
    World world = slope_world(angle, mu);
    world.rigid.push_back(rigid_ball(0.1, on_slope(angle, 0.1)));
    Simulation simulation(std::move(world), fixed_steps(0.002, 1e-10));
    run_until(simulation, 0.5);
    // It rolls if mu >= 2/7 tan(angle), with a = 5/7 g sin; else a = g (sin - mu cos).
    const bool rolls = mu >= 2.0 / 7 * std::tan(angle);
    const double a =
        rolls ? 5.0 / 7 * 9.81 * std::sin(angle) : 9.81 * (std::sin(angle) - mu * std::cos(angle));
    const RigidBody& ball = *simulation.world().rigid[0].body;
    EXPECT_NEAR(ball.twist().linear.norm(), 0.5 * a, 1e-6 * a) << "mu = " << mu;
    const double slip = ball.velocity(ball.centre() - 0.1 * slope(angle).R.col(2)).norm();
    if (rolls)
      EXPECT_LT(slip, 1e-9);
    else
      EXPECT_GT(slip, 0.1);
  }
}

TEST(Rigid, AStackOfTenBoxesStaysWhereItIsForAMinute) {
  World world = slope_world(0, 0.5);
  const double side = 0.1;
  for (int k = 0; k < 10; ++k)
    world.rigid.push_back(rigid_box(Vector3d::Constant(side), {{0, 0, (k + 0.5) * side}}));
  Simulation simulation(std::move(world), fixed_steps(0.02, 1e-8));
  run_until(simulation, 60);
  for (int k = 0; k < 10; ++k) {
    const Vector3d moved = simulation.world().rigid[k].body->centre() - Vector3d(0, 0, (k + 0.5) * side);
    EXPECT_LT(moved.norm(), 1e-4 * side) << "box " << k;
  }
}

TEST(Rigid, AnImpactConservesBothMomenta) {
  World world;
  world.gravity.setZero();
  world.rigid.push_back(rigid_box({0.3, 0.2, 0.4}, {{-0.3, 0.02, 0.03}, rotation_exp({0.4, 0.2, -0.5})},
                                  {{1.5, 0.1, 0}, {1, -3, 2}}));
  world.rigid.push_back(rigid_ball(0.15, {{0.1, 0, 0}}, {{-1, 0, 0.2}, {5, 0, -4}}));
  set_friction(world, 0.6);
  Simulation simulation(std::move(world), fixed_steps(0.002, 1e-10));
  const auto momenta = [&] {
    Eigen::Matrix<double, 6, 1> sum = Eigen::Matrix<double, 6, 1>::Zero();
    for (const WorldRigid& rigid : simulation.world().rigid) {
      const Vector3d p = rigid.body->mass_properties().mass * rigid.body->twist().linear;
      sum.head<3>() += p;
      sum.tail<3>() += rigid.body->angular_momentum() + rigid.body->centre().cross(p);
    }
    return sum;
  };
  const auto before = momenta();
  const double energy = simulation.world().energy().kinetic;
  run_until(simulation, 0.3);
  EXPECT_LT(simulation.world().energy().kinetic, 0.9 * energy);  // they did meet
  EXPECT_LT((momenta() - before).norm(), 1e-11 * before.norm());
}

TEST(Rigid, ABallBouncesToTheSquareOfItsRestitution) {
  World world = slope_world(0, 0.3);
  PairFriction pair;
  pair.restitution = 0.8;
  world.friction = PairTable(1, pair);
  const double height = 0.5;
  world.rigid.push_back(rigid_ball(0.1, {{0, 0, 0.1 + height}}));
  Simulation simulation(std::move(world), fixed_steps(2e-4));
  run_until(simulation, 0.5);  // falls for 0.32 s
  double top = 0;
  while (simulation.t() < 1) {
    simulation.step(1);
    top = std::max(top, simulation.world().rigid[0].body->centre()[2] - 0.1);
  }
  EXPECT_NEAR(top, 0.64 * height, 0.005 * height);
  run_until(simulation, 12);  // and comes to rest
  EXPECT_LT(simulation.world().rigid[0].body->twist().linear.norm(), 1e-6);
}

/// Bodies of every kind that fall into a corner of three planes and onto each other.
World heap() {
  World world;
  for (const Vector3d& n : {Vector3d(0, 0, 1), Vector3d(1, 0, 0.4), Vector3d(0, 1, 0.4)})
    world.obstacles.emplace_back(still_solid(
        Solid::half_space(), {Vector3d::Zero(), rotation_between(Vector3d::UnitZ(), n).toRotationMatrix()}));
  Random random(3);
  for (int k = 0; k < 24; ++k) {
    const Frame pose{{0.3 + 0.25 * (k % 3), 0.3 + 0.25 * (k / 3 % 2), 0.2 + 0.25 * (k / 6)},
                     rotation_exp({random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)})};
    const auto add = [&](const MassProperties& mass, const Solid& solid) {
      world.rigid.push_back({"body", std::make_unique<RigidBody>(mass, pose), solid});
    };
    if (k % 4 == 0) add(mass_of_sphere(0.08, 900), Solid::sphere(0.08));
    if (k % 4 == 1) add(mass_of_box({0.06, 0.08, 0.1}, 900), Solid::box({0.06, 0.08, 0.1}));
    if (k % 4 == 2) add(mass_of_capsule(0.05, 0.06, 900), Solid::capsule(0.05, 0.06));
    if (k % 4 == 3) add(mass_of_cylinder(0.07, 0.05, 900), Solid::cylinder(0.07, 0.05));
  }
  set_friction(world, 0.4);
  return world;
}

TEST(Rigid, AHeapNeverGainsEnergy) {
  Simulation simulation(heap(), fixed_steps(0.005, 1e-6));
  double before = simulation.world().energy().total();
  double deepest = 0;
  while (simulation.t() < 3) {
    const StepReport report = simulation.step(3);
    ASSERT_EQ(report.status, Status::converged) << "at " << report.t;
    const double now = simulation.world().energy().total();
    // Undoing an overlap of 1 mm lifts 20 kg by at most that.
    EXPECT_LT(now, before + 0.02) << "at " << report.t;
    before = now;
    deepest = std::max(deepest, report.penetration);
  }
  EXPECT_LT(deepest, 0.01);
}

Vector3d random_direction(Random& random) {
  return Vector3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)).normalized();
}

/// How deep a coin or a tile of 24 mm, thrown so that it tumbles and wobbles by up to 0.3 rad a step, gets
/// into the ground in a second, m.
double deepest_of_tumbling(const WorldRigid& thrown, const Solid& ground) {
  World world;
  const Frame top{Vector3d(0, 0, ground.bounded() ? -0.1 : 0), Eigen::Matrix3d::Identity()};
  world.obstacles.emplace_back(still_solid(ground, top));
  set_friction(world, 0.3);
  world.rigid.push_back({thrown.name, std::make_unique<RigidBody>(*thrown.body), thrown.solid});
  Simulation simulation(std::move(world), fixed_steps(0.008, 1e-6));
  double deepest = 0;
  while (simulation.t() < 1) deepest = std::max(deepest, simulation.step(1).obstacle_penetration);
  return deepest;
}

// Only the lowest point is a contact of what tumbles slowly. Of what wobbles fast another one is lowest after
// a step: without those the coin sinks until it is under the ground: five of these 30 by 17 to 39 mm.
TEST(Rigid, WhatTumblesFastDoesNotSinkIntoTheGround) {
  Random random(3);
  for (int i = 0; i < 30; ++i) {
    const Frame pose{Vector3d(0, 0, 0.05), rotation_exp(3 * random_direction(random))};
    const Twist twist{Vector3d::Zero(), 40 * random_direction(random)};
    const WorldRigid coin{"coin",
                          std::make_unique<RigidBody>(mass_of_cylinder(0.012, 0.0045, 1200), pose, twist),
                          Solid::cylinder(0.012, 0.0045)};
    const WorldRigid tile = rigid_box({0.024, 0.024, 0.012}, pose, twist);
    for (const Solid& ground : {Solid::half_space(), Solid::box({0.5, 0.5, 0.1})}) {
      EXPECT_LT(deepest_of_tumbling(coin, ground), 5e-3) << i;
      EXPECT_LT(deepest_of_tumbling(tile, ground), 2e-4) << i;
    }
  }
}

// Both walls ask for a way out that only one can have. What is left can be certified all the same.
TEST(Rigid, WhatIsWedgedIsSolvedWithItsOverlapsLeft) {
  for (const double overlap : {0.0, 0.004}) {
    World world;
    for (const double side : {-1.0, 1.0}) {
      const Frame wall{Vector3d(side * (0.1 - overlap), 0, 0), rotation_exp({0, -side * pi / 2, 0})};
      world.obstacles.emplace_back(still_solid(Solid::half_space(), wall));
    }
    set_friction(world, 0.5);
    world.rigid.push_back(rigid_box({0.2, 0.3, 0.1}, {}));
    Simulation simulation(std::move(world), fixed_steps(0.002, 1e-8));
    for (int k = 0; k < 10; ++k) {
      const StepReport report = simulation.step(1);
      EXPECT_EQ(report.status, Status::converged) << report.error;
      EXPECT_EQ(report.overlaps_left, overlap > 0) << report.penetration;
    }
  }
}

TEST(Rigid, OneAndTwoThreadsGiveTheSameBits) {
  const auto after = [](int threads) {
    const TbbExecutor executor(threads);
    StepOptions options = fixed_steps(0.005, 1e-6);
    options.solve.executor = &executor;
    Simulation simulation(heap(), options);
    run_until(simulation, 0.6);
    return simulation.state().bodies;
  };
  EXPECT_EQ(after(1), after(2));
}

TEST(Rigid, GoesOnBitForBitFromASavedState) {
  Simulation simulation(heap(), fixed_steps(0.005, 1e-6)), copy(heap(), fixed_steps(0.005, 1e-6));
  run_until(simulation, 0.4);
  copy.set_state(simulation.state());
  run_until(simulation, 0.6);
  run_until(copy, 0.6);
  EXPECT_EQ(simulation.state().bodies, copy.state().bodies);
  EXPECT_EQ(simulation.state().contacts, copy.state().contacts);
}

TEST(Rigid, AStrandAndABallExchangeMomentum) {
  // Without gravity: a rod flies broadside into a ball.
  World world;
  world.gravity.setZero();
  world.strands.push_back(
      strand_of("mass_spring", straight({0, -0.2, 0}, {0, 1, 0}, 0.4), line_properties(), 16, rod_radius));
  world.rigid.push_back(rigid_ball(0.01, {{0.02, 0.01, 0}}, {{-2, 0, 0}}));
  set_friction(world, 0.3);
  Simulation simulation(std::move(world), fixed_steps(5e-5, 1e-8));
  const auto momentum = [&] {
    const WorldStrand& strand = simulation.world().strands[0];
    const RigidBody& ball = *simulation.world().rigid[0].body;
    Vector3d sum = ball.mass_properties().mass * ball.twist().linear;
    // Lumped masses: half at the ends.
    const double piece = strand.body->length() / 16;
    for (int k = 0; k <= 16; ++k)
      sum += strand.body->properties().linear_density * piece * (k % 16 ? 1.0 : 0.5) *
             strand.body->velocity(k * piece);
    return sum;
  };
  const Vector3d before = momentum();
  run_until(simulation, 0.02);
  EXPECT_GT(simulation.world().strands[0].body->velocity(0.21).norm(), 0.5);  // it was hit
  EXPECT_LT((momentum() - before).norm(), 1e-3 * before.norm());
}

/// The six pairs of structures of the box on an incline: downhill and lateral acceleration.
struct InclineCase {
  Vector3d plank, box;
  double down, lateral;
};

TEST(Rigid, AGrainedBoxSlidesAsThePublishedOnes) {
  // mu = mu_along = 0.2, mu_across = 3, 45 degrees, g = 9.82. x is uphill.
  const InclineCase cases[] = {
      {{1, 0, 0}, {1, 0, 0}, 5.555, 0},     {{1, 1, 0}, {1, 1, 0}, 2.557, 2.477},
      {{0, 1, 0}, {0, 1, 0}, 0, 0},         {{1, 1, 0}, {1, 0, 0}, 4.733, 1.802},
      {{1, 1, 0}, {0, 1, 0}, 0.698, 1.347}, {{1, 1, 0}, {1, -1, 0}, 5.555, 0},
  };
  for (const InclineCase& one : cases) {
    const double angle = degrees(45);
    World world = slope_world(angle, 0.2);
    world.gravity = {0, 0, -9.82};
    PairFriction pair;
    pair.model = FrictionModel::matchstick;
    pair.mu = pair.mu_along = 0.2;
    pair.mu_across = 3;
    world.friction = PairTable(1, pair);
    world.obstacles[0].structure = std::make_shared<ConstantField>(one.plank);
    world.rigid.push_back(rigid_box({1, 1, 0.667}, on_slope(angle, 0.3335)));
    world.rigid[0].structure = std::make_shared<ConstantField>(one.box);
    Simulation simulation(std::move(world), fixed_steps(0.002, 1e-10));
    run_until(simulation, 0.2);
    const Vector3d v = slope(angle).R.transpose() * simulation.world().rigid[0].body->twist().linear / 0.2;
    EXPECT_NEAR(v[0], one.down, 0.01 * 5.555) << one.plank.transpose() << " / " << one.box.transpose();
    EXPECT_NEAR(std::abs(v[1]), one.lateral, 0.01 * 5.555) << one.plank.transpose();
  }
}

}  // namespace
}  // namespace capstan
