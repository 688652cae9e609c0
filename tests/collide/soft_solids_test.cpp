#include <cmath>
#include <memory>

#include "capstan/collide/bust.hpp"
#include "capstan/errors.hpp"
#include "capstan/parallel/tbb_executor.hpp"
#include "collide/soft_support.hpp"

namespace capstan::test {
namespace {

PlacedObstacle placed(std::shared_ptr<const Shape> shape, const Frame& pose = {}) {
  return {std::move(shape), pose, {}, 0.01};
}

PlacedObstacle floor_below() { return placed(std::make_shared<HalfSpace>()); }

PlacedObstacle ball(double radius, const Vector3d& centre) {
  return placed(std::make_shared<RoundedRod>(radius), {centre, Eigen::Matrix3d::Identity()});
}

std::vector<Contact> contacts_of(const SoftSurface& one, const PlacedObstacle& solid) {
  return detect_soft_with_solids(Surfaces{one}, std::span(&solid, 1), 1);
}

/// Distance and direction are those of the solid. Inside it there may be two that are equally near.
void expect_sound_on_solid(const SoftSurface& s, const PlacedObstacle& solid, const Contact& c) {
  expect_sound_side(s, c.a, c.point_a);
  const SurfacePoint at = solid.shape->closest(solid.pose.apply_inverse(c.point_a));
  EXPECT_NEAR(c.gap, at.distance - s.radius, 1e-9);
  EXPECT_LT((c.point_a - c.point_b - (c.gap + s.radius) * c.frame.col(0)).norm(), 1e-12);
  EXPECT_NEAR(c.frame.determinant(), 1, 1e-9);
  if (at.distance > 1e-3) {
    EXPECT_LT((solid.pose.R * at.n - c.frame.col(0)).norm(), 0.05);
  }
}

// Cloth on a plane, flat or slanted: its nodes, and what they stand for is all of it.
TEST(SoftSolidContacts, HoldFlatClothOnAPlaneAtItsNodes) {
  const SoftSurface flat = shifted(sheet(5, 0.1, 0.002, 0.001), {0, 0, 0.0025});
  const Eigen::Matrix3d slanted = Eigen::AngleAxisd(0.4, Vector3d(1, 2, 0).normalized()).toRotationMatrix();
  for (const Frame& pose : {Frame(), Frame{{1, 2, 3}, slanted}}) {
    const SoftSurface cloth = moved(flat, [&](const Vector3d& x) { return pose.apply(x); });
    const PlacedObstacle plane = placed(std::make_shared<HalfSpace>(), pose);
    const std::vector<Contact> contacts = contacts_of(cloth, plane);
    ASSERT_EQ(contacts.size(), cloth.vertices.size());
    double area = 0;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const Contact& c = contacts[i];
      expect_sound_on_solid(cloth, plane, c);
      EXPECT_EQ(c.a.soft, 0);
      EXPECT_EQ(c.a.node, (std::array{int(i), -1, -1}));
      EXPECT_EQ(c.b.obstacle, 0);
      EXPECT_EQ(c.b.rigid, -1);
      EXPECT_NEAR(c.gap, 0.0005, 1e-12);
      area += c.area;
    }
    EXPECT_NEAR(area, 0.25, 1e-12);
  }
}

// A sheet that stands on edge or leans on the plane: its lowest nodes, nothing between them.
TEST(SoftSolidContacts, HoldLeaningClothAtItsLowestNodes) {
  const SoftSurface leaning = moved(sheet(4, 0.1, 0.002, 0.001), [](const Vector3d& x) {
    return Vector3d(0.8 * x.x(), x.y(), 0.6 * x.x() + 0.0025);
  });
  EXPECT_EQ(contacts_of(leaning, floor_below()).size(), 5u);
}

// A ball of a fifth of an edge under a triangle, an edge or a node: the foot of its centre, exactly.
TEST(SoftSolidContacts, FindABallBetweenTheNodes) {
  const SoftSurface coarse = sheet(2, 1, 0.01, 0.05);
  struct Case {
    Vector3d foot;
    int nodes;
  };
  for (const Case& at : {Case{{0.6, 0.3, 0}, 3}, Case{{1.2, 1.7, 0}, 3}, Case{{0.4, 1, 0}, 2},
                         Case{{0.5, 0.5, 0}, 2}, Case{{1, 1, 0}, 1}}) {
    for (const double gap : {0.03, -0.02}) {
      const PlacedObstacle under = ball(0.2, at.foot - Vector3d(0, 0, 0.2 + 0.01 + gap));
      const std::vector<Contact> contacts = contacts_of(coarse, under);
      ASSERT_EQ(contacts.size(), 1u) << at.foot.transpose() << " " << gap;
      const Contact& c = contacts[0];
      expect_sound_on_solid(coarse, under, c);
      EXPECT_EQ(nodes_in(c.a), at.nodes);
      EXPECT_NEAR(c.gap, gap, 1.5e-5);                // 1e-5 of the longest edge, 1.41
      EXPECT_LT((c.point_a - at.foot).norm(), 5e-3);  // sqrt(2 1.4e-5 0.2)
      EXPECT_LT((c.frame.col(0) - Vector3d::UnitZ()).norm(), 0.03);
    }
  }
}

// The corner of a box, pointing up, under the middle of a large triangle; the edge of a box under two.
TEST(SoftSolidContacts, FindTheCornerAndTheEdgeOfABox) {
  const SoftSurface large = triangle({-3, -2, 0}, {3, -2, 0}, {0, 4, 0}, 0.01, 0.05);
  const Eigen::Matrix3d on_corner =
      Eigen::Quaterniond::FromTwoVectors(Vector3d::Ones(), Vector3d::UnitZ()).toRotationMatrix();
  const auto box = std::make_shared<Box>(Vector3d(0.1, 0.1, 0.1));
  for (const double gap : {0.03, -0.02}) {
    const Vector3d foot(0.2, 0.1, 0);
    const PlacedObstacle corner =
        placed(box, {foot - Vector3d(0, 0, 0.1 * std::sqrt(3.0) + 0.01 + gap), on_corner});
    const std::vector<Contact> contacts = contacts_of(large, corner);
    ASSERT_EQ(contacts.size(), 1u);
    expect_sound_on_solid(large, corner, contacts[0]);
    EXPECT_EQ(nodes_in(contacts[0].a), 3);
    // Inside, the signed distance of the foot is that of the nearest face: 1/sqrt(3) of the depth.
    const double deep = gap + 0.01;
    EXPECT_NEAR(contacts[0].gap + 0.01, deep > 0 ? deep : deep / std::sqrt(3.0), 6.5e-5);
    EXPECT_LT((contacts[0].point_a - foot).norm(), 0.01);
    EXPECT_GT(contacts[0].frame(2, 0), 0.99);  // not that of a face
  }
  // An edge along y, level, under the middle of two squares: each triangle's edges cross it at three places.
  const Eigen::Matrix3d on_edge = Eigen::AngleAxisd(std::atan(1.0), Vector3d::UnitY()).toRotationMatrix();
  const PlacedObstacle edge = placed(box, {Vector3d(0.3, 0.5, -0.1 * std::sqrt(2.0) - 0.01 - 0.03), on_edge});
  for (const Contact& c : contacts_of(sheet(1, 1, 0.01, 0.05), edge)) {
    EXPECT_NEAR(c.gap, 0.03, 1.5e-5);
    EXPECT_NEAR(c.point_a.x(), 0.3, 5e-3);
  }
}

/// The least distance of a grid of points of all triangles.
double sampled_gap(const SoftSurface& s, const PlacedObstacle& solid, int n) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& [a, b, c] : s.triangles)
    for (int i = 0; i <= n; ++i)
      for (int j = 0; i + j <= n; ++j) {
        const Vector3d x = s.x.col(a) + double(i) / n * (s.x.col(b) - s.x.col(a)) +
                           double(j) / n * (s.x.col(c) - s.x.col(a));
        least = std::min(least, solid.shape->closest(solid.pose.apply_inverse(x)).distance);
      }
  return least - s.radius;
}

