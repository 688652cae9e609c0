#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "capstan/parallel/tbb_executor.hpp"
#include "capstan/random.hpp"
#include "capstan/scene/build_world.hpp"
#include "capstan/step/simulation.hpp"
#include "step/rigid_worlds.hpp"

namespace capstan {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

World world_of(const std::string& text) { return build_world(parse_scene(text, "scene.toml")); }

std::string number(double value) { return std::to_string(value); }

double mass_of(const SoftBody& body) { return body.masses().sum(); }

Vector3d momentum(const SoftBody& body) { return body.velocities() * body.masses(); }

Vector3d impulse_on(const Simulation& simulation) {
  Vector3d sum = Vector3d::Zero();
  for (const Vector3d& impulse : simulation.impulses()) sum += impulse;
  return sum;
}

/// A block of jelly on the ground, 1 mm above it.
std::string block(double friction, const std::string& more = "") {
  return R"(
    [[obstacle]]
    shape = "plane"
    friction = )" +
         number(friction) + R"(
    [[soft]]
    shape = "box"
    size = [0.1, 0.1, 0.05]
    cells = [4, 4, 2]
    position = [0, 0, 0.0265]
    skin = 5e-4
    young = 3e4
    damping = 0.02
    friction = )" +
         number(friction) + "\n" + more;
}

TEST(SoftStep, ABlockAtRestIsCarriedByTheGround) {
  Simulation simulation(world_of(block(0.5)), fixed_steps(4e-3, 1e-8));
  run_until(simulation, 1.5);
  const SoftBody& body = *simulation.world().soft[0].body;
  EXPECT_LT(body.velocities().cwiseAbs().maxCoeff(), 1e-4);
  EXPECT_NEAR(impulse_on(simulation)[2], mass_of(body) * 9.81 * 4e-3, 1e-3 * mass_of(body) * 9.81 * 4e-3);
  EXPECT_EQ(simulation.contacts().size(), 25u);
}

// On a slope of 0.3 rad (tan = 0.309) by gravity that leans: with mu = 0.35 it stays, with mu = 0.2 it slides
// with g (sin - mu cos).
TEST(SoftStep, ABlockSlidesAboveTheAngleOfFriction) {
  for (const double mu : {0.35, 0.2}) {
    World world = world_of(block(mu));
    world.gravity = 9.81 * Vector3d(std::sin(0.3), 0, -std::cos(0.3));
    Simulation simulation(std::move(world), fixed_steps(4e-3, 1e-7));
    run_until(simulation, 0.8);
    const SoftBody& body = *simulation.world().soft[0].body;
    const double before = momentum(body)[0] / mass_of(body);
    run_until(simulation, 1.0);
    const double slope = (momentum(body)[0] / mass_of(body) - before) / 0.2;
    const double expected = mu > 0.309 ? 0 : 9.81 * (std::sin(0.3) - mu * std::cos(0.3));
    EXPECT_NEAR(slope, expected, 0.02 * 9.81) << mu;
    if (mu > 0.309) {
      EXPECT_LT(std::abs(before), 1e-4);
    }
  }
}

const std::string ball_and_sheet = R"(
  [[rigid]]
  shape = "sphere"
  radius = 0.02
  density = 500
  position = [0.013, 0.004, 0.03]
  velocity = [0, 0, -2]
  [[cloth]]
  size = [0.2, 0.2]
  cells = [8, 8]
  drag = 0
  skin_drag = 0
)";

// Forces inside and at contacts add up to nothing.
TEST(SoftStep, ABallThrownAtASheetGivesItItsMomentum) {
  World world = world_of(ball_and_sheet);
  world.gravity.setZero();
  Simulation simulation(std::move(world), fixed_steps(2e-3, 1e-8));
  const auto total = [&] {
    const RigidBody& ball = *simulation.world().rigid[0].body;
    return Vector3d(momentum(*simulation.world().soft[0].body) +
                    ball.mass_properties().mass * ball.twist().linear);
  };
  const Vector3d before = total();
  run_until(simulation, 0.1);
  EXPECT_LT((total() - before).norm(), 1e-11 * before.norm());
  EXPECT_GT(momentum(*simulation.world().soft[0].body).norm(), 0.1 * before.norm());
}

