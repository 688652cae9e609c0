#include "capstan/collide/continuous.hpp"

#include <gtest/gtest.h>

#include <random>

namespace capstan {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double radius = 1e-3;

int add_line(CollisionScene& scene, const Vector3d& from, const Vector3d& to) {
  StrandCollision how;
  how.radius = radius;
  const double length = (to - from).norm();
  return scene.add_strand(how, std::vector<Vector3d>{from, to}, std::vector<double>{0, length});
}

std::vector<Vector3d> moved(const CollisionScene& scene, int strand, const Vector3d& by) {
  std::vector<Vector3d> end = scene.x;
  const CollisionStrand& k = scene.strands[strand];
  for (int i = k.first_node; i < k.first_node + k.nodes; ++i) end[i] += by;
  return end;
}

MovingSolid moving(const Solid& solid, const Frame& from, const Frame& to) {
  return {solid.shape(), &solid, from, to};
}

TEST(StrandCrossings, SeeAStrandThatJumpsOverAnother) {
  CollisionScene scene;
  add_line(scene, {-0.1, 0, 0.02}, {0.1, 0, 0.02});
  add_line(scene, {0, -0.1, 0}, {0, 0.1, 0});
  const auto found = strand_crossings(scene, moved(scene, 0, {0, 0, -0.04}));
  ASSERT_EQ(found.size(), 1u);
  const Contact& contact = found[0];
  EXPECT_NEAR(contact.a.s, 0.1, 1e-9);
  EXPECT_NEAR(contact.b.s, 0.1, 1e-9);
  EXPECT_NEAR((contact.frame.col(0) - Vector3d::UnitZ()).norm(), 0, 1e-9);  // the side where A was
  EXPECT_NEAR(contact.gap, 0.02 - 2 * radius, 1e-9);
}

TEST(StrandCrossings, LeaveStrandsAloneThatMoveTogetherOrStopInTime) {
  CollisionScene scene;
  add_line(scene, {-0.1, 0, 2.5 * radius}, {0.1, 0, 2.5 * radius});
  add_line(scene, {0, -0.1, 0}, {0, 0.1, 0});
  std::vector<Vector3d> together = scene.x;
  for (Vector3d& x : together) x += Vector3d(0.05, 0.02, -0.3);
  EXPECT_TRUE(strand_crossings(scene, together).empty());
  EXPECT_TRUE(strand_crossings(scene, moved(scene, 0, {0, 0, -0.5 * radius})).empty());
}

TEST(StrandCrossings, AnOverlapThatGrowsIsNone) {
  CollisionScene scene;
  add_line(scene, {-0.1, 0, 2 * radius}, {0.1, 0, 2 * radius});
  add_line(scene, {0, -0.1, 0}, {0, 0.1, 0});
  EXPECT_TRUE(strand_crossings(scene, moved(scene, 0, {0, 0, -radius})).empty());
}

/// The triple product changes its sign when the lines of two segments pass each other. Random pairs whose
/// midpoints meet halfway are all found, whatever their directions.
TEST(StrandCrossings, FindAllRandomPairsThatMeetHalfway) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  const auto vector = [&] { return Vector3d(normal(random), normal(random), normal(random)); };
  for (int k = 0; k < 300; ++k) {
    const Vector3d a = 0.1 * vector().normalized(), b = 0.1 * vector().normalized(), way = 0.05 * vector();
    if (a.cross(b).norm() < 1e-3 || std::abs(way.dot(a.cross(b).normalized())) < 0.01) continue;
    CollisionScene scene;
    add_line(scene, -a - way, a - way);
    add_line(scene, -b, b);
    const auto found = strand_crossings(scene, moved(scene, 0, 2 * way));
    ASSERT_EQ(found.size(), 1u) << k;
    EXPECT_GT(found[0].frame.col(0).dot(-way), 0) << k;
  }
}

TEST(StrandSolidCrossings, SeeAPlateThatIsThinnerThanTheWay) {
  const Solid plate = Solid::box({0.1, 0.1, 5e-4});
  CollisionScene scene;
  add_line(scene, {-0.01, 0, 0.03}, {0.01, 0, 0.03});
  const std::vector<MovingSolid> solids{moving(plate, {}, {})};
  const auto found = strand_solid_crossings(scene, moved(scene, 0, {0, 0, -0.06}), solids, 1);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].b.obstacle, 0);
  EXPECT_NEAR((found[0].frame.col(0) - Vector3d::UnitZ()).norm(), 0, 1e-9);
  EXPECT_NEAR(found[0].gap, 0.03 - 5e-4 - radius, 1e-9);
}

