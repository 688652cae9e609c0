// The shipped scenes of adhesion do what their comments say, and what cannot stick does not feel that it
// might.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "step/scene_at.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

const Adhesion& first_adhesion(const Simulation& simulation) {
  return *adhesion_of(simulation.world(), simulation.contacts().at(0));
}

/// When the bonds of each cube are gone.
std::array<double, 4> times_of_letting_go(SceneAt& scene, double dt) {
  std::array<double, 4> times;
  times.fill(std::numeric_limits<double>::infinity());
  while (scene.t() < 6 - 0.5 * dt) {
    scene.run(scene.t() + dt);
    std::array<bool, 4> held{};
    for (const Bond& bond : scene.simulation().bonds()) held[bond.a.rigid] = true;
    for (int k = 0; k < 4; ++k)
      if (!held[k]) times[k] = std::min(times[k], scene.t());
  }
  return times;
}

/// The time in which a constant pull p breaks the glue: g = p/(C beta^2), so that beta changes by
/// (W - p^2/(C beta^3))/eta until g = g_d.
double time_to_break(const Adhesion& glue, double p) {
  const double last = std::sqrt(p / (glue.stiffness * glue.debond_gap));
  const int parts = 1000;
  double time = 0;
  for (int i = 0; i < parts; ++i) {
    const double beta = last + (1 - last) * (i + 0.5) / parts;
    time += glue.viscosity / (p * p / (glue.stiffness * beta * beta * beta) - glue.energy);
  }
  return time * (1 - last) / parts;
}

// The glue holds sqrt(C W) = 1 kPa. Steps of 4 ms: the end is seen up to two late, and beta lags one.
TEST(AdhesionScenes, TheDenserACubeTheSoonerItLetsGo) {
  SceneAt scene("adhesion/hanging_cubes.toml");
  scene.run(0.004);
  const Adhesion glue = first_adhesion(scene.simulation());
  const std::array<double, 4> times = times_of_letting_go(scene, 0.004);
  EXPECT_EQ(times[0], std::numeric_limits<double>::infinity());
  const std::array density{1000.0, 1050.0, 1200.0, 1700.0};
  for (int k = 1; k < 4; ++k) {
    const double expected = time_to_break(glue, 0.1 * density[k] * 9.81);
    EXPECT_NEAR(times[k], expected, 0.012 + 0.005 * expected) << density[k];
  }
}

/// Work of the hand that peels, over the area that it frees, J/m^2, over the time it takes to free three rows
/// of nodes.
double work_of_peeling(SceneAt& scene, double dt, double width) {
  scene.run(1.25);
  double force = 0;
  int steps = 0;
  while (scene.t() < 2 - 0.5 * dt) {
    scene.run(scene.t() + dt);
    for (const Vector3d& impulse : scene.simulation().impulses()) force -= (impulse[0] + impulse[2]) / dt;
    ++steps;
  }
  return force / steps / width;
}

// At g between the points the glue pulls with C g up to g0 = sqrt(W/C) and then, beta = W/(C g^2), with
// W^2/(C g^3) until it breaks at g_d: W/2 + W/2 (1 - (g0/g_d)^2) for each square metre. The hand goes as fast
// along as up, and does F_x + F_z times what it frees of each metre of width. Of its force the tape bears
// none, for its motion is steady; that is the force of the table. beta lags a step, and nodes of the mesh let
// go with a snap: both only add.
TEST(AdhesionScenes, PeelingTakesTheEnergyOfTheGlue) {
  const double dt = 2e-3;
  SceneAt scene("adhesion/peel.toml");
  const double work = work_of_peeling(scene, dt, 0.02);
  const Adhesion& glue = first_adhesion(scene.simulation());
  const double C = glue.stiffness, W = glue.energy, g_d = glue.debond_gap;
  const double expected = W - 0.5 * W * W / (C * g_d * g_d);
  EXPECT_GT(work, 0.99 * expected);
  EXPECT_LT(work, 1.06 * expected);
}

struct Tape {
  double highest = 0;   ///< m above the table
  double farthest = 0;  ///< m off the roller, of what has been pressed and is above 3 mm
};

Tape tape_at(double t, const std::vector<Override>& changes) {
  SceneAt scene("adhesion/tape_on_cylinder.toml", changes);
  scene.run(t);
  const Frame roller = scene.body("roller").frame();
  const SoftBody& body = *scene.simulation().world().soft[0].body;
  const Eigen::Matrix3Xd& x = body.positions();
  Tape tape;
  for (int k = 0; k < x.cols(); ++k) {
    const Vector3d local = roller.apply_inverse(x.col(k));
    const double off = local.head<2>().norm() - 0.0205;  // radius, and half the thickness of the tape
    tape.highest = std::max(tape.highest, x(2, k));
    if (x(2, k) > 3e-3 && body.rest()(0, k) > 0) tape.farthest = std::max(tape.farthest, std::abs(off));
  }
  return tape;
}