// A sheet held at its corners carries a ball that is smaller than its cells are wide.
TEST(SoftStep, ASheetCarriesABallBetweenItsNodes) {
  World world = world_of(R"(
    [[rigid]]
    shape = "sphere"
    radius = 0.01
    density = 500
    position = [0.02, 0.02, 0.03]
    [[cloth]]
    size = [0.2, 0.2]
    cells = [4, 4]
    stretch = 2000
    damping = 0.01
    hold = [ { low = [-0.11, -0.11, -1], high = [-0.09, 0.11, 1] }, { low = [0.09, -0.11, -1], high = [0.11, 0.11, 1] } ]
  )");
  Simulation simulation(std::move(world), fixed_steps(4e-3, 1e-6));
  run_until(simulation, 1);
  EXPECT_GT(simulation.world().rigid[0].body->centre()[2], -0.05);
  EXPECT_GT(simulation.contacts().size(), 0u);
}

// A strand that falls across a sheet held at its edges stays on it.
TEST(SoftStep, ASheetCarriesAStrand) {
  World world = world_of(R"(
    [[material]]
    name = "cord"
    preset = "hair_straight"
    radius = 1e-3
    collision_radius = 1e-3
    [[strand]]
    material = "cord"
    model = "mass_spring"
    start = [-0.05, 0.013, 0.01]
    direction = [1, 0, 0]
    length = 0.1
    elements = 8
    [[cloth]]
    size = [0.2, 0.2]
    cells = [8, 8]
    damping = 0.01
    hold = [ { low = [-0.11, -0.11, -1], high = [-0.09, 0.11, 1] }, { low = [0.09, -0.11, -1], high = [0.11, 0.11, 1] } ]
  )");
  Simulation simulation(std::move(world), fixed_steps(2e-3, 1e-5));
  run_until(simulation, 0.6);
  const Strand& strand = *simulation.world().strands[0].body;
  const Matrix3Xd& x = simulation.world().soft[0].body->positions();
  for (const double s : {0.0, 0.03, 0.05, 0.1}) EXPECT_GT(strand.position(s)[2], x.row(2).minCoeff()) << s;
}

/// Whether an edge pq passes through a triangle abc.
bool pierces(const Vector3d& p, const Vector3d& q, const Vector3d& a, const Vector3d& b, const Vector3d& c) {
  const Vector3d n = (b - a).cross(c - a);
  const double above = n.dot(p - a), below = n.dot(q - a);
  if ((above > 0) == (below > 0)) return false;
  const Vector3d at = p + above / (above - below) * (q - p);
  return n.dot((b - a).cross(at - a)) >= 0 && n.dot((c - b).cross(at - b)) >= 0 &&
         n.dot((a - c).cross(at - c)) >= 0;
}

int piercings(const SoftSurface& edges, const Matrix3Xd& x, const SoftSurface& triangles,
              const Matrix3Xd& y) {
  int count = 0;
  for (const auto& [p, q] : edges.edges)
    for (const auto& [a, b, c] : triangles.triangles)
      count += pierces(x.col(p), x.col(q), y.col(a), y.col(b), y.col(c));
  return count;
}

/// Two sheets thrown at each other, turned and spinning at random.
World thrown_sheets(unsigned seed) {
  Random random(seed);
  const auto vector = [&](double size) {
    return "[" + number(random.uniform(-size, size)) + ", " + number(random.uniform(-size, size)) + ", " +
           number(random.uniform(-size, size)) + "]";
  };
  std::string text;
  for (const double side : {-1.0, 1.0})
    text += R"(
      [[cloth]]
      size = [0.1, 0.1]
      cells = [3, 3]
      thickness = 1e-3
      rotation = )" +
            vector(2) + "\nspin = " + vector(20) + "\nposition = [" + number(0.09 * side) +
            ", 0, 0]\nvelocity = [" + number(-side * random.uniform(1, 8)) + ", " +
            number(random.uniform(-2, 2)) + ", 0]\n";
  World world = world_of(text);
  world.gravity.setZero();
  return world;
}