TEST(StrandSolidCrossings, SeeABallThatFliesThroughAStrand) {
  const Solid ball = Solid::sphere(0.004);
  CollisionScene scene;
  add_line(scene, {-0.1, 0, 0}, {0.1, 0, 0});
  const Frame from{{0.03, 0.05, 0}, Matrix3d::Identity()}, to{{0.03, -0.05, 0}, Matrix3d::Identity()};
  const std::vector<MovingSolid> solids{moving(ball, from, to)};
  const auto found = strand_solid_crossings(scene, scene.x, solids, 0);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].b.rigid, 0);
  EXPECT_NEAR(found[0].a.s, 0.13,
              4e-4);  // the lowest place is flat: 2e-5 m in height, 0.4 mm along it
  EXPECT_NEAR(found[0].gap, 0.05 - 0.004 - radius, 1e-4);
}

TEST(StrandSolidCrossings, SeeAPaddleThatTurnsThroughAStrand) {
  const Solid paddle = Solid::box({0.1, 5e-4, 0.01});
  CollisionScene scene;
  add_line(scene, {0.05, 0.02, -0.02}, {0.05, 0.02, 0.02});
  const Frame from{}, to{Vector3d::Zero(), Eigen::AngleAxisd(1, Vector3d::UnitZ()).toRotationMatrix()};
  const std::vector<MovingSolid> solids{moving(paddle, from, to)};
  const auto found = strand_solid_crossings(scene, scene.x, solids, 1);
  ASSERT_FALSE(found.empty());
}

TEST(StrandSolidCrossings, WhatLiesOnTheGroundDoesNotCross) {
  const Solid ground = Solid::half_space();
  CollisionScene scene;
  add_line(scene, {-0.1, 0, radius}, {0.1, 0, radius});
  const std::vector<MovingSolid> solids{moving(ground, {}, {})};
  EXPECT_TRUE(strand_solid_crossings(scene, moved(scene, 0, {0.05, 0.02, 0}), solids, 1).empty());
}

TEST(RigidCrossings, SeeAPlateThatJumpsThroughAnother) {
  const Solid plate = Solid::box({0.05, 0.05, 1e-3});
  const Frame low{}, high{{0, 0, 0.02}, Matrix3d::Identity()}, below{{0, 0, -0.02}, Matrix3d::Identity()};
  const std::vector<MovingSolid> solids{moving(plate, low, low), moving(plate, high, below)};
  const auto found = rigid_crossings(solids, 0);
  ASSERT_FALSE(found.empty());
  for (const Contact& contact : found) {
    EXPECT_GT(std::abs(contact.frame(2, 0)), 0.999);
    EXPECT_NEAR(contact.gap, 0.018, 1e-9);
  }
}

TEST(RigidCrossings, RestingBodiesHaveNone) {
  const Solid box = Solid::box({0.05, 0.05, 0.05}), ground = Solid::half_space();
  const Frame at{{0, 0, 0.05}, Matrix3d::Identity()};
  const std::vector<MovingSolid> solids{moving(ground, {}, {}), moving(box, at, at)};
  EXPECT_TRUE(rigid_crossings(solids, 1).empty());
}

SoftSurface square(double size) {
  Eigen::Matrix3Xd x(3, 4);
  x << 0, size, size, 0, 0, 0, size, size, 0, 0, 0, 0;
  x.row(0).array() -= size / 2;
  x.row(1).array() -= size / 2;
  return make_soft_surface({{0, 1, 2}, {0, 2, 3}}, x, radius, false);
}

TEST(SoftSolidCrossings, SeeABallThatFliesThroughTheMiddleOfATriangle) {
  const std::vector<SoftSurface> cloth{square(0.2)};
  const Solid ball = Solid::sphere(0.005);
  const Frame from{{0.02, -0.05, 0.03}, Matrix3d::Identity()}, to{{0.02, -0.05, -0.03}, Matrix3d::Identity()};
  const std::vector<MovingSolid> solids{moving(ball, from, to)};
  const std::vector<Eigen::Matrix3Xd> still{Eigen::Matrix3Xd::Zero(3, 4)};
  const auto found = soft_solid_crossings(cloth, still, solids, 0);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].frame(2, 0), -1, 1e-6);  // the cloth is below the ball
  EXPECT_NEAR((found[0].point_a - Vector3d(0.02, -0.05, 0)).norm(), 0, 4e-4);
}

TEST(StrandSoftCrossings, SeeAStrandThatFallsThroughCloth) {
  const std::vector<SoftSurface> cloth{square(0.2)};
  CollisionScene scene;
  add_line(scene, {-0.3, 0.02, 0.02}, {0.3, 0.02, 0.02});  // its ends miss the cloth: edges meet
  add_line(scene, {-0.01, 0.02, 0.06}, {0.01, 0.02, 0.06});
  const std::vector<Eigen::Matrix3Xd> still{Eigen::Matrix3Xd::Zero(3, 4)};
  std::vector<Vector3d> end = scene.x;
  for (Vector3d& x : end) x.z() -= 0.1;
  const auto found = strand_soft_crossings(scene, end, cloth, still);
  for (const int strand : {0, 1})
    EXPECT_TRUE(std::any_of(found.begin(), found.end(), [&](const Contact& contact) {
      return contact.a.strand == strand && contact.frame(2, 0) > 0.999;
    })) << strand;
}

}  // namespace
}  // namespace capstan
