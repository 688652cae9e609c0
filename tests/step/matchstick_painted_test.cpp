// The scenes with painted grain, and the gripper, show what was published of them [Erleben20, figs 4, 6, 12,
// 13].
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "step/scene_at.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

/// Where each box is, to the side, when it reaches the end of the plank of three_boxes.toml.
std::vector<double> exits_of_boxes(SceneAt& scene) {
  const Vector3d downhill(std::cos(pi / 6), 0, -std::sin(pi / 6));
  std::vector<double> exits(scene.bodies().size(), NAN);
  for (double t = 0.01; t < 2.8; t += 0.01) {
    scene.run(t);
    for (std::size_t k = 0; k < exits.size(); ++k) {
      const Vector3d x = scene.bodies()[k].body->centre();
      if (std::isnan(exits[k]) && x.dot(downhill) >= 4) exits[k] = x[1];
    }
  }
  return exits;
}

double spread_of(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return *high - *low;
}

TEST(MatchstickPainted, ThreeBoxesLeaveThePlankAtOnePlace) {
  SceneAt painted("matchstick/three_boxes.toml");
  SceneAt plain("matchstick/three_boxes.toml",
                {parse_override("friction.0.across=0.15"), parse_override("friction.1.across=0.15"),
                 parse_override("friction.2.across=0.15")});
  const std::vector<double> exits = exits_of_boxes(painted), plain_exits = exits_of_boxes(plain);
  measured("three boxes, m to the side at the end: right, middle, left", exits[0], exits[1], exits[2]);
  measured("three boxes without grain", plain_exits[0], plain_exits[1], plain_exits[2]);
  EXPECT_LT(spread_of(exits), 0.1);
  EXPECT_NEAR(spread_of(plain_exits), 2.4, 1e-3);
  for (const double y : exits) EXPECT_NEAR(y, 1, 0.1);  // where the painted lines end
}

/// The largest rates of turning to the left (> 0) and to the right while the front wheels are between two
/// places.
struct YawRates {
  double left = 0, right = 0;
};
YawRates yaw_rates(SceneAt& scene, double from, double to) {
  YawRates rates;
  const double front_axle = 1.35;  // ahead of the origin
  for (double t = scene.t() + 0.01; t < 5; t += 0.01) {
    scene.run(t);
    const RigidBody& truck = scene.body("truck");
    const double front = truck.frame().apply({front_axle, 0, 0})[0], rate = truck.twist().angular[2];
    if (front >= to) break;
    if (front < from) continue;
    rates.left = std::max(rates.left, rate);
    rates.right = std::max(rates.right, -rate);
  }
  return rates;
}

// road.png: along the road up to 30 m, at 135 degrees (to the right and ahead) up to 40 m, at 45 degrees to
// 50 m.
TEST(MatchstickPainted, AVehicleFishtailsWhereTheGrainOfTheRoadTurns) {
  SceneAt scene("matchstick/braking_vehicle.toml");
  const YawRates orange = yaw_rates(scene, 0, 29.5);
  const YawRates green = yaw_rates(scene, 30, 40);
  const YawRates yellow = yaw_rates(scene, 40, 50);
  measured("vehicle, rad/s to the left and to the right, orange", orange.left, orange.right);
  measured("vehicle, green", green.left, green.right);
  measured("vehicle, yellow", yellow.left, yellow.right);
  EXPECT_LT(std::max(orange.left, orange.right), 1e-4);
  EXPECT_GT(green.right, 0.3);
  EXPECT_LT(green.left, 0.02);
  EXPECT_GT(yellow.left, 0.5);
  SceneAt straight("matchstick/braking_vehicle.toml", {parse_override("obstacle.0.structure.x=[1280,0,0]")});
  const YawRates all = yaw_rates(straight, 0, 60);
  measured("vehicle, orange all the way", all.left, all.right);
  EXPECT_LT(std::max(all.left, all.right), 1e-4);
}

/// How many logs have pushed against the building up to a time.
int logs_that_touch(SceneAt& scene, double until) {
  std::set<int> logs;
  for (double t = 0.01; t <= until; t += 0.01) {
    scene.run(t);
    const Simulation& simulation = scene.simulation();
    for (std::size_t k = 0; k < simulation.contacts().size(); ++k) {
      const Contact& contact = simulation.contacts()[k];
      if (contact.b.obstacle == 1 && simulation.impulses()[k].norm() > 0) logs.insert(contact.a.rigid);
    }
  }
  return static_cast<int>(logs.size());
}

// The building is the second obstacle. Of the 18 logs six fit side by side before it.
TEST(MatchstickPainted, LogsGoIntoABuildingWhereTheRavineLeadsThemToIt) {
  SceneAt into("matchstick/ravine.toml");
  const int touching = logs_that_touch(into, 2.7);
  measured("ravine, logs that touch the building: into", touching);
  EXPECT_GE(touching, 5);
  std::vector<Override> without_grain;
  for (const char* row : {"0", "1", "2"})
    without_grain.push_back(parse_override("friction." + std::string(row) + ".across=0.2"));
  SceneAt plain("matchstick/ravine.toml", without_grain);
  EXPECT_EQ(logs_that_touch(plain, 2.7), 2);  // those that start in front of it
}

TEST(MatchstickPainted, LogsGoAroundABuildingWhereTheRavineLeadsThemAside) {
  SceneAt around("matchstick/ravine.toml",
                 {parse_override("obstacle.0.structure.file=\"ravine_around.png\"")});
  const int touching = logs_that_touch(around, 4);
  measured("ravine, logs that touch the building: around", touching);
  EXPECT_EQ(touching, 0);
  // They have passed it: it ends 12.6 m down the slope.
  const Vector3d downhill(std::cos(25 * pi / 180), 0, -std::sin(25 * pi / 180));
  for (const WorldRigid& log : around.bodies()) EXPECT_GT(log.body->centre().dot(downhill), 12.6) << log.name;
}

TEST(MatchstickPainted, AStrokeMovesABlockAsItsGrainSays) {
  SceneAt scene("matchstick/gripper.toml");
  std::map<std::string, Vector3d> before;
  for (const WorldRigid& block : scene.bodies()) before[block.name] = block.body->centre();
  scene.run(1.9);  // one stroke
  const auto moved = [&](const std::string& name) -> Vector3d {
    return 1000 * (scene.body(name).centre() - before[name]);
  };
  for (const char* name : {"along", "oblique", "across"})
    measured(std::string("gripper, mm along and to the side in a stroke: ") + name, moved(name)[0],
             moved(name)[1]);
  EXPECT_LT(moved("along").norm(), 0.1);
  EXPECT_GT(moved("across")[0], 40);
  EXPECT_LT(std::abs(moved("across")[1]), 0.1);
  // Its grain leads the fingers to the left; when they are lifted they spring back and take it to the right.
  EXPECT_LT(moved("oblique")[1], -0.5);
  EXPECT_LT(moved("oblique").norm(), 5);
}

}  // namespace
}  // namespace capstan
