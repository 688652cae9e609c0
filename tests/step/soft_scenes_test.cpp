// The shipped scenes of soft bodies, on coarser meshes, do what their comments say.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>

#include "step/scene_at.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

const SoftBody& soft_body(const SceneAt& scene, const std::string& name) {
  for (const WorldSoft& soft : scene.simulation().world().soft)
    if (soft.name == name) return *soft.body;
  throw std::logic_error("no soft body " + name);
}

Vector3d middle_of(const SoftBody& body) { return body.positions() * body.masses() / body.masses().sum(); }

double weight_of(const SoftBody& body) { return 9.81 * body.masses().sum(); }

/// visit(contact, force on A in N) for those of the last step.
void for_each_force(const SceneAt& scene, const std::function<void(const Contact&, const Vector3d&)>& visit) {
  const Simulation& simulation = scene.simulation();
  const double dt = simulation.state().dt_used;
  for (std::size_t i = 0; i < simulation.contacts().size(); ++i)
    visit(simulation.contacts()[i], simulation.impulses()[i] / dt);
}

// What hangs down reaches further than the ball and not to the floor, at -0.25 m. At rest: no faster than by
// a fall of 10 micrometres.
TEST(SoftScenes, AClothHangsOnABallByFrictionAlone) {
  SceneAt scene("soft/drape_ball.toml", {{"cloth.0.cells", "[16, 16]"}});
  scene.run(2.4);
  const SoftBody& cloth = soft_body(scene, "cloth");
  const double weight = weight_of(cloth), lowest = cloth.positions().row(2).minCoeff();
  double carried = 0;
  for_each_force(scene, [&](const Contact& contact, const Vector3d& force) {
    if (contact.b.obstacle == 1) carried += force[2];
  });
  EXPECT_LT(scene.simulation().world().energy().kinetic, 1e-5 * weight);
  EXPECT_NEAR(carried, weight, 0.02 * weight);
  EXPECT_GT(lowest, -0.24);
  EXPECT_LT(lowest, -0.11);
}

/// How a rod of the scene, clamped at one end, is loaded and bent. Beam theory for what touches it and for
/// its own weight w per length:  tip = sum F a^2 (3 L - a)/(6 B) + w L^4/(8 B), a the distance from the
/// clamp.
struct BentRod {
  double load = 0, tip = 0, expected = 0;  // N, m, m
};

BentRod bent_rod(const SceneAt& scene, int rod, double young) {
  const double length = 0.5, r2 = 3e-3 * 3e-3, w = 9.81 * 700 * pi * r2, B = young * pi / 4 * r2 * r2;
  BentRod bent;
  bent.tip = -scene.simulation().world().strands[rod].body->position(length)[2];
  bent.expected = w * std::pow(length, 4) / (8 * B);
  for_each_force(scene, [&](const Contact& contact, const Vector3d& force) {
    if (contact.a.strand != rod) return;
    const double a = contact.a.s;
    bent.load -= force[2];
    bent.expected -= force[2] * a * a * (3 * length - a) / (6 * B);
  });
  return bent;
}

// The soft rods bend by a quarter of their length, where beam theory is some per cent off.
TEST(SoftScenes, RodsCarryAClothAndBendUnderIt) {
  SceneAt scene("soft/drape_rods.toml", {{"cloth.0.cells", "[15, 10]"}});
  scene.run(1.2);
  double carried = 0;
  for (int rod = 0; rod < 4; ++rod) {
    const bool stiff = rod == 0 || rod == 3;
    const BentRod bent = bent_rod(scene, rod, stiff ? 1e9 : 3e8);
    carried += bent.load;
    EXPECT_NEAR(bent.tip, bent.expected, (stiff ? 0.04 : 0.08) * bent.expected) << rod;
    if (stiff)
      EXPECT_LT(bent.tip, 0.07) << rod;
    else
      EXPECT_GT(bent.tip, 0.11) << rod;
    keep_for_plot("soft", "drape_rods", rod, bent.load, bent.tip, bent.expected);
  }
  const double weight = weight_of(soft_body(scene, "cloth"));
  EXPECT_NEAR(carried, weight, 0.02 * weight);
}

const std::vector<std::string> gels{"plain", "along", "oblique", "slalom"};

