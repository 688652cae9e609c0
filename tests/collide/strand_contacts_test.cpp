#include <cstring>
#include <limits>
#include <numbers>

#include "capstan/collide/detect.hpp"
#include "capstan/collide/near_pair.hpp"
#include "capstan/errors.hpp"
#include "capstan/parallel/tbb_executor.hpp"
#include "collide/support.hpp"

namespace capstan::test {
namespace {

constexpr StrandCollision kThinPair{.radius = 0.01, .margin = 0.002};

void expect_same_bits(const std::vector<Contact>& left, const std::vector<Contact>& right) {
  ASSERT_EQ(left.size(), right.size());
  for (std::size_t i = 0; i < left.size(); ++i) {
    EXPECT_EQ(left[i].a.strand, right[i].a.strand);
    EXPECT_EQ(left[i].b.strand, right[i].b.strand);
    EXPECT_EQ(left[i].a.s, right[i].a.s);
    EXPECT_EQ(left[i].b.s, right[i].b.s);
    EXPECT_EQ(left[i].frame, right[i].frame);
    EXPECT_EQ(left[i].gap, right[i].gap);
  }
}

/// The same narrow phase over all pairs of capsules.
std::vector<Contact> detect_by_trying_all(const CollisionScene& scene) {
  std::vector<Contact> contacts;
  const auto places_of = [&](int a, int b) {
    std::vector<NearPair> places;
    const CollisionStrand &ka = scene.strands[a], &kb = scene.strands[b];
    for (int i = ka.first_node; i < ka.first_node + ka.nodes - 1; ++i)
      for (int j = a == b ? i + 1 : kb.first_node; j < kb.first_node + kb.nodes - 1; ++j)
        if (may_touch(scene, a, i, b, j)) append_near(scene, a, i, b, j, places);
    return places;
  };
  for (int a = 0; a < int(scene.strands.size()); ++a)
    for (int b = a; b < int(scene.strands.size()); ++b)
      for (const NearPair& place : without_duplicates(scene, places_of(a, b), {}))
        contacts.push_back(make_contact(scene, place));
  return contacts;
}

TEST(StrandContacts, AreThoseOfAllPairsOfCapsules) {
  for (const double cube : {0.2, 0.5}) {
    const CollisionScene scene = random_walks(7, 60, 12, cube, kThinPair);
    const std::vector<Contact> expected = detect_by_trying_all(scene);
    EXPECT_GT(expected.size(), 10u);
    expect_same_bits(detect(scene), expected);
  }
}

TEST(StrandContacts, DoNotDependOnTheThreads) {
  const CollisionScene scene = random_walks(8, 600, 15, 0.6, kThinPair);
  const std::vector<Contact> one = detect(scene);
  EXPECT_GT(one.size(), 1000u);
  expect_same_bits(detect(scene, {}, TbbExecutor(2)), one);
}

TEST(StrandContacts, MoveWithTheScene) {
  const CollisionScene scene = random_walks(9, 100, 12, 0.4, kThinPair);
  Random random(10);
  const Frame move{10 * random_point(random), random_rotation(random)};
  CollisionScene moved = scene;
  for (Vector3d& x : moved.x) x = move.apply(x);
  const std::vector<Contact> before = detect(scene), after = detect(moved);
  ASSERT_GT(before.size(), 50u);
  ASSERT_EQ(after.size(), before.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_NEAR(after[i].gap, before[i].gap, 1e-12);
    EXPECT_NEAR(after[i].a.s, before[i].a.s, 1e-9);
    EXPECT_LT((after[i].frame - move.R * before[i].frame).norm(), 1e-9);
    EXPECT_LT((after[i].point_b - move.apply(before[i].point_b)).norm(), 1e-9);
  }
}

TEST(StrandContacts, HaveFramesAlongTheFibreOfA) {
  CollisionScene scene;
  add_polyline(scene, kThinPair, straight({-1, 0, 0}, {1, 0, 0}, 5));
  add_polyline(scene, kThinPair, straight({0.1, -1, -0.021}, {0.1, 1, -0.021}, 6));
  const std::vector<Contact> contacts = detect(scene);
  ASSERT_EQ(contacts.size(), 1u);
  const Contact& c = contacts[0];
  EXPECT_EQ(c.a.strand, 0);
  EXPECT_EQ(c.b.strand, 1);
  EXPECT_NEAR(c.a.s, 1.1, 1e-12);
  EXPECT_NEAR(c.b.s, 1.0, 1e-12);
  EXPECT_NEAR(c.gap, 0.001, 1e-12);
  Eigen::Matrix3d expected;
  expected.col(0) = Vector3d::UnitZ();  // from B up to A
  expected.col(1) = Vector3d::UnitX();  // fibre of A
  expected.col(2) = Vector3d::UnitY();
  EXPECT_LT((c.frame - expected).norm(), 1e-12);
  EXPECT_LT((c.point_a - Vector3d(0.1, 0, 0)).norm(), 1e-12);
  EXPECT_LT((c.point_b - Vector3d(0.1, 0, -0.021)).norm(), 1e-12);
}

TEST(StrandContacts, AreReportedUpToTheSumOfTheMargins) {
  for (const double gap : {0.0039, 0.0041}) {
    CollisionScene scene;
    add_polyline(scene, kThinPair, straight({-1, 0, 0}, {1, 0, 0}, 5));
    add_polyline(scene, kThinPair, straight({0.1, -1, 0.02 + gap}, {0.1, 1, 0.02 + gap}, 5));
    EXPECT_EQ(detect(scene).size(), gap < 0.004 ? 1u : 0u);
  }
}

// The joints of both strands meet in one point: four pairs of capsules see it.
TEST(StrandContacts, AreNotRepeatedAtJoints) {
  CollisionScene scene;
  add_polyline(scene, kThinPair, straight({-1, 0, 0}, {1, 0, 0}, 4));
  add_polyline(scene, kThinPair, straight({0, -1, 0.02}, {0, 1, 0.02}, 4));
  EXPECT_EQ(detect(scene).size(), 1u);
}

TEST(StrandContacts, AreNotRepeatedNearKinks) {
  Random random(11);
  for (int i = 0; i < 200; ++i) {
    CollisionScene scene;  // an elbow that points at the other strand, up to 45 degrees steep
    const double near = random.uniform(-1e-7, 1e-7), slope = random.uniform(0, 1);
    add_polyline(scene, kThinPair, {{-1, 0, slope}, {near, 0, 0}, {1, 0, slope}});
    add_polyline(scene, kThinPair, straight({near, -1, -0.02}, {0, 1, -0.02}, 2));
    EXPECT_EQ(detect(scene).size(), 1u) << slope;
  }
}

// A crossing is seen once, wherever the joints lie.
TEST(StrandContacts, AreOneACrossing) {
  Random random(12);
  for (int i = 0; i < 200; ++i) {
    const double angle = random.uniform(0.3, 2.8), shift = random.uniform(-0.3, 0.3);
    const Vector3d along(std::cos(angle), std::sin(angle), 0), above(shift, 0, 0.02);
    CollisionScene scene;
    add_polyline(scene, kThinPair, straight({-1, 0, 0}, {1, 0, 0}, 8));
    add_polyline(scene, kThinPair, straight(above - along, above + along, 11));
    const std::vector<Contact> contacts = detect(scene);
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_NEAR(contacts[0].a.s, 1 + shift, 1e-9);
  }
}

TEST(StrandContacts, AreTwoWhereCapsulesLieSideBySide) {
  CollisionScene scene;
  add_polyline(scene, kThinPair, {{0, 0, 0}, {1, 0, 0}});
  add_polyline(scene, kThinPair, {{1.4, 0, 0.02}, {0.4, 0.001, 0.02}});  // comes the other way
  const std::vector<Contact> contacts = detect(scene);
  ASSERT_EQ(contacts.size(), 2u);  // at both ends of the stretch from 0.4 to 1
  EXPECT_NEAR(contacts[0].a.s, 0.4, 1e-3);
  EXPECT_NEAR(contacts[0].b.s, 1.0, 1e-3);
  EXPECT_NEAR(contacts[1].a.s, 1.0, 1e-3);
  EXPECT_NEAR(contacts[1].b.s, 0.4, 1e-3);
}

// A tip that lies a little off a strand beside it could close in one step by a turn about the closest place.
TEST(StrandContacts, WatchFreeEndsBesideAStrand) {
  CollisionScene scene;
  const double apart = 0.01;  // more than what counts as parallel
  const StrandCollision how = kThinPair;
  add_polyline(scene, how, straight({0, 0, 0}, {1, 0, 0}, 1));
  add_polyline(scene, how, straight({0, 0, 2 * how.radius}, {0.9, 0, 2 * how.radius + apart}, 1));
  for (CollisionStrand& strand : scene.strands) strand.margin = apart;
  std::vector<double> seen;
  for (const Contact& contact : detect(scene)) seen.push_back(contact.b.s);
  ASSERT_FALSE(seen.empty());
  EXPECT_NEAR(seen.front(), 0, 1e-6);
  EXPECT_NEAR(seen.back(), 0.9, 1e-3);
}

// Two straight strands side by side, 10 capsules each, the joints facing each other: one contact a joint.
TEST(StrandContacts, HoldLongParallelStrandsAtEveryJoint) {
  CollisionScene scene;
  add_polyline(scene, kThinPair, straight({0, 0, 0}, {1, 0, 0}, 10));
  add_polyline(scene, kThinPair, straight({0, 0, 0.02}, {1, 0, 0.02}, 10));
  EXPECT_EQ(detect(scene).size(), 11u);
  const std::vector<Contact> few = detect(scene, {.max_per_pair = 3});
  ASSERT_EQ(few.size(), 3u);  // spaced: both ends and the middle, or one off by a capsule
  EXPECT_NEAR(few[0].a.s, 0, 1e-12);
  EXPECT_NEAR(few[1].a.s, 0.5, 0.1 + 1e-12);
  EXPECT_NEAR(few[2].a.s, 1, 1e-12);
}

TEST(StrandContacts, KeepTheDeepestOfAPair) {
  CollisionScene scene;  // a zigzag that dips to the other strand at x = 0.2, 0.6, 1.0, deepest in the middle
  add_polyline(scene, kThinPair, straight({0, 0, 0}, {1.2, 0, 0}, 1));
  add_polyline(
      scene, kThinPair,
      {{0, -.1, .1}, {.2, 0, .02}, {.4, .1, .1}, {.6, 0, .018}, {.8, -.1, .1}, {1, 0, .02}, {1.2, .1, .1}});
  EXPECT_EQ(detect(scene).size(), 3u);
  const std::vector<Contact> one = detect(scene, {.max_per_pair = 1});
  ASSERT_EQ(one.size(), 1u);
  EXPECT_NEAR(one[0].a.s, 0.6, 0.01);
}

std::vector<Vector3d> ring(double radius, double turns, int capsules, double rise) {
  std::vector<Vector3d> nodes;
  for (int i = 0; i <= capsules; ++i) {
    const double phi = 2 * std::numbers::pi * turns * i / capsules;
    nodes.emplace_back(radius * std::cos(phi), radius * std::sin(phi), rise * i / capsules);
  }
  return nodes;
}

TEST(SelfContact, FindsTheEndsOfALoop) {
  // 1.1 turns, rising by less than a diameter: a tenth of a turn lies on the beginning.
  const std::vector<Vector3d> loop = ring(0.2, 1.1, 44, 0.02);
  CollisionScene scene;
  add_polyline(scene, kThinPair, loop);
  const std::vector<Contact> contacts = detect(scene);
  ASSERT_GE(contacts.size(), 2u);
  for (const Contact& c : contacts) {
    EXPECT_EQ(c.a.strand, c.b.strand);
    EXPECT_NEAR(c.b.s - c.a.s, 2 * std::numbers::pi * 0.2, 0.03);  // one turn
    EXPECT_LT(c.frame(2, 0), -0.9);                                // A is the lower turn
  }
  StrandCollision off = kThinPair;
  off.self_contact = false;
  CollisionScene without;
  add_polyline(without, off, loop);
  EXPECT_TRUE(detect(without).empty());
}

// Capsules much shorter than the radius: neighbours overlap, yet nothing touches.
TEST(SelfContact, LeavesOutNeighbours) {
  CollisionScene scene;
  add_polyline(scene, kThinPair, straight({0, 0, 0}, {0.2, 0, 0}, 100));
  add_polyline(scene, kThinPair, ring(0.015, 0.8, 60, 0));  // curvature below 1/a: its ends are 17.6 mm apart
  for (Vector3d& x : scene.nodes_of(1)) x.z() += 1;
  const std::vector<Contact> contacts = detect(scene);
  for (const Contact& c : contacts) EXPECT_EQ(c.a.strand, 1);
  EXPECT_FALSE(contacts.empty());  // the ends of the ring do meet
  for (const Contact& c : contacts) EXPECT_GT(c.b.s - c.a.s, std::numbers::pi * 0.01);
}

// Contacts are left out where both strands are next to an end; the distance they keep grows from there.
TEST(StrandContacts, SkipTheRootTheTipAndTheGroup) {
  const auto crossing = [](double at, double at_other, const StrandCollision& how) {
    CollisionScene scene;
    add_polyline(scene, how, straight({0, 0, 0}, {1, 0, 0}, 4));
    add_polyline(scene, how, straight({at, -at_other, 0.02}, {at, 1 - at_other, 0.02}, 4));
    return detect(scene);
  };
  StrandCollision how = kThinPair;
  how.skip_root = 0.3;
  how.skip_tip = 0.1;
  EXPECT_EQ(crossing(0.2, 0.1, how).size(), 0u);
  EXPECT_EQ(crossing(0.29, 0.29, how).size(), 0u);
  EXPECT_EQ(crossing(0.91, 0.2, how).size(), 0u);
  for (const auto& [at, other] : {std::pair(0.2, 0.5), {0.5, 0.2}, {0.5, 0.95}, {0.4, 0.6}}) {
    const std::vector<Contact> contacts = crossing(at, other, how);
    ASSERT_EQ(contacts.size(), 1u) << at << " " << other;
    EXPECT_NEAR(contacts[0].gap, 0.02 - 2 * how.radius, 1e-12);
  }
  double before = 1;
  for (const double at : {0.301, 0.31, 0.33, 0.349, 0.36}) {
    const std::vector<Contact> contacts = crossing(at, 0.25, how);
    ASSERT_EQ(contacts.size(), 1u) << at;
    EXPECT_LT(contacts[0].gap, before + 1e-12) << at;
    before = contacts[0].gap;
  }
  how.group = 4;
  EXPECT_EQ(crossing(0.5, 0.5, how).size(), 0u);
}

TEST(StrandContacts, HaveSomeNormalWhereCentrelinesCross) {
  CollisionScene scene;
  add_polyline(scene, kThinPair, straight({-1, 0, 0}, {1, 0, 0}, 2));
  add_polyline(scene, kThinPair, straight({0, -1, 0}, {0, 1, 0}, 2));
  add_polyline(scene, kThinPair, {{0.5, 0, 0}, {0.8, 0, 0}});  // inside the first, parallel
  const std::vector<Contact> contacts = detect(scene);
  ASSERT_EQ(contacts.size(), 3u);
  EXPECT_NEAR(std::abs(contacts[0].frame(2, 0)), 1, 1e-12);
  for (const Contact& c : contacts) {
    EXPECT_LT((c.frame.transpose() * c.frame - Eigen::Matrix3d::Identity()).norm(), 1e-12);
    EXPECT_NEAR(c.frame.determinant(), 1, 1e-12);
    EXPECT_NEAR(c.gap, -0.02, 1e-12);
  }
}

TEST(StrandContacts, HaveAFrameWhereTheTipMeetsHeadOn) {
  CollisionScene scene;
  add_polyline(scene, kThinPair, straight({0, 0, 1}, {0, 0, 0.02}, 3));
  add_polyline(scene, kThinPair, straight({-1, 0, 0}, {1, 0, 0}, 3));
  const std::vector<Contact> contacts = detect(scene);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_NEAR(contacts[0].frame(2, 0), 1, 1e-12);
  EXPECT_NEAR(contacts[0].frame(0, 1), 1, 1e-12);  // the fibre of B, since that of A is the normal
}

// Two circles of radius 1 that touch from outside, at the middle of two chords of 0.2 rad: each sagitta,
// 1 - cos 0.1, was missing from the gap between the chords.
TEST(Contact, MovesFromTheChordsToTheCurves) {
  const double sagitta = 1 - std::cos(0.1), half = std::sin(0.1);
  CollisionScene scene;
  StrandCollision how = kThinPair;
  how.margin = 0.02;
  add_polyline(scene, how, {{0.01 + sagitta, -half, 0}, {0.01 + sagitta, half, 0}});
  add_polyline(scene, how, {{-0.01 - sagitta, 0, -half}, {-0.01 - sagitta, 0, half}});
  const std::vector<Contact> contacts = detect(scene);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_NEAR(contacts[0].gap, 2 * sagitta, 1e-12);
  const Contact true_one = on_curves(contacts[0], {0.01, 0, 0}, {-0.01, 0, 0});
  EXPECT_NEAR(true_one.gap, 0, 1e-12);
  EXPECT_EQ(true_one.point_a, Vector3d(0.01, 0, 0));
  EXPECT_EQ(true_one.point_b, Vector3d(-0.01, 0, 0));
  EXPECT_EQ(true_one.frame, contacts[0].frame);
}

TEST(CollisionScene, RefusesWhatCannotBe) {
  const std::vector<Vector3d> nodes = {{0, 0, 0}, {1, 0, 0}};
  CollisionScene scene;
  EXPECT_THROW(scene.add_strand({.radius = 0}, nodes, std::vector{0.0, 1.0}), InputError);
  EXPECT_THROW(scene.add_strand({.radius = 1, .margin = -1}, nodes, std::vector{0.0, 1.0}), InputError);
  EXPECT_THROW(scene.add_strand(kThinPair, nodes, std::vector{0.0}), InputError);
  EXPECT_THROW(scene.add_strand(kThinPair, nodes, std::vector{0.0, 0.0}), InputError);
  EXPECT_THROW(scene.add_strand(kThinPair, std::span(nodes).first(1), std::vector{0.0}), InputError);
  EXPECT_TRUE(scene.strands.empty());
  scene.add_strand(kThinPair, nodes, std::vector{0.0, 1.0});
  scene.x[1].y() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(detect(scene), InputError);
}

}  // namespace
}  // namespace capstan::test