// Random shaken sheets on random convex solids: no sampled point is deeper than the deepest contact by more
// than the gain that a place must have, and no contact is deeper than the samples by more than their spacing.
TEST(SoftSolidContacts, HaveTheDeepestPlaceOnConvexSolids) {
  Random random(1);
  const std::vector<std::shared_ptr<const Shape>> shapes = {
      std::make_shared<RoundedRod>(0.15), std::make_shared<RoundedRod>(0.1, 0.4),
      std::make_shared<Box>(Vector3d(0.1, 0.2, 0.3)), std::make_shared<Cylinder>(0.2, 0.1)};
  int touching = 0;
  for (int i = 0; i < 200; ++i) {
    const SoftSurface cloth = shaken(sheet(3, 0.4, 0.01, 0.05), random, 0.1);
    const PlacedObstacle solid =
        placed(shapes[i % 4], {random_point(random, 0.3) + Vector3d(0.6, 0.6, 0), random_rotation(random)});
    const double sampled = sampled_gap(cloth, solid, 40);
    const std::vector<Contact> contacts = contacts_of(cloth, solid);
    for (const Contact& c : contacts) expect_sound_on_solid(cloth, solid, c);
    if (contacts.empty()) {
      EXPECT_GT(sampled, 0.05 - 1e-3);
      continue;
    }
    ++touching;
    EXPECT_LE(deepest(contacts).gap, sampled + 1e-3 * 0.9) << i;
    EXPECT_GE(deepest(contacts).gap, sampled - 0.02) << i;
  }
  EXPECT_GT(touching, 100);
}

