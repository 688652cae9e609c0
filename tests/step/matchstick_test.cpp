// The shipped scenes of friction with a grain show what was published of them [Erleben20, sec. 6].
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "step/scene_at.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

TEST(Matchstick, BoxesOnAnInclineGoWhereTheirGrainsSend) {
  SceneAt scene("matchstick/box_on_incline.toml");
  const double t = 0.24;
  scene.run(t);
  const Vector3d down(-std::sqrt(0.5), 0, -std::sqrt(0.5));
  const auto expect = [&](const std::string& name, double a_down, double a_lateral) {
    const Vector3d a = scene.body("box_" + name).twist().linear / t;
    EXPECT_NEAR(a.dot(down), a_down, 0.056) << name;
    EXPECT_NEAR(std::abs(a[1]), a_lateral, 0.056) << name;
    measured("incline " + name + ", m/s^2 down and to the side", a.dot(down), std::abs(a[1]));
  };
  expect("along", 5.555, 0);
  expect("oblique", 2.557, 2.477);
  expect("across", 0, 0);
  expect("half", 4.733, 1.802);
  expect("steep", 0.698, 1.347);
  expect("crossed", 5.555, 0);
  // Up the slope and to +y runs the grain of the plank: down it goes to -y.
  EXPECT_LT(scene.body("box_oblique").twist().linear[1], 0);
}

/// A solid cylinder that slips and rolls down a slope from rest, at grains that are 67.5 degrees off the
/// slope: acceleration down and to the side. The point that touches feels 3 of the friction f along the slope
/// (1 moves it, 2 turn it) and 1 across: a = (g sin - 3 f_x, -f_y) along u, f = N M u / sqrt(u.M u), M =
/// diag(mu^2) in the frame of the grain; the angle of u by halving.
Eigen::Vector2d slipping_cylinder(double slope, double gravity, double mu_along, double mu_across) {
  const Eigen::Rotation2Dd grain(67.5 * std::numbers::pi / 180);
  const Eigen::Matrix2d M = grain * Eigen::Vector2d(mu_along * mu_along, mu_across * mu_across).asDiagonal() *
                            grain.inverse().toRotationMatrix();
  const auto friction = [&](double angle) -> Eigen::Vector2d {
    const Eigen::Vector2d u(std::cos(angle), std::sin(angle));
    return gravity * std::cos(slope) * (M * u) / std::sqrt(u.dot(M * u));
  };
  double low = 0, high = std::numbers::pi / 2;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    const Eigen::Vector2d f = friction(middle), a(gravity * std::sin(slope) - 3 * f[0], -f[1]);
    (std::cos(middle) * a[1] - std::sin(middle) * a[0] > 0 ? low : high) = middle;
  }
  const Eigen::Vector2d f = friction(low);
  return {gravity * std::sin(slope) - f[0], -f[1]};
}

// Of the four, [Erleben20] shows two that drift. The last one does not here: along the slope its friction
// cone has 1/sqrt(cos^2(67.5)/0.2^2 + sin^2(67.5)/1.6^2) = 0.5 > tan(45)/3, what rolling needs. It does on a
// slope above atan(3 * 0.5) = 56.3 degrees.
TEST(Matchstick, CylindersStayOnThePlankOrLeaveIt) {
  SceneAt scene("matchstick/cylinder_on_plank.toml");
  scene.run(1);
  const auto moved = [&](const std::string& name, double y) { return scene.body(name).centre()[1] - y; };
  for (const auto& [name, y] :
       {std::pair("rolling_straight", -4.5), std::pair("rolling_oblique", -1.5),
        std::pair("axial_straight", 1.5), std::pair("axial_oblique", 4.5), std::pair("axial_steep", 7.5)}) {
    const Twist twist = scene.body(name).twist();
    measured(std::string("cylinder ") + name + ", m to the side, m/s, rad/s at 1 s", moved(name, y),
             twist.linear.norm(), twist.angular.norm());
  }
  EXPECT_LT(std::abs(moved("rolling_straight", -4.5)), 1e-3);
  EXPECT_GT(std::abs(moved("rolling_oblique", -1.5)), 0.3);
  EXPECT_LT(std::abs(moved("axial_straight", 1.5)), 1e-3);
  EXPECT_LT(std::abs(moved("axial_oblique", 4.5)), 1e-3);
  // mu = 0.2 < tan(45)/3: it rolls with slip, a = g (sin - mu cos) = 5.555, 2 mu g cos / R = 5.555 rad/s^2.
  // The ellipse of the last one reaches 0.5 along the slope: it sticks, rolls with 2/3 g sin, and goes
  // straight.
  EXPECT_NEAR(scene.body("axial_oblique").twist().linear.norm(), 2.0 / 3 * 9.82 * std::sqrt(0.5), 0.02);
  const Eigen::Vector2d steep = slipping_cylinder(std::numbers::pi / 3, 9.82, 0.2, 1.6);
  EXPECT_NEAR(std::abs(moved("axial_steep", 7.5)), 0.5 * steep[1], 0.01 * steep[1]);
  const Vector3d v = scene.body("axial_steep").twist().linear;
  EXPECT_NEAR(std::hypot(v[0], v[2]), steep[0], 0.005 * steep[0]);
  const Twist twist = scene.body("rolling_straight").twist();
  EXPECT_NEAR(twist.linear.norm(), 5.555, 0.02);
  EXPECT_NEAR(twist.angular.norm(), 5.555, 0.05);
}

