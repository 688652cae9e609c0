#include "capstan/collide/rigid_contacts.hpp"

#include <map>

#include "capstan/errors.hpp"
#include "capstan/parallel/tbb_executor.hpp"
#include "collide/rigid_support.hpp"

namespace capstan::test {
namespace {

/// Bodies of all kinds in a cube, a floor, a wall and a few fixed blocks.
struct Crowd {
  std::vector<Solid> solids;
  std::vector<RigidCollider> movable, fixed;

  Crowd(std::uint64_t seed, int bodies, double cube) {
    Random random(seed);
    solids.reserve(bodies + 3);
    for (int i = 0; i < bodies; ++i) {
      solids.push_back(random_solid(random, i % convex_kinds));
      movable.push_back(
          {&solids.back(), random_frame(random, cube), random.uniform(0, 0.02), i % 7 == 0 ? 1 : -1});
    }
    solids.push_back(Solid::half_space());
    fixed.push_back({&solids.back(), at(0, 0, -cube), 0.01, -1});
    fixed.push_back({&solids.back(), turned({cube, 0, 0}, 1.5, {0, -1, 0}), 0, 1});
    solids.push_back(Solid::box({10, 0.1, 10}));  // larger than all the others together
    fixed.push_back({&solids.back(), at(0, 0, 0), 0, -1});
    solids.push_back(Solid::sphere(1));
    for (int i = 0; i < 5; ++i) fixed.push_back({&solids.back(), random_frame(random, cube), 0, -1});
  }
};

void expect_same(const Manifold& left, const Manifold& right) {
  ASSERT_EQ(left.size(), right.size());
  for (std::size_t i = 0; i < left.size(); ++i) {
    EXPECT_EQ(left[i].on_a, right[i].on_a);
    EXPECT_EQ(left[i].on_b, right[i].on_b);
    EXPECT_EQ(left[i].n, right[i].n);
    EXPECT_EQ(left[i].gap, right[i].gap);
  }
}

TEST(RigidContacts, AreThoseOfAllPairs) {
  const Crowd crowd(1, 300, 3);
  std::map<std::pair<int, int>, Manifold> expected;
  const auto add = [&](int a, int b, const RigidCollider& left, const RigidCollider& right) {
    if (left.group >= 0 && left.group == right.group) return;
    Manifold points = manifold(*left.solid, left.pose, *right.solid, right.pose, left.margin + right.margin);
    if (!points.empty()) expected[{a, b}] = points;
  };
  for (int i = 0; i < 300; ++i) {
    for (int j = i + 1; j < 300; ++j) add(i, j, crowd.movable[i], crowd.movable[j]);
    for (int k = 0; k < int(crowd.fixed.size()); ++k) add(i, -1 - k, crowd.movable[i], crowd.fixed[k]);
  }
  const std::vector<RigidPair> found = detect_between_rigid(crowd.movable, crowd.fixed);
  ASSERT_GT(found.size(), 300u);
  ASSERT_EQ(found.size(), expected.size());
  auto next = expected.begin();  // the map is sorted as the result is
  int with_fixed = 0;
  for (const RigidPair& pair : found) {
    EXPECT_EQ(pair.a, next->first.first);
    EXPECT_EQ(pair.b, next->first.second);
    with_fixed += pair.fixed();
    expect_same(pair.points, next++->second);
  }
  EXPECT_GT(with_fixed, 50);
}

TEST(RigidContacts, DoNotDependOnTheThreads) {
  const Crowd crowd(2, 2000, 6);
  const std::vector<RigidPair> one = detect_between_rigid(crowd.movable, crowd.fixed),
                               two = detect_between_rigid(crowd.movable, crowd.fixed, TbbExecutor(2));
  ASSERT_GT(one.size(), 1000u);
  ASSERT_EQ(one.size(), two.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].a, two[i].a);
    EXPECT_EQ(one[i].b, two[i].b);
    expect_same(one[i].points, two[i].points);
  }
}

// Single precision of the boxes must not lose what is near when the scene is far away.
TEST(RigidContacts, AreTheSameFarAway) {
  Crowd crowd(3, 200, 2.5);
  const std::size_t here = detect_between_rigid(crowd.movable, crowd.fixed).size();
  for (auto* bodies : {&crowd.movable, &crowd.fixed})
    for (RigidCollider& body : *bodies) body.pose.x += Vector3d(1e5, -2e5, 3e5);
  EXPECT_EQ(detect_between_rigid(crowd.movable, crowd.fixed).size(), here);
}

TEST(RigidContacts, SpareBodiesOfOneGroupAndFixedOnes) {
  const Solid ball = Solid::sphere(1);
  const std::vector<RigidCollider> two = {{&ball, at(0, 0, 0), 0, 4}, {&ball, at(1, 0, 0), 0, 4}};
  EXPECT_TRUE(detect_between_rigid(two, {}).empty());
  EXPECT_TRUE(detect_between_rigid({}, two).empty());
  const std::vector<RigidCollider> free = {{&ball, at(0, 0, 0)}, {&ball, at(1, 0, 0)}};
  EXPECT_EQ(detect_between_rigid(free, {}).size(), 1u);
  EXPECT_EQ(detect_between_rigid(free, two).size(), 5u);
}

TEST(RigidContacts, AddTheMarginsOfBoth) {
  const Solid ball = Solid::sphere(1);
  const auto pairs = [&](double margin_a, double margin_b) {
    const std::vector<RigidCollider> two = {{&ball, at(0, 0, 0), margin_a}, {&ball, at(2.1, 0, 0), margin_b}};
    return detect_between_rigid(two, {}).size();
  };
  EXPECT_EQ(pairs(0.06, 0.05), 1u);
  EXPECT_EQ(pairs(0.05, 0.04), 0u);
}

TEST(RigidContacts, RefuseWhatIsNotSound) {
  const Solid ball = Solid::sphere(1), floor = Solid::half_space();
  const std::vector<RigidCollider> sound = {{&ball, Frame()}};
  const auto refused = [&](const RigidCollider& body) {
    const std::vector<RigidCollider> one = {body};
    EXPECT_THROW(detect_between_rigid(one, {}), InputError);
    EXPECT_THROW(detect_between_rigid(sound, one), InputError);
  };
  refused({nullptr, Frame()});
  refused({&ball, at(std::nan(""), 0, 0)});
  refused({&ball, Frame(), -1});
  const std::vector<RigidCollider> falling_floor = {{&floor, Frame()}};
  EXPECT_THROW(detect_between_rigid(falling_floor, {}), InputError);
  EXPECT_EQ(detect_between_rigid(sound, falling_floor).size(), 1u);
}

}  // namespace
}  // namespace capstan::test