// The same on a head of 3,000 triangles. It is not convex: pieces of a quarter of an edge are searched.
TEST(SoftSolidContacts, HaveTheDeepestPlaceOnAHead) {
  Random random(2);
  const auto head = std::make_shared<TriangleMesh>(bust(BustPart::head));
  int touching = 0, between_nodes = 0;
  for (int i = 0; i < 30; ++i) {
    const Vector3d out = random_point(random).normalized();
    const SurfacePoint skin = exit_point(*head, bust_head_centre(), out);
    const Eigen::Matrix3d upright =
        Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), skin.n).toRotationMatrix();
    const SoftSurface cloth =
        moved(shaken(sheet(4, 0.02, 0.001, 0.002), random, 0.002), [&](const Vector3d& x) {
          return Vector3d(skin.x + upright * (x - Vector3d(0.04, 0.04, random.uniform(-1e-3, 1e-3))));
        });
    const PlacedObstacle solid = placed(head);
    const double sampled = sampled_gap(cloth, solid, 16);
    const std::vector<Contact> contacts = contacts_of(cloth, solid);
    for (const Contact& c : contacts) {
      expect_sound_on_solid(cloth, solid, c);
      between_nodes += nodes_in(c.a) > 1;
    }
    if (contacts.empty()) {
      EXPECT_GT(sampled, 0.002 - 1e-4);
      continue;
    }
    ++touching;
    EXPECT_LE(deepest(contacts).gap, sampled + 1e-4) << i;
  }
  EXPECT_GT(touching, 20);
  EXPECT_GT(between_nodes, 100);
}

// A spike of a mesh, thinner than the triangle that it stands under.
TEST(SoftSolidContacts, FindASpikeOfAMesh) {
  const TriangleSoup spike{{{0, 0, 0}, {0.3, 0, -1}, {-0.3, 0.3, -1}, {-0.3, -0.3, -1}},
                           {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}}};
  const SoftSurface large = triangle({-1, -1, 0.03}, {1, -1, 0.03}, {0, 1, 0.03}, 0.01, 0.05);
  const std::vector<Contact> contacts = contacts_of(large, placed(std::make_shared<TriangleMesh>(spike)));
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_NEAR(contacts[0].gap, 0.02, 2.3e-5);
  EXPECT_LT(contacts[0].point_b.norm(), 1e-3);
}

// Rises at 1 m/s for 10 ms: what is 9 mm above will be reached.
TEST(SoftSolidContacts, SeeASurfaceThatComesCloser) {
  for (const double speed : {1.0, -1.0}) {
    PlacedObstacle rising = floor_below();
    rising.twist.linear = {0.5, 0, speed};
    const SoftSurface cloth = shifted(sheet(2, 0.1, 0.002, 0), {0, 0, 0.011});
    const std::vector<Contact> contacts = contacts_of(cloth, rising);
    ASSERT_EQ(contacts.size(), speed > 0 ? 9u : 0u);
    for (const Contact& c : contacts) EXPECT_EQ(c.velocity_b, rising.twist.linear);
  }
}