double lateral_spread(const SceneAt& scene) {
  double sum = 0, squares = 0;
  for (const WorldRigid& box : scene.bodies()) {
    const double y = box.body->centre()[1];
    sum += y;
    squares += y * y;
  }
  const double n = static_cast<double>(scene.bodies().size());
  return std::sqrt(squares / n - sum * sum / (n * n));
}

TEST(Matchstick, AChannelNarrowsARowAndASpreadWidensIt) {
  SceneAt channel("matchstick/channel.toml"), spread("matchstick/spread.toml");
  SceneAt plain("matchstick/channel.toml", {parse_override("friction.0.across=0.2")});
  const double before = lateral_spread(channel);
  channel.run(1.5);
  spread.run(1.5);
  plain.run(1.5);
  measured("channel, spread, plain: width over width at the start", lateral_spread(channel) / before,
           lateral_spread(spread) / before, lateral_spread(plain) / before);
  EXPECT_LT(lateral_spread(channel), 0.6 * before);
  EXPECT_GT(lateral_spread(spread), 1.4 * before);
  EXPECT_NEAR(lateral_spread(plain), before, 1e-3 * before);
}

TEST(Matchstick, ASlalomGoesFromSideToSide) {
  SceneAt scene("matchstick/slalom.toml");
  int changes = 0;
  double last = 0;
  for (double t = 0.1; t < 2.45; t += 0.1) {
    scene.run(t);
    const double v = scene.bodies()[4].body->twist().linear[1];
    changes += v * last < 0;
    last = v;
  }
  measured("slalom, changes of side", changes);
  EXPECT_GE(changes, 3);
}

// [Erleben20] lets both fall in 4 s, the strong one by its pillars. Here the strong one stands: every step is
// a certified equilibrium.
TEST(Matchstick, AnArchStandsOrSlidesApart) {
  SceneAt scene("matchstick/arch.toml");
  const auto dropped = [&](const std::string& name) {
    static const double start = scene.body("strong_wedge_4").centre()[2];
    return start - scene.body(name + "_wedge_4").centre()[2];
  };
  ASSERT_EQ(dropped("weak"), 0);
  scene.run(1);
  measured("arch at 1 s, m dropped: weak, strong", dropped("weak"), dropped("strong"));
  EXPECT_GT(dropped("weak"), 0.3);
  EXPECT_LT(std::abs(dropped("strong")), 0.005);
  scene.run(4);
  measured("arch at 4 s, m dropped: strong", dropped("strong"));
  EXPECT_LT(std::abs(dropped("strong")), 0.01);
}

TEST(Matchstick, ATowerLosesItsTopOrTips) {
  SceneAt scene("matchstick/tower.toml");
  scene.run(1.2);
  const auto displaced = [&](const std::string& name) {
    int count = 0;
    for (int k = 0; k < 6; ++k)
      count += std::abs(scene.body(name + "[" + std::to_string(k) + "]").centre()[0]) > 0.5;
    return count;
  };
  const int easy = displaced("easy"), hard = displaced("hard");
  measured("tower, cubes displaced by more than 0.5 m at 1.2 s: easy, hard", easy, hard);
  EXPECT_GE(easy, 1);
  EXPECT_LE(easy, 2);  // the top is knocked off
  EXPECT_GE(hard, 3);  // the blow is shared
}

// Arches form and break by chance: two seeds together, while the grain decides more than the arch does.
TEST(Matchstick, PillsRunOutOfAHopperOrJam) {
  const auto out = [](const std::string& name) {
    int count = 0;
    for (const std::string seed : {"1", "4"}) {
      SceneAt scene("matchstick/" + name + ".toml", {{"rigid.0.seed", seed}});
      scene.run(2, 0.03);  // wedged pills: 0 to 3 of 200 steps, as rounding decides
      for (const WorldRigid& pill : scene.bodies()) count += pill.body->centre()[2] < 3.3;
    }
    return count;
  };
  const int flow = out("hopper_flow"), jam = out("hopper_jam");
  measured("hopper, pills out at 2 s with two seeds: flow, jam", flow, jam);
  EXPECT_GE(flow, 8);
  EXPECT_LE(jam, 4);
}

}  // namespace
}  // namespace capstan
