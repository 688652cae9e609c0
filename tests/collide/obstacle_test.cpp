#include "capstan/collide/obstacle.hpp"

#include <cmath>
#include <numbers>

#include "capstan/collide/detect.hpp"
#include "capstan/errors.hpp"
#include "capstan/parallel/tbb_executor.hpp"
#include "collide/support.hpp"

namespace capstan::test {
namespace {

constexpr StrandCollision kThinStrand{.radius = 0.01, .margin = 0.001};

/// What every signed distance obeys: x is on the surface at that distance along n, n is the gradient, and the
/// cheap bound is one.
void expect_distance(const Shape& shape, std::uint64_t seed) {
  Random random(seed);
  int inside = 0;
  for (int i = 0; i < 400; ++i) {
    const Vector3d p = random_point(random, 1.5);
    const SurfacePoint at = shape.closest(p);
    inside += at.distance < 0;
    EXPECT_LE(shape.distance_at_least(p), at.distance + 1e-12);
    EXPECT_NEAR(at.n.norm(), 1, 1e-12);
    EXPECT_LT((at.x + at.distance * at.n - p).norm(), 1e-12);
    EXPECT_NEAR(shape.closest(at.x).distance, 0, 1e-12);
    const double h = 1e-6;
    Vector3d gradient;
    for (int axis = 0; axis < 3; ++axis)
      gradient[axis] = (shape.closest(p + h * Vector3d::Unit(axis)).distance -
                        shape.closest(p - h * Vector3d::Unit(axis)).distance) /
                       (2 * h);
    const bool ridge = gradient.norm() < 0.999;
    EXPECT_TRUE(ridge || (gradient - at.n).norm() < 1e-4);
  }
  EXPECT_GT(inside, 20);
}

TEST(Shape, DistancesHaveTheNormalAsGradient) {
  expect_distance(HalfSpace(), 1);
  expect_distance(RoundedRod(1), 2);
  expect_distance(RoundedRod(0.7, 0.8), 3);
  expect_distance(Box({0.5, 0.9, 1.2}), 4);
  expect_distance(Cylinder(0.8, 0.6), 5);
}

TEST(Shape, DistancesAreThoseOfGeometry) {
  EXPECT_DOUBLE_EQ(HalfSpace().closest({3, 4, -2}).distance, -2);
  EXPECT_DOUBLE_EQ(RoundedRod(2).closest({3, 0, 4}).distance, 3);
  EXPECT_DOUBLE_EQ(RoundedRod(1, 2).closest({3, 0, 1}).distance, 2);
  EXPECT_DOUBLE_EQ(RoundedRod(1, 2).closest({0, 0, 4}).distance, 1);
  EXPECT_DOUBLE_EQ(Box({1, 2, 3}).closest({4, 6, 0}).distance, 5);          // off an edge: 3, 4
  EXPECT_DOUBLE_EQ(Box({1, 2, 3}).closest({0.25, 1.5, 0}).distance, -0.5);  // nearest face y
  EXPECT_DOUBLE_EQ(Cylinder(1, 2).closest({0, 4, 6}).distance, 5);          // off the rim: 3, 4
  EXPECT_DOUBLE_EQ(Cylinder(1, 2).closest({0.5, 0, 1.75}).distance, -0.25);
  EXPECT_DOUBLE_EQ(Cylinder(1, 2).closest({0.75, 0, 0}).distance, -0.25);
}

TEST(Shape, HasANormalOnItsAxesAndOnItself) {
  EXPECT_NEAR(RoundedRod(1).closest({0, 0, 0}).n.norm(), 1, 1e-15);
  EXPECT_NEAR(Cylinder(1, 2).closest({0, 0, 0}).n.norm(), 1, 1e-15);
  EXPECT_EQ(Box({1, 1, 1}).closest({1, 0, 0}).n, Vector3d(Vector3d::UnitX()));
  EXPECT_EQ(Cylinder(1, 1).closest({0, 1, 0}).n, Vector3d(Vector3d::UnitY()));
  EXPECT_EQ(Cylinder(1, 1).closest({0, 0.5, -1}).n, Vector3d(-Vector3d::UnitZ()));
}

// One unit of rounding off the surface there is still a direction.
TEST(Shape, HasTheRightNormalJustOffItself) {
  Random random(8);
  for (int i = 0; i < 200; ++i) {
    const double phi = random.uniform(0, 6), out = std::nextafter(1.3, i % 2 ? 2 : 0);
    const Vector3d sideways(std::cos(phi), std::sin(phi), 0);
    EXPECT_LT((Cylinder(1.3, 2).closest(out * sideways).n - sideways).norm(), 1e-12);
    EXPECT_LT((RoundedRod(1.3, 2).closest(out * sideways).n - sideways).norm(), 1e-12);
    EXPECT_EQ(Box({1.3, 2, 2}).closest({out, 0.1, 0}).n, Vector3d(Vector3d::UnitX()));
  }
}

TEST(Shape, RefusesSizesThatAreNotPositive) {
  EXPECT_THROW(RoundedRod(0), InputError);
  EXPECT_THROW(RoundedRod(1, -1), InputError);
  EXPECT_THROW(Box({1, 0, 1}), InputError);
  EXPECT_THROW(Cylinder(1, -1), InputError);
  EXPECT_THROW(Cylinder(std::nan(""), 1), InputError);
}

CollisionScene on(std::shared_ptr<const Shape> shape, const std::vector<Vector3d>& nodes,
                  const StrandCollision& how = kThinStrand) {
  CollisionScene scene;
  add_polyline(scene, how, nodes);
  scene.obstacles.push_back(place({"it", std::move(shape), Motion()}, 0, 0.01));
  return scene;
}

TEST(ObstacleContacts, HoldARodOnAPlaneAtEveryNode) {
  const CollisionScene scene =
      on(std::make_shared<HalfSpace>(), straight({0, 0, 0.0101}, {1, 0, 0.0101}, 10));
  const std::vector<Contact> contacts = detect(scene);
  ASSERT_EQ(contacts.size(), 11u);
  for (int i = 0; i <= 10; ++i) {
    EXPECT_NEAR(contacts[i].a.s, 0.1 * i, 1e-12);
    EXPECT_NEAR(contacts[i].gap, 0.0001, 1e-12);
    EXPECT_EQ(contacts[i].b.obstacle, 0);
    EXPECT_EQ(contacts[i].b.strand, -1);
    EXPECT_LT((contacts[i].frame.col(0) - Vector3d::UnitZ()).norm(), 1e-12);
    EXPECT_LT((contacts[i].frame.col(1) - Vector3d::UnitX()).norm(), 1e-12);
    EXPECT_NEAR(contacts[i].point_b.z(), 0, 1e-12);
  }
}

// A line that passes a sphere of radius 1 at height h: closest at its middle, wherever the joints are.
TEST(ObstacleContacts, AreFoundBetweenNodes) {
  Random random(6);
  for (int i = 0; i < 100; ++i) {
    const double x = random.uniform(-0.2, 0.2), h = 1 + random.uniform(0.005, 0.0109);
    const CollisionScene scene =
        on(std::make_shared<RoundedRod>(1), straight({x - 3, 0, h}, {x + 3, 0, h}, 5));
    const std::vector<Contact> contacts = detect(scene);
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_NEAR(contacts[0].gap, h - 1.01, 1e-8);  // a millionth of the radius
    EXPECT_NEAR(contacts[0].a.s, 3 - x, 2e-4);     // sqrt(2 1e-8)
  }
}

TEST(ObstacleContacts, AreFoundOnTheEdgeOfABox) {
  // Across the edge x = y = 0.5 along (1, -1, 0), a little high.
  const Vector3d edge(0.5, 0.5, 0.1), out = Vector3d(1, 1, 0).normalized(), along = Vector3d(1, -1, 0);
  const CollisionScene scene =
      on(std::make_shared<Box>(Vector3d(0.5, 0.5, 0.5)),
         straight(edge + 0.0095 * out - 0.3 * along, edge + 0.0095 * out + 0.4 * along, 1));
  const std::vector<Contact> contacts = detect(scene);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_NEAR(contacts[0].gap, -0.0005, 1e-8);
  EXPECT_LT((contacts[0].point_b - edge).norm(), 1e-3);
}

// A joint on top of the sphere, or so near that it touches too.
TEST(ObstacleContacts, AreNotRepeatedAtJoints) {
  for (const double x : {0.0, 1e-9, 0.01, -0.02, 0.05}) {
    const CollisionScene scene =
        on(std::make_shared<RoundedRod>(1), straight({x - 3, 0, 1.008}, {x + 3, 0, 1.008}, 6));
    const std::vector<Contact> contacts = detect(scene);
    ASSERT_EQ(contacts.size(), 1u) << x;
    EXPECT_NEAR(contacts[0].a.s, 3 - x, 2e-4);
  }
}

// Nodes a sagitta above the sphere, capsules on it: one contact a capsule and the two ends.
TEST(ObstacleContacts, AreOneACapsuleOnARoundObstacle) {
  std::vector<Vector3d> arc;
  const double step = 0.1, height = 1.01 / std::cos(step / 2);
  for (int i = -5; i <= 5; ++i) arc.emplace_back(height * std::sin(step * i), 0, height * std::cos(step * i));
  StrandCollision wide = kThinStrand;
  wide.margin = 0.005;
  const std::vector<Contact> contacts = detect(on(std::make_shared<RoundedRod>(1), arc, wide));
  ASSERT_EQ(contacts.size(), 12u);
  for (const Contact& c : contacts) EXPECT_NEAR(c.gap, 0, 1.3e-3);
}

TEST(ObstacleContacts, PushOutWhatIsInside) {
  const CollisionScene scene =
      on(std::make_shared<Box>(Vector3d(1, 1, 1)), straight({0.2, 0, 0.9}, {0.4, 0, 0.9}, 2));
  for (const Contact& c : detect(scene)) {
    EXPECT_NEAR(c.gap, -0.11, 1e-12);
    EXPECT_GT(c.frame(2, 0), 0.99);
  }
  EXPECT_EQ(detect(scene).size(), 3u);
}

TEST(ObstacleContacts, MoveWithTheObstacle) {
  Random random(7);
  const Frame pose{random_point(random), random_rotation(random)};
  CollisionScene scene =
      on(std::make_shared<Cylinder>(0.5, 0.3), straight({-0.7, 0.1, 0.309}, {0.8, 0.2, 0.309}, 7));
  const std::vector<Contact> before = detect(scene);
  ASSERT_GE(before.size(), 4u);
  for (Vector3d& x : scene.x) x = pose.apply(x);
  scene.obstacles[0] = place({"it", scene.obstacles[0].shape, Motion(pose)}, 0, 0.01);
  const std::vector<Contact> after = detect(scene);
  ASSERT_EQ(after.size(), before.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_NEAR(after[i].gap, before[i].gap, 1e-12);
    EXPECT_LT((after[i].frame - pose.R * before[i].frame).norm(), 1e-9);
    EXPECT_LT((after[i].point_b - pose.apply(before[i].point_b)).norm(), 1e-9);
  }
}

// Omega about z through the origin: at (0.5, 0, z) the surface moves by omega 0.5 along y.
TEST(ObstacleContacts, CarryTheVelocityOfTheSurface) {
  const double omega = 2;
  const Motion turning(Frame(), {{0}, {.t = 1, .rotation = {0, 0, omega}}}, Motion::Interpolation::linear);
  CollisionScene scene;
  add_polyline(scene, kThinStrand, straight({0.51, 0, -0.1}, {0.51, 0, 0.1}, 1));
  scene.obstacles.push_back(place({"drum", std::make_shared<Cylinder>(0.5, 0.3), turning}, 0.5, 1e-3));
  const std::vector<Contact> contacts = detect(scene);
  ASSERT_EQ(contacts.size(), 2u);
  for (const Contact& c : contacts) EXPECT_LT((c.velocity_b - Vector3d(0, omega * 0.5, 0)).norm(), 1e-9);
}

// The floor rises at 1 m/s for 10 ms: what is 9 mm above will be reached, what it leaves will not.
TEST(ObstacleContacts, SeeASurfaceThatComesCloser) {
  for (const double speed : {1.0, -1.0}) {
    const Motion rising(Frame(), {{0}, {.t = 1, .x = {0, 0, speed}}}, Motion::Interpolation::linear);
    CollisionScene scene;
    add_polyline(scene, {.radius = 0.01}, straight({0, 0, 0.019}, {1, 0, 0.019}, 1));
    scene.obstacles.push_back(place({"floor", std::make_shared<HalfSpace>(), rising}, 0, 0.01));
    EXPECT_EQ(detect(scene).size(), speed > 0 ? 2u : 0u);
  }
}

TEST(ObstacleContacts, SkipTheRoot) {
  StrandCollision how = kThinStrand;
  how.skip_root = 0.25;
  EXPECT_EQ(detect(on(std::make_shared<HalfSpace>(), straight({0, 0, 0.01}, {1, 0, 0.01}, 10), how)).size(),
            8u);
}

TEST(ObstacleContacts, DoNotDependOnTheThreads) {
  CollisionScene scene = random_walks(13, 200, 10, 1, kThinStrand);
  scene.obstacles.push_back(
      place({"box", std::make_shared<Box>(Vector3d(0.3, 0.4, 0.5)), Motion()}, 0, 0.01));
  scene.obstacles.push_back(place({"ball", std::make_shared<RoundedRod>(0.6), Motion()}, 0, 0.01));
  const std::vector<Contact> one = detect_with_obstacles(scene),
                             two = detect_with_obstacles(scene, {}, TbbExecutor(2));
  ASSERT_GT(one.size(), 100u);
  ASSERT_EQ(one.size(), two.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].a.s, two[i].a.s);
    EXPECT_EQ(one[i].gap, two[i].gap);
    EXPECT_EQ(one[i].b.obstacle, two[i].b.obstacle);
  }
}

TEST(Obstacle, RefusesToBePlacedWithoutShapeOrTime) {
  EXPECT_THROW(place({"none", nullptr, Motion()}, 0, 0.01), InputError);
  EXPECT_THROW(place({"ball", std::make_shared<RoundedRod>(1), Motion()}, 0, 0), InputError);
}

}  // namespace
}  // namespace capstan::test