TEST(SoftStep, ClothIsNotCrossedInAThousandCollisions) {
  int touched = 0;
  for (unsigned seed = 0; seed < 1000; ++seed) {
    World world = thrown_sheets(seed);
    const SoftSurface a = world.soft[0].surface, b = world.soft[1].surface;
    StepOptions options = fixed_steps(5e-3, 1e-4);
    options.adaptive = true;
    Simulation simulation(std::move(world), options);
    if (piercings(a, simulation.world().soft[0].body->positions(), b,
                  simulation.world().soft[1].body->positions()) +
            piercings(b, simulation.world().soft[1].body->positions(), a,
                      simulation.world().soft[0].body->positions()) >
        0)
      continue;  // they began so
    bool touches = false;
    for (int k = 0; k < 8; ++k) {
      simulation.step(simulation.t() + 5e-3);
      touches |= !simulation.contacts().empty();
      const Matrix3Xd& x = simulation.world().soft[0].body->positions();
      const Matrix3Xd& y = simulation.world().soft[1].body->positions();
      ASSERT_EQ(piercings(a, x, b, y) + piercings(b, y, a, x), 0) << "seed " << seed << ", step " << k;
    }
    touched += touches;
  }
  EXPECT_GT(touched, 500);
}

// Twice the area of glue, half the gap: a soft cube that hangs from a ceiling, weight over area C g.
TEST(SoftStep, ASoftCubeHangsByItsGlue) {
  World world = world_of(R"(
    [[obstacle]]
    name = "ceiling"
    shape = "plane"
    normal = [0, 0, -1]
    [[soft]]
    name = "cube"
    shape = "box"
    size = [0.1, 0.1, 0.1]
    cells = [3, 3, 3]
    position = [0, 0, -0.0505]
    skin = 5e-4
    young = 2e6
    damping = 0.02
    [[friction]]
    between = ["cube", "ceiling"]
    mu = 0.5
    adhesion = { stiffness = 1e6, energy = 10, viscosity = 0.1, debond_gap = 5e-3, initial = 1 }
  )");
  Simulation simulation(std::move(world), fixed_steps(4e-3, 1e-8));
  run_until(simulation, 2);
  ASSERT_EQ(simulation.bonds().size(), 16u);
  double force = 0, area = 0;
  for (const Bond& bond : simulation.bonds()) {
    area += bond.area;
    force += 1e6 * bond.area * std::max(0.0, contact_of(simulation.world(), bond, simulation.t()).gap);
  }
  EXPECT_NEAR(area, 0.01, 1e-9);
  EXPECT_NEAR(force, 9.81, 1e-3 * 9.81);
}

TEST(SoftStep, GoesOnFromItsStateBitForBit) {
  const std::string text = block(0.5, R"(
    [[rigid]]
    shape = "sphere"
    radius = 0.01
    position = [0.01, 0.02, 0.07]
    name = "ball"
    [[friction]]
    between = ["ball", "soft_1"]
    mu = 0.3
    adhesion = { stiffness = 1e6, energy = 1, viscosity = 0.1, bonding_rate = 1, debond_gap = 3e-3 }
  )");
  Simulation one(world_of(text), fixed_steps(2e-3, 1e-6)), other(world_of(text), fixed_steps(2e-3, 1e-6));
  run_until(one, 0.1);
  ASSERT_FALSE(one.bonds().empty());
  other.set_state(one.state());
  run_until(one, 0.12);
  run_until(other, 0.12);
  EXPECT_EQ(one.state().bodies, other.state().bodies);
  EXPECT_EQ(one.state().bonds, other.state().bonds);
}

TEST(SoftStep, TheNumberOfThreadsDoesNotChangeABit) {
  const auto run = [](const std::string& text, int threads) {
    const TbbExecutor executor(threads);
    StepOptions options = fixed_steps(2e-3, 1e-6);
    options.solve.executor = &executor;
    Simulation simulation(world_of(text), options);
    run_until(simulation, 0.03);
    return simulation.state().bodies;
  };
  for (const std::string& text : {ball_and_sheet, block(0.5)}) EXPECT_EQ(run(text, 1), run(text, 3));
}

}  // namespace
}  // namespace capstan