// Omega about z through the centre of a drum: omega r at its side.
TEST(SoftSolidContacts, CarryTheVelocityOfTheSurface) {
  PlacedObstacle drum = placed(std::make_shared<Cylinder>(0.5, 1), {{1, 2, 0}, Eigen::Matrix3d::Identity()});
  drum.twist.angular = {0, 0, 3};
  const SoftSurface cloth = triangle({1.5105, 2, -0.1}, {1.5105, 2.001, 0.1}, {1.6, 2, 0}, 0.01, 0.001);
  const std::vector<Contact> contacts = contacts_of(cloth, drum);
  ASSERT_EQ(contacts.size(), 2u);
  for (const Contact& c : contacts) {
    EXPECT_NEAR(c.velocity_b.norm(), 1.5, 1e-12);
    EXPECT_NEAR(c.velocity_b.y(), 1.5, 1e-3);
  }
}

// The solids after the obstacles are rigid bodies: the place in their own frame, and no velocity, since they
// have their own.
TEST(SoftSolidContacts, KnowRigidBodiesFromObstacles) {
  Random random(3);
  PlacedObstacle box =
      placed(std::make_shared<Box>(Vector3d(0.2, 0.2, 0.1)), {{0.3, 0.3, -0.1}, Eigen::Matrix3d::Identity()});
  box.pose.R = Eigen::AngleAxisd(0.3, Vector3d::UnitZ()).toRotationMatrix();
  box.twist.linear = {0, 0, 0.01};
  const std::vector<PlacedObstacle> solids = {floor_below(), box, box};
  const Surfaces one = {shifted(sheet(4, 0.1, 0.01, 0.01), {0.1, 0.1, 0.015})};
  int obstacles = 0, rigid = 0;
  for (const Contact& c : detect_soft_with_solids(one, solids, 2)) {
    if (c.b.obstacle >= 0) {
      EXPECT_EQ(c.b.rigid, -1);
      obstacles += c.b.obstacle == 1;
      EXPECT_EQ(c.velocity_b.z(), c.b.obstacle == 1 ? 0.01 : 0.0);
      continue;
    }
    ++rigid;
    EXPECT_EQ(c.b.rigid, 0);
    EXPECT_EQ(c.velocity_b, Vector3d(0, 0, 0));
    EXPECT_LT((box.pose.apply(c.b.local) - c.point_b).norm(), 1e-12);
  }
  EXPECT_EQ(obstacles, rigid);
  EXPECT_GT(rigid, 10);
}

TEST(SoftSolidContacts, TurnWithTheWorld) {
  Random random(4);
  const SoftSurface before = shaken(sheet(5, 0.1, 0.01, 0.02), random, 0.02);
  const Frame pose{random_point(random, 5), random_rotation(random)};
  const SoftSurface after = moved(before, [&](const Vector3d& x) { return pose.apply(x); });
  const PlacedObstacle drum = placed(std::make_shared<Cylinder>(0.2, 0.2),
                                     {{0.25, 0.25, -0.18}, Eigen::Matrix3d::Identity()}),
                       turned = placed(drum.shape, {pose.apply({0.25, 0.25, -0.18}), pose.R});
  const std::vector<Contact> one = contacts_of(before, drum), two = contacts_of(after, turned);
  ASSERT_GT(one.size(), 10u);
  ASSERT_EQ(one.size(), two.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].a.node, two[i].a.node);
    EXPECT_NEAR(one[i].gap, two[i].gap, 1e-9);
    EXPECT_LT((pose.R * one[i].frame - two[i].frame).norm(), 1e-4);
  }
}

TEST(SoftSolidContacts, DoNotDependOnTheThreads) {
  Random random(5);
  const Surfaces two = {shaken(sheet(20, 0.05, 0.01, 0.02), random, 0.02),
                        shaken(sheet(10, 0.1, 0.01, 0.02), random, 0.02)};
  const std::vector<PlacedObstacle> solids = {floor_below(), ball(0.3, {0.5, 0.5, -0.28}),
                                              ball(0.03, {0.2, 0.7, 0})};
  const std::vector<Contact> one = detect_soft_with_solids(two, solids, 1);
  ASSERT_GT(one.size(), 500u);
  expect_equal(one, detect_soft_with_solids(two, solids, 1, TbbExecutor(3)));
}

TEST(SoftSolidContacts, RefuseASolidWithoutShape) {
  EXPECT_THROW(detect_soft_with_solids(Surfaces{}, std::vector<PlacedObstacle>(1), 1), InputError);
}

}  // namespace
}  // namespace capstan::test
