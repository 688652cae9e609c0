// How thick bodies are, and overlaps relative to that.
#include "capstan/step/thickness.hpp"

#include "step/rigid_worlds.hpp"

namespace capstan {
namespace {

TEST(Thickness, IsTheSmallestExtentOfASolid) {
  EXPECT_DOUBLE_EQ(Solid::sphere(0.3).thickness(), 0.6);
  EXPECT_DOUBLE_EQ(Solid::capsule(0.1, 2).thickness(), 0.2);
  EXPECT_DOUBLE_EQ(Solid::box({0.3, 0.05, 0.2}).thickness(), 0.1);
  EXPECT_DOUBLE_EQ(Solid::cylinder(0.3, 0.1).thickness(), 0.2);
  EXPECT_DOUBLE_EQ(Solid::cylinder(0.1, 0.3).thickness(), 0.2);
  EXPECT_TRUE(std::isinf(Solid::half_space().thickness()));
}

TEST(Thickness, OfAHullIsAcrossItsFaces) {
  // A corner of a cube, sides 1: across the large face it is 1 / sqrt(3), across the others 1.
  const std::vector<Eigen::Vector3d> corners{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const auto hull = std::make_shared<const ConvexHull>(corners);
  EXPECT_NEAR(Solid::hull(hull).thickness(), 1 / std::sqrt(3.0), 1e-12);
}

TEST(Thickness, OfASoftSolidDoesNotDependOnHowItIsTurned) {
  // A brick of 4 x 2 x 1 cm, turned about an oblique axis.
  Eigen::Matrix3Xd corners(3, 8);
  for (int k = 0; k < 8; ++k) corners.col(k) << 0.04 * (k & 1), 0.02 * ((k >> 1) & 1), 0.01 * (k >> 2);
  const Eigen::Matrix3Xd turned = rotation_exp({0.4, -0.7, 1.1}) * corners;
  const std::vector<std::array<int, 3>> faces{{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6},
                                              {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                              {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  EXPECT_NEAR(thickness(make_soft_surface(faces, turned, 1e-3, true)), 0.01, 1e-12);
  EXPECT_DOUBLE_EQ(thickness(make_soft_surface({{0, 1, 2}}, turned, 1e-3, false)), 2e-3);
}

/// A large ball on a small one, which overlap by 1 mm; and the ground 1 m below.
World balls_that_overlap() {
  World world;
  world.gravity.setZero();
  world.obstacles.emplace_back(still_solid(Solid::half_space(), {{0, 0, -1}, Eigen::Matrix3d::Identity()}));
  world.rigid.push_back(rigid_ball(0.05, {{0, 0, 0.0}, Eigen::Matrix3d::Identity()}));
  world.rigid.push_back(rigid_ball(0.01, {{0, 0, 0.059}, Eigen::Matrix3d::Identity()}));
  set_friction(world, 0.3);
  return world;
}

TEST(Thickness, AnOverlapIsComparedWithTheThinnerBody) {
  Simulation simulation(balls_that_overlap(), fixed_steps(1e-3));
  const StepReport report = simulation.step(1);
  EXPECT_NEAR(report.penetration, 1e-3, 1e-12);
  EXPECT_NEAR(report.penetration_ratio, 1e-3 / 0.02, 1e-10);  // the small ball is 2 cm thick
  EXPECT_EQ(report.obstacle_penetration, 0);
}

TEST(Thickness, AnObstacleDoesNotCountAsThin) {
  World world = balls_that_overlap();
  world.obstacles.clear();
  world.obstacles.emplace_back(
      still_solid(Solid::box({1, 1, 1e-4}), {{0, 0, -0.0496}, Eigen::Matrix3d::Identity()}));
  world.rigid.pop_back();
  Simulation simulation(std::move(world), fixed_steps(1e-3));
  const StepReport report = simulation.step(1);
  EXPECT_NEAR(report.obstacle_penetration, 5e-4, 1e-9);
  EXPECT_NEAR(report.penetration_ratio, 5e-4 / 0.1, 1e-8);
}

TEST(Thickness, MeasuringTheEndFindsWhatTheNextStepWouldAndChangesNothing) {
  Simulation watched(balls_that_overlap(), fixed_steps(1e-3)), alone(balls_that_overlap(), fixed_steps(1e-3));
  watched.step(1);
  alone.step(1);
  const OverlapReport now = watched.measure_overlap();
  const StepReport next = watched.step(1), expected = alone.step(1);
  EXPECT_GT(now.penetration, 0);
  EXPECT_EQ(now.penetration, next.penetration);
  EXPECT_EQ(now.penetration_ratio, next.penetration_ratio);
  EXPECT_EQ(next.penetration, expected.penetration);
  EXPECT_EQ(watched.world().rigid[1].body->frame().x, alone.world().rigid[1].body->frame().x);
}

TEST(Simulation, ReportsProgressWhileAStepIsSolvedWithoutChangingBits) {
  // Three balls in a row on the ground, pushed together: enough contacts for a solve of several iterations.
  const auto world = [] {
    World pile = slope_world(0.1, 0.6);
    for (int k = 0; k < 3; ++k)
      pile.rigid.push_back(rigid_ball(0.05, {{0.0999 * k, 0, 0.0499}, Eigen::Matrix3d::Identity()}));
    return pile;
  };
  Simulation watched(world(), fixed_steps(1e-3)), alone(world(), fixed_steps(1e-3));
  int calls = 0, contacts = 0;
  watched.on_judged = [&](int of, const HistoryPoint& point) {
    ++calls;
    contacts = of;
    EXPECT_GE(point.iteration, 0);
  };
  for (int k = 0; k < 5; ++k) {
    const StepReport report = watched.step(1);
    alone.step(1);
    EXPECT_EQ(contacts, report.contacts);
  }
  EXPECT_GE(calls, 5);
  for (int k = 0; k < 3; ++k)
    EXPECT_EQ(watched.world().rigid[k].body->frame().x, alone.world().rigid[k].body->frame().x);
}

}  // namespace
}  // namespace capstan
