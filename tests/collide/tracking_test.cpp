#include "capstan/collide/tracking.hpp"

#include "capstan/collide/detect.hpp"
#include "capstan/errors.hpp"
#include "collide/support.hpp"

namespace capstan::test {
namespace {

constexpr StrandCollision kThinCrossing{.radius = 0.01, .margin = 0.005};

/// One strand along x, another along y above or below it, crossing at (x, y).
CollisionScene crossing(double x, double height) {
  CollisionScene scene;
  add_polyline(scene, kThinCrossing, straight({-1, 0, 0}, {1, 0, 0}, 8));
  add_polyline(scene, kThinCrossing, straight({x, -1, height}, {x, 1, height}, 8));
  return scene;
}

// The upper strand slides over the joint at x = 0.
TEST(Tracking, CarriesTheImpulseAcrossAJoint) {
  const std::vector<Contact> before = detect(crossing(-0.03, 0.02));
  const CollisionScene scene = crossing(0.02, 0.02);
  std::vector<Contact> now = detect(scene);
  ASSERT_EQ(before.size(), 1u);
  ASSERT_EQ(now.size(), 1u);
  EXPECT_EQ(track(now, before, scene), std::vector<int>{0});
  const std::vector<Vector3d> world = {before[0].frame * Vector3d(3, 1, -2)};
  const std::vector<Vector3d> guess = transfer_impulses(now, std::vector{0}, world, 0.5);
  EXPECT_LT((guess[0] - 0.5 * Vector3d(3, 1, -2)).norm(), 1e-12);
}

// The whole scene turns by a random rotation between the steps, and only the world knows.
TEST(Tracking, KeepsTheImpulseInTheWorld) {
  const std::vector<Contact> before = detect(crossing(-0.03, 0.02));
  CollisionScene scene = crossing(-0.03, 0.02);
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(0.5, Vector3d(1, 2, 2) / 3).toRotationMatrix();
  for (Vector3d& x : scene.x) x = turn * x;
  std::vector<Contact> now = detect(scene);
  ASSERT_EQ(track(now, before, scene), std::vector<int>{0});
  const Vector3d world(0.1, 0.2, 0.3);
  EXPECT_LT((now[0].frame * transfer_impulses(now, std::vector{0}, std::vector{world})[0] - world).norm(),
            1e-12);
}

TEST(Tracking, ForgetsWhatHasMovedTooFarOrTurned) {
  const std::vector<Contact> before = detect(crossing(-0.3, 0.02));
  const CollisionScene far = crossing(0.3, 0.02);  // by more than a capsule, 0.25
  std::vector<Contact> now = detect(far);
  EXPECT_EQ(track(now, before, far), std::vector<int>{-1});
  EXPECT_EQ(transfer_impulses(now, std::vector{-1}, {})[0], Vector3d(Vector3d::Zero()));
  CollisionScene turned = crossing(-0.3, 0.02);
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(1.2, Vector3d::UnitX()).toRotationMatrix();
  for (Vector3d& x : turned.x) x = turn * x;
  now = detect(turned);
  EXPECT_EQ(track(now, before, turned), std::vector<int>{-1});
}

// The upper strand is found below: it went through. It is pushed back up until it is above again.
TEST(Tracking, TurnsBackTheNormalOfWhatWentThrough) {
  std::vector<Contact> before = detect(crossing(0.1, 0.015));
  for (const double height : {-0.004, -0.018, -0.001, 0.003}) {
    const CollisionScene scene = crossing(0.1, height);
    std::vector<Contact> now = detect(scene);
    ASSERT_EQ(now.size(), 1u);
    ASSERT_EQ(track(now, before, scene), std::vector<int>{0});
    EXPECT_NEAR(now[0].frame(2, 0), -1, 1e-12);     // A is below B, as before
    EXPECT_NEAR(now[0].gap, height - 0.02, 1e-12);  // signed: rises through the centreline to touching
    EXPECT_NEAR(now[0].frame(0, 1), 1, 1e-12);      // still along the fibre
    EXPECT_NEAR(now[0].frame.determinant(), 1, 1e-12);
    before = now;
  }
}

/// A strand along x, and one that comes back: over it at this height, and under it.
CollisionScene hook(double over, double under) {
  CollisionScene scene;
  add_polyline(scene, kThinCrossing, straight({-1, 0, 0}, {1, 0, 0}, 8));
  add_polyline(scene, kThinCrossing,
               {{-0.05, -1, over}, {-0.05, 0.1, over}, {0.05, 0.1, -under}, {0.05, -1, -under}});
  return scene;
}

// Contact is lost above and found below, close by: these are two places, and nothing went through.
TEST(Tracking, DoesNotTurnAnotherContactOfTheSameStrands) {
  const std::vector<Contact> before = detect(hook(0.02, 0.1));
  const CollisionScene scene = hook(0.1, 0.02);
  std::vector<Contact> now = detect(scene);
  ASSERT_EQ(before.size(), 1u);
  ASSERT_EQ(now.size(), 1u);
  ASSERT_LT(before[0].frame.col(0).dot(now[0].frame.col(0)), -0.9);
  const double gap = now[0].gap;
  EXPECT_EQ(track(now, before, scene), std::vector<int>{-1});
  EXPECT_EQ(now[0].gap, gap);
}

TEST(Tracking, LeavesObstacleNormalsAlone) {
  CollisionScene scene;
  add_polyline(scene, kThinCrossing, straight({0, 0, 0.01}, {1, 0, 0.01}, 4));
  scene.obstacles.push_back(place({"floor", std::make_shared<HalfSpace>(), Motion()}, 0, 0.01));
  std::vector<Contact> before = detect(scene), now = before;
  EXPECT_EQ(track(now, before, scene), (std::vector<int>{0, 1, 2, 3, 4}));
  for (Contact& c : before) c.frame.col(0) *= -1;
  EXPECT_EQ(track(now, before, scene), std::vector<int>(5, -1));
  EXPECT_EQ(now[0].frame(2, 0), 1);
}

// Two old contacts, one new between them, nearer to the second: only that one is continued, and only once.
TEST(Tracking, GivesEachImpulseToOneContact) {
  const CollisionScene scene = crossing(0, 0.02);
  const Contact base = detect(scene)[0];
  const auto at = [&](double s) {
    Contact c = base;
    c.a.s = s;
    return c;
  };
  const std::vector<Contact> before = {at(1.0), at(1.1)};
  std::vector<Contact> now = {at(1.07)};
  EXPECT_EQ(track(now, before, scene), std::vector<int>{1});
  now = {at(1.09), at(1.12), at(1.05)};  // the nearest takes 1.1, the next nearest of the others takes 1.0
  EXPECT_EQ(track(now, before, scene), (std::vector<int>{1, -1, 0}));
}

TEST(Tracking, FollowsThousandsOfContactsThroughASmallMotion) {
  CollisionScene scene = random_walks(21, 400, 12, 0.4, kThinCrossing);
  const std::vector<Contact> before = detect(scene);
  std::vector<Contact> same = before;
  std::vector<int> identity = track(same, before, scene);
  for (int i = 0; i < int(identity.size()); ++i) ASSERT_EQ(identity[i], i);
  Random random(22);
  for (Vector3d& x : scene.x) x += 1e-5 * random_point(random);
  std::vector<Contact> now = detect(scene);
  const std::vector<int> continued = track(now, before, scene);
  const long kept = std::count_if(continued.begin(), continued.end(), [](int i) { return i >= 0; });
  ASSERT_GT(before.size(), 500u);
  EXPECT_GT(kept, 0.97 * double(before.size()));
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (continued[i] < 0) continue;
    EXPECT_EQ(now[i].a.strand, before[continued[i]].a.strand);
    EXPECT_EQ(now[i].b.strand, before[continued[i]].b.strand);
  }
}

TEST(Tracking, RefusesListsThatDoNotFit) {
  const std::vector<Contact> now = detect(crossing(0, 0.02));
  EXPECT_THROW(transfer_impulses(now, {}, {}), InputError);
  EXPECT_THROW(transfer_impulses(now, std::vector{0}, {}), InputError);
}

}  // namespace
}  // namespace capstan::test
