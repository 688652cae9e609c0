#include <cmath>
#include <numbers>

#include "capstan/collide/segments.hpp"
#include "capstan/errors.hpp"
#include "capstan/parallel/tbb_executor.hpp"
#include "collide/soft_support.hpp"

namespace capstan::test {
namespace {

using Moves = std::vector<Eigen::Matrix3Xd>;

/// All nodes of a surface with one velocity.
Eigen::Matrix3Xd even(const SoftSurface& s, const Vector3d& v) { return v.replicate(1, s.x.cols()); }

Moves still(const Surfaces& surfaces) {
  Moves moves;
  for (const SoftSurface& s : surfaces) moves.push_back(even(s, Vector3d::Zero()));
  return moves;
}

/// Four random points that move at random, as two surfaces: vertex 0 of the first against the triangle that
/// is the second, or edge 0-1 of each.
struct RandomMotion {
  Surfaces two;
  Moves v;

  RandomMotion(Random& random, bool edges) {
    // What is not looked at is far away and stays there.
    const Vector3d far(0, 0, 100), farther(100, 0, 100);
    const auto point = [&] { return random_point(random); };
    two.push_back(edges ? triangle(point(), point(), far) : triangle(point(), far, farther));
    two.push_back(edges ? triangle(point(), point(), -far) : triangle(point(), point(), point()));
    v = still(two);
    for (int s = 0; s < 2; ++s)
      for (int i = 0; i < nodes(s, edges); ++i) v[s].col(i) = random_point(random, 2);
  }
  /// Those that count.
  static int nodes(int surface, bool edges) { return edges ? 2 : surface == 0 ? 1 : 3; }
  Vector3d at(int surface, int node, double t) const {
    return two[surface].x.col(node) + t * v[surface].col(node);
  }
  /// From the second to the first, with the signed volume between them.
  std::pair<double, double> distance_and_volume(double t, bool edges) const {
    const Vector3d a = at(0, 0, t), b = edges ? at(0, 1, t) : at(1, 2, t), c = at(1, 0, t), d = at(1, 1, t);
    const double volume = (b - a).cross(c - a).dot(d - a);
    if (edges) {
      const Segment p{a, b - a}, q{c, d - c};
      const ClosestFractions closest = closest_fractions(p, q);
      return {(p.at(closest.a) - q.at(closest.b)).norm(), volume};
    }
    const Corners corners{c, d, b};
    return {(a - weighted(closest_on_triangle(a, corners), corners)).norm(), volume};
  }
  bool reported(bool edges) const {
    for (const Contact& c : crossings(two, v, 1))
      if (edges ? c.a.node == std::array{0, 1, -1} && c.b.node == std::array{0, 1, -1}
                : c.a.soft == 0 && c.a.node[0] == 0 && nodes_in(c.a) == 1)
        return true;
    return false;
  }
};

// Where the volume of the four points changes sign they are in one plane: the moment is found by halving, and
// if the distance is none then they have crossed. In between samples points move by up to 7 / 500 to each
// other.
TEST(Crossings, MissNothingThatCrosses) {
  constexpr int samples = 500;
  Random random(1);
  for (const bool edges : {false, true}) {
    int crossed = 0, passed = 0;
    for (int i = 0; i < 6000; ++i) {
      const RandomMotion motion(random, edges);
      bool crosses = false;
      auto [least, before] = motion.distance_and_volume(0, edges);
      for (int k = 1; k <= samples; ++k) {
        const auto [distance, volume] = motion.distance_and_volume(double(k) / samples, edges);
        double low = double(k - 1) / samples, high = double(k) / samples;
        const bool changes = (volume > 0) != (before > 0);
        for (int halving = 0; changes && halving < 50; ++halving) {
          const double middle = (low + high) / 2;
          ((motion.distance_and_volume(middle, edges).second > 0) == (before > 0) ? low : high) = middle;
        }
        crosses = crosses || (changes && motion.distance_and_volume(high, edges).first < 1e-9);
        least = std::min(least, distance), before = volume;
      }
      const bool reported = motion.reported(edges);
      crossed += crosses;
      if (crosses) {
        EXPECT_TRUE(reported) << i << " " << edges;
      }
      passed += least > 7.0 / samples;
      if (least > 7.0 / samples) {
        EXPECT_FALSE(reported) << i << " " << edges;
      }
    }
    EXPECT_GT(crossed, 300) << edges;
    EXPECT_GT(passed, 3000) << edges;
  }
}

// The place where they meet is chosen, and the motion to it: at time t the point with weights w of a moving
// triangle, or the points with fractions f and g of two edges, coincide.
// Also for slivers, edges that are nearly parallel, motions in one plane, and far from the origin.
TEST(Crossings, FindWhatMeetsByConstruction) {
  Random random(2);
  for (int i = 0; i < 8000; ++i) {
    const bool edges = i % 2 == 1;
    RandomMotion motion(random, edges);
    const double flat = std::pow(10, random.uniform(-9, 0));
    const Vector3d offset = i % 5 == 0 ? Vector3d(1000, -300, 500) : Vector3d::Zero();
    const double t = random.uniform(0.01, 0.99);
    const double f = random.uniform(0.01, 0.99), g = random.uniform(0.01, 0.49),
                 h = random.uniform(0.01, 0.49);
    for (int s = 0; s < 2; ++s) {
      for (int node = 0; node < motion.nodes(s, edges); ++node) {
        if (i % 4 >= 2) motion.two[s].x(2, node) *= flat;  // all nearly in one plane
        if (i % 8 >= 6) motion.two[s].x(1, node) *= flat;  // on one line
        if (i % 16 >= 10) motion.v[s](2, node) *= flat;
        motion.two[s].x.col(node) += offset;
      }
    }
    const Vector3d weight = edges ? Vector3d(1 - f, f, 0) : Vector3d(1 - g - h, g, h);
    const Vector3d on_b = weighted(weight, {motion.at(1, 0, t), motion.at(1, 1, t), motion.at(1, 2, t)});
    const Vector3d on_a = motion.at(0, 0, t) + (edges ? g : 0) * (motion.at(0, 1, t) - motion.at(0, 0, t));
    for (int node = 0; node < motion.nodes(0, edges); ++node) motion.v[0].col(node) += (on_b - on_a) / t;
    EXPECT_FALSE(crossings(motion.two, motion.v, 1).empty()) << i;  // in one plane ends may meet first
  }
}

// A tip falls onto a triangle that rises, which it meets at the time 0.8: the point below it, the normal
// towards it, and a gap that with the motion of the step becomes the depth.
TEST(Crossings, AreContactsOfTheStart) {
  const Surfaces two = {triangle({0.2, 0.3, 0.4}, {0.2, 0.4, 2}, {0.3, 0.3, 2}),
                        triangle({0, 0, 0}, {1, 0, 0}, {0, 1, 0})};
  Moves v = still(two);
  v[0] = even(two[0], {1, 0, -3});
  v[1] = even(two[1], {0, 0, 2});
  const std::vector<Contact> contacts = crossings(two, v, 0.1);
  ASSERT_EQ(contacts.size(), 1u);
  const Contact& c = contacts[0];
  expect_sound_contact(two, c);
  EXPECT_EQ(c.a.soft, 0);
  EXPECT_EQ(c.a.node, (std::array{0, -1, -1}));
  EXPECT_LT((c.b.weight - Vector3d(0.42, 0.28, 0.3)).norm(), 1e-4);
  EXPECT_LT((c.frame.col(0) - Vector3d::UnitZ()).norm(), 1e-9);
  EXPECT_NEAR(c.gap, 0.4 - 0.02, 1e-9);
  const Vector3d relative = v[0].col(0) - v[1].col(0);
  EXPECT_NEAR(c.gap + 0.1 * c.frame.col(0).dot(relative), -0.1 - 0.02, 1e-9);
  EXPECT_TRUE(crossings(two, v, 0.0799).empty());
  EXPECT_FALSE(crossings(two, v, 0.0801).empty());
}

// Triangles turned about an edge in the step: the normal is that of the moment they meet. The flap rises from
// z = 0 to the vertical, the vertex stands still at the height 1 and 0.5 beside the hinge.
TEST(Crossings, HaveTheNormalOfTheMeeting) {
  const Surfaces two = {triangle({0.5, 0, 1}, {0.5, 0, 9}, {0.6, 0, 9}),
                        triangle({0, -1, 0}, {0, 1, 0}, {2, 0, 0})};
  Moves v = still(two);
  v[1].col(2) = Vector3d(-2, 0, 2);  // meets where (2 - 2 t, 2 t) is along (0.5, 1): t = 2/3
  const Vector3d n = Vector3d(-2, 0, 1).normalized();
  int found = 0;
  for (const Contact& c : crossings(two, v, 1)) {
    if (c.a.node != std::array{0, -1, -1} || c.a.soft != 0) continue;
    ++found;
    EXPECT_LT((c.frame.col(0) - n).norm(), 1e-4);
  }
  EXPECT_EQ(found, 1);
}

// From both sides of open cloth, edges too.
TEST(Crossings, HaveTheNormalOnTheSideOfTheStart) {
  for (const double side : {1.0, -1.0}) {
    const Surfaces tip = {triangle({0.2, 0.3, side}, {0.2, 0.4, 9 * side}, {0.3, 0.3, 9 * side}),
                          triangle({0, 0, 0}, {1, 0, 0}, {0, 1, 0})};
    const Surfaces edges = {triangle({-0.3, 0.1, side}, {0.7, 0, side}, {0, 0, 9 * side}),
                            triangle({0, -0.6, 0}, {0, 0.4, 0}, {0, 0, -9 * side})};
    for (const Surfaces& two : {tip, edges}) {
      Moves v = still(two);
      v[0] = even(two[0], {0, 0, -1.5 * side});
      const std::vector<Contact> contacts = crossings(two, v, 1);
      ASSERT_EQ(contacts.size(), 1u);
      EXPECT_NEAR(contacts[0].frame(2, 0), side, 1e-9);
      EXPECT_NEAR(contacts[0].gap, 1 - 0.02, 1e-9);
    }
  }
}

// Within the thickness from the start, towards each other; away from each other; side by side.
TEST(Crossings, BeginWithinTheThickness) {
  const SoftSurface below = sheet(2, 0.5, 0.05, 0);
  const Surfaces two = {shifted(below, {0.13, 0.17, 0.01}), below};
  Moves v = still(two);
  v[0] = even(two[0], {0, 0, -0.02});
  const std::vector<Contact> contacts = crossings(two, v, 1);
  ASSERT_GT(contacts.size(), 8u);
  for (const Contact& c : contacts) {
    EXPECT_NEAR(c.gap, 0.01 - 0.1, 1e-6);
    EXPECT_NEAR(c.frame(2, 0), c.a.soft == 0 ? 1 : -1, 1e-9);
  }
  v[0] = even(two[0], {0, 0, 1});
  EXPECT_TRUE(crossings(two, v, 1).empty());
  v[0] = even(two[0], {1, 0.7, 0});
  EXPECT_TRUE(crossings(two, v, 1).empty());
  EXPECT_TRUE(crossings(two, still(two), 1).empty());
}

// Meshes that touch at the start: there, on the side of the material or of where they came from.
TEST(Crossings, BeginWithATouch) {
  Surfaces two = {triangle({0.2, 0.3, 0}, {0.2, 0.4, 2}, {0.3, 0.3, 2}),
                  triangle({0, 0, 0}, {1, 0, 0}, {0, 1, 0})};
  for (const double speed : {-1.0, 0.0}) {
    Moves v = still(two);
    v[0] = even(two[0], {0, 0, speed});
    const std::vector<Contact> contacts = crossings(two, v, 1);
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_NEAR(contacts[0].frame(2, 0), 1, 1e-9);
    EXPECT_NEAR(contacts[0].gap, -0.02, 1e-9);
  }
}

// A vertex that slides in the plane of a triangle into its edge, and two edges in one plane: no volume
// between the four points at any time.
TEST(Crossings, AreFoundInOnePlane) {
  const Surfaces two = {triangle({-0.5, 0.2, 0}, {-3, 0.1, 0}, {-3, 0.3, 0}),
                        triangle({0, 0, 0}, {0, 1, 0}, {1, 0, 0})};
  Moves v = still(two);
  v[0] = even(two[0], {1, 0, 0});
  const std::vector<Contact> contacts = crossings(two, v, 1);
  ASSERT_GE(contacts.size(), 1u);
  EXPECT_EQ(contacts[0].b.node, (std::array{0, 1, -1}));
  EXPECT_LT((contacts[0].frame.col(0) + Vector3d::UnitX()).norm(), 1e-9);
  EXPECT_NEAR(contacts[0].gap, 0.5 - 0.02, 1e-6);
  EXPECT_TRUE(crossings(two, v, 0.49).empty());
}

// Without area, without length, all nodes in one point.
TEST(Crossings, CopeWithDegenerateTriangles) {
  const Surfaces line = {triangle({0.3, 0, 1}, {0.3, 1, 5}, {0.4, 0, 5}),
                         triangle({0, 0, 0}, {1, 0, 0}, {2, 0, 0})};
  const Surfaces point = {triangle({0, 0, 1}, {0, 1, 5}, {1, 0, 5}),
                          triangle({0, 0, 0}, {0, 0, 0}, {0, 0, 0})};
  const Surfaces both = {triangle({0, 0, 1}, {0, 0, 1}, {0, 0, 1}),
                         triangle({0, 0, 0}, {0, 0, 0}, {1, 0, 0})};
  for (const Surfaces& two : {line, point, both}) {
    Moves v = still(two);
    v[0] = even(two[0], {0, 0, -1.5});
    const std::vector<Contact> contacts = crossings(two, v, 1);
    ASSERT_FALSE(contacts.empty());
    for (const Contact& c : contacts) {
      EXPECT_TRUE(c.frame.allFinite());
      EXPECT_NEAR(c.frame(2, 0), c.a.soft == 0 ? 1 : -1, 1e-6);
    }
    v[0] = even(two[0], {0.5, 0.5, -0.9});
    EXPECT_TRUE(crossings(two, v, 1).empty());
  }
}

// One sheet through another of the same mesh, node onto node: each pair of nodes and of edges once or twice,
// not once for each triangle around.
TEST(Crossings, AreFewBetweenAlignedSheets) {
  const SoftSurface below = sheet(4, 0.1, 0.001, 0);
  const Surfaces two = {shifted(below, {0, 0, 0.05}), below};
  Moves v = still(two);
  v[0] = even(two[0], {0, 0, -0.1});
  const std::vector<Contact> contacts = crossings(two, v, 1);
  EXPECT_EQ(contacts.size(), below.vertices.size() + below.edges.size());
}

// What was folded closes: the halves pass through each other. Neighbours stay out of it.
TEST(Crossings, AreFoundInOneSurface) {
  const SoftSurface flat = sheet(8, 0.1, 0.002, 0);
  Surfaces one = {moved(flat, [](const Vector3d& x) {
    return Vector3d(std::abs(x.x() - 0.4), x.y(), x.x() > 0.4 ? 0.3 * (x.x() - 0.4) : -0.3 * (0.4 - x.x()));
  })};
  Moves v = still(one);
  for (Eigen::Index i = 0; i < v[0].cols(); ++i) v[0](2, i) = -1.5 * one[0].x(2, i);
  const std::vector<Contact> contacts = crossings(one, v, 1);
  ASSERT_GT(contacts.size(), 30u);
  for (const Contact& c : contacts) {
    expect_sound_contact(one, c);
    for (const int a : c.a.node)
      for (const int b : c.b.node) EXPECT_TRUE(a < 0 || a != b);
    EXPECT_LT((c.point_a.x() < 1e-9) + (c.point_b.x() < 1e-9), 2);
    const double from = c.a.local.x() > 0.4 ? 1 : -1;
    EXPECT_GT(from * c.frame(2, 0), 0.5);
  }
  EXPECT_TRUE(crossings(one, still(one), 1).empty());
  one[0].self_contact = false;
  EXPECT_TRUE(crossings(one, v, 1).empty());
}

// A solid may be left, not entered.
TEST(Crossings, LetThingsOutOfASolid) {
  const SoftSurface cube = box_surface(-Vector3d::Ones(), Vector3d::Ones(), 2, 0.01, 0);
  for (const bool inside : {true, false}) {
    const Surfaces two = {triangle({0.1, 0.3, inside ? 0.9 : 1.1}, {0.1, 0.4, 9}, {0.2, 0.3, 9}), cube};
    Moves v = still(two);
    v[0].col(0) = Vector3d(0, 0, inside ? 0.2 : -0.2);
    bool found = false;
    for (const Contact& c : crossings(two, v, 1)) found = found || (c.a.soft == 0 && nodes_in(c.a) == 1);
    EXPECT_EQ(found, !inside);
  }
}

// A surface that has turned inside out is still a surface: its normals do not let anything in.
TEST(Crossings, HoldWhatTurnedInsideOut) {
  SoftSurface cube = box_surface(-Vector3d::Ones(), Vector3d::Ones(), 2, 0.01, 0);
  cube.x.row(2) *= -1;
  const Surfaces two = {triangle({0.1, 0.3, 1.1}, {0.1, 0.4, 9}, {0.2, 0.3, 9}), cube};
  Moves v = still(two);
  v[0].col(0) = Vector3d(0, 0, -0.2);
  const std::vector<Contact> contacts = crossings(two, v, 1);
  ASSERT_FALSE(contacts.empty());
  for (const Contact& c : contacts) EXPECT_NEAR(c.frame(2, 0), 1, 1e-6);
}

// Everything that crosses between two shaken sheets, all pairs against all, one at a time.
TEST(Crossings, AreThoseOfAllPairs) {
  Random random(3);
  const SoftSurface flat = sheet(3, 0.3, 0.01, 0);
  std::size_t found_pairs = 0;
  for (int i = 0; i < 20; ++i) {
    const Surfaces two = {shaken(flat, random, 0.05), shifted(shaken(flat, random, 0.05), {0.05, 0.1, 0.15})};
    Moves v = still(two);
    for (int s = 0; s < 2; ++s)
      for (Eigen::Index k = 0; k < v[s].cols(); ++k)
        v[s].col(k) = random_point(random, 0.1) + Vector3d(0, 0, s == 0 ? 0.1 : -0.1);
    std::vector<std::pair<int, std::array<int, 3>>> found, expected;
    for (const Contact& c : crossings(two, v, 1))
      if (nodes_in(c.a) == 1 && c.a.soft == 0 && nodes_in(c.b) == 3)
        found.emplace_back(c.a.node[0], c.b.node);
    for (const int node : two[0].vertices)
      for (const auto& corners : two[1].triangles) {
        // The vertex with two nodes that stay far away, and the triangle alone.
        Surfaces pair = {
            triangle(two[0].x.col(node), {0, 0, 100}, {0, 100, 100}, 0.01),
            triangle(two[1].x.col(corners[0]), two[1].x.col(corners[1]), two[1].x.col(corners[2]), 0.01)};
        Moves moves = still(pair);
        moves[0].col(0) = v[0].col(node);
        for (int k = 0; k < 3; ++k) moves[1].col(k) = v[1].col(corners[k]);
        for (const Contact& c : crossings(pair, moves, 1))
          if (c.a.soft == 0 && nodes_in(c.a) == 1 && nodes_in(c.b) == 3) expected.emplace_back(node, corners);
      }
    std::sort(found.begin(), found.end());
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(found, expected);
    found_pairs += found.size();
  }
  EXPECT_GT(found_pairs, 100u);
}

TEST(Crossings, TurnWithTheWorldAndDoNotDependOnTheThreads) {
  Random random(4);
  const SoftSurface flat = sheet(12, 0.1, 0.01, 0);
  const Frame pose{random_point(random, 10), random_rotation(random)};
  const Surfaces two = {shaken(flat, random, 0.01), shifted(shaken(flat, random, 0.01), {0.03, 0.04, 0.1})};
  Surfaces turned;
  Moves v = still(two), turned_v;
  v[0] = even(two[0], {0.02, 0, 0.2});
  for (int s = 0; s < 2; ++s) {
    turned.push_back(moved(two[s], [&](const Vector3d& x) { return pose.apply(x); }));
    turned_v.push_back(pose.R * v[s]);
  }
  const std::vector<Contact> one = crossings(two, v, 1), other = crossings(turned, turned_v, 1);
  ASSERT_GT(one.size(), 300u);
  ASSERT_EQ(one.size(), other.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].a.node, other[i].a.node);
    EXPECT_NEAR(one[i].gap, other[i].gap, 1e-7);
  }
  expect_equal(one, crossings(two, v, 1, TbbExecutor(3)));
}

TEST(Crossings, RefuseWhatDoesNotFit) {
  const Surfaces one = {sheet(1, 1, 0.01, 0)};
  Moves v = still(one);
  EXPECT_THROW(crossings(one, Moves(), 1), InputError);
  EXPECT_THROW(crossings(one, v, 0), InputError);
  EXPECT_THROW(crossings(one, Moves{v[0].leftCols(2)}, 1), InputError);
  v[0](1, 1) = std::nan("");
  EXPECT_THROW(crossings(one, v, 1), InputError);
}

}  // namespace
}  // namespace capstan::test