std::vector<Override> coarse_gripper() {
  std::vector<Override> changes;
  for (int k = 0; k < 4; ++k) {
    changes.push_back({"soft." + std::to_string(2 * k) + ".cells", "[10, 4, 3]"});
    changes.push_back({"soft." + std::to_string(2 * k + 1) + ".cell", "6e-3"});
  }
  return changes;
}

/// How far the middle of each gel is from where it was at `start`, mean over the time, m.
std::map<std::string, Vector3d> shifts(SceneAt& scene, const std::map<std::string, Vector3d>& start,
                                       double until) {
  std::map<std::string, Vector3d> sum;
  int count = 0;
  for (; scene.t() < until - 1e-9; ++count) {
    scene.run(scene.t() + 0.02);
    for (const std::string& name : gels)
      sum.try_emplace(name, Vector3d::Zero()).first->second +=
          middle_of(soft_body(scene, name)) - start.at(name);
  }
  for (auto& [name, shift] : sum) shift /= count;
  return sum;
}

// Of a grain at 45 degrees to the slip, with mu_t = 0.1 along and mu_b = 1 across it, the force to the side
// over the one along is (mu_b^2 - mu_t^2)/(mu_b^2 + mu_t^2) = 0.98. A gel is softer to the side than along,
// the nodes of the mesh make the finger hook: it need not be that exactly.
TEST(SoftScenes, AGelGivesWayAsItsGrainSays) {
  SceneAt scene("soft/gripper.toml", coarse_gripper());
  scene.run(0.1);
  std::map<std::string, Vector3d> start;
  for (const std::string& name : gels) start[name] = middle_of(soft_body(scene, name));
  scene.run(0.8);
  std::map<std::string, Vector3d> shift = shifts(scene, start, 1.0);
  for (const std::string& name : gels) keep_for_plot("soft", "gripper", name, shift[name][0], shift[name][1]);
  EXPECT_GT(shift["plain"][0], 8e-4);
  EXPECT_LT(std::abs(shift["plain"][1]), 0.02 * shift["plain"][0]);
  EXPECT_LT(shift["along"][0], 0.4 * shift["plain"][0]);
  EXPECT_GT(-shift["oblique"][1], 0.7 * shift["oblique"][0]);
  EXPECT_LT(-shift["oblique"][1], 1.4 * shift["oblique"][0]);
  EXPECT_LT(shift["slalom"][1], -8e-4);
  scene.run(1.3);
  EXPECT_GT(shifts(scene, start, 1.36)["slalom"][1], 3e-4);
}

/// z of the mean of held nodes.
double height_of_back(const SoftBody& lip) {
  double sum = 0;
  int count = 0;
  for (int node = 0; node < lip.nodes(); ++node)
    if (lip.is_held(node)) {
      sum += lip.positions()(2, node);
      ++count;
    }
  return sum / count;
}

/// How far apart the lips would be without force when the last contact or bond between them goes, m. They
/// begin 2 mm apart.
double gap_at_parting(const std::string& bonding_rate) {
  SceneAt scene("adhesion/lips.toml", {{"friction.0.adhesion.bonding_rate", bonding_rate},
                                       {"soft.0.cell", "5e-3"},
                                       {"soft.1.cell", "5e-3"},
                                       {"soft.0.model", "\"corotational\""},
                                       {"soft.1.model", "\"corotational\""}});
  const auto opening = [&] {
    return height_of_back(soft_body(scene, "upper")) - height_of_back(soft_body(scene, "lower"));
  };
  const double closed = opening() - 2e-3;
  scene.run(0.8);
  for (double pull = 1; pull > 0 && scene.t() < 2;) {
    scene.run(scene.t() + 0.012);
    pull = 0;
    for_each_force(scene, [&](const Contact&, const Vector3d& force) { pull += force.norm(); });
  }
  return opening() - closed;
}

TEST(SoftScenes, MoistLipsPartLaterThanDryOnes) {
  const double dry = gap_at_parting("0"), moist = gap_at_parting("0.02");
  keep_for_plot("soft", "lips", dry, moist);
  EXPECT_LT(std::abs(dry), 7e-4);
  EXPECT_GT(moist, 5e-3);
  EXPECT_LT(moist, 12e-3);
}

}  // namespace
}  // namespace capstan