TEST(AdhesionScenes, ARollerPicksUpATapeThatSticks) {
  const std::vector<Override> coarse{{"cloth.0.cells", "[22, 1]"}, {"simulation.tolerance", "1e-3"}};
  std::vector<Override> dry = coarse;
  dry.push_back({"friction.1.adhesion.bonding_rate", "0"});
  const Tape sticky = tape_at(0.25, coarse), free = tape_at(0.1, dry);
  EXPECT_GT(sticky.highest, 0.03);  // of 0.042, the top of the roller
  EXPECT_LT(sticky.farthest, 1e-3);
  EXPECT_LT(free.highest, 3e-3);
}

/// Mean distance of the ends of hairs from the middle of their tuft, seen from below, m.
double radius_of_tufts(double t, const std::vector<Override>& changes) {
  SceneAt scene("adhesion/wet_hair.toml", changes);
  scene.run(t);
  const std::vector<WorldStrand>& hairs = scene.simulation().world().strands;
  const int count = static_cast<int>(hairs.size()), tuft = count / 4;
  double sum = 0;
  for (int first = 0; first < count; first += tuft) {
    std::vector<Eigen::Vector2d> ends;
    Eigen::Vector2d middle = Eigen::Vector2d::Zero();
    for (int k = first; k < first + tuft; ++k)
      middle += ends.emplace_back(hairs[k].body->position(hairs[k].body->length()).head<2>()) / tuft;
    for (const Eigen::Vector2d& end : ends) sum += (end - middle).norm() / count;
  }
  return sum;
}

TEST(AdhesionScenes, WetHairGathersInPointedWisps) {
  std::vector<Override> few;
  for (const char* tuft : {"0", "1", "2", "3"})
    few.push_back({std::string("bundle.") + tuft + ".count", "12"});
  std::vector<Override> dry = few;
  dry.push_back({"friction.0.adhesion.bonding_rate", "0"});
  const double wet_radius = radius_of_tufts(1.2, few), dry_radius = radius_of_tufts(1.2, dry);
  EXPECT_LT(wet_radius, 0.6 * dry_radius);
}

/// Where all is at time t, with `adhesion` among the keys of each pair.
std::vector<double> end_of(const std::string& bodies, const std::string& pair, bool adhesive, double t) {
  const std::string table =
      adhesive ? "adhesion = { stiffness = 1e6, energy = 1, viscosity = 0.1, debond_gap = 2e-3 }\n" : "";
  const Scene scene =
      parse_scene(bodies + "[[friction]]\nbetween = " + pair + "\nmu = 0.4\n" + table, "scene.toml");
  Simulation simulation(build_world(scene), step_options(scene.simulation, serial_executor()));
  std::size_t most = 0;
  while (simulation.t() < t) {
    simulation.step(t);
    most = std::max(most, simulation.contacts().size());
  }
  EXPECT_GT(most, 0u);
  EXPECT_TRUE(simulation.bonds().empty());
  return simulation.state().bodies;
}

void expect_same_bits(const std::string& bodies, const std::string& pair, double t) {
  EXPECT_EQ(end_of(bodies, pair, true, t), end_of(bodies, pair, false, t));
}

TEST(AdhesionScenes, RigidBodiesThatCannotStickMoveAsWithoutAdhesion) {
  expect_same_bits(R"(
    [[obstacle]]
    shape = "plane"
    [[rigid]]
    name = "block"
    shape = "box"
    size = [0.1, 0.06, 0.04]
    position = [0, 0, 0.1]
    repeat = [1, 1, 3]
    spacing = [0, 0, 0.08]
    tumble = 1
    spin = [1, 2, 3]
  )",
                   R"(["block", "block"])", 0.5);
}

TEST(AdhesionScenes, StrandsThatCannotStickMoveAsWithoutAdhesion) {
  expect_same_bits(R"(
    [[bundle]]
    name = "rods"
    material = "spaghetti"
    count = 7
    length = 0.2
    elements = 4
    tilt = 0.3
    center = [0, 0, 0.02]
    [[obstacle]]
    shape = "plane"
  )",
                   R"(["rods", "rods"])", 0.3);
}

TEST(AdhesionScenes, ClothThatCannotStickMovesAsWithoutAdhesion) {
  expect_same_bits(R"(
    [[obstacle]]
    name = "ball"
    shape = "sphere"
    radius = 0.05
    [[cloth]]
    name = "cloth"
    size = [0.2, 0.2]
    cells = [6, 6]
    position = [0.01, 0.02, 0.055]
  )",
                   R"(["cloth", "ball"])", 0.2);
}

}  // namespace
}  // namespace capstan
