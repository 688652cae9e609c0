#include <cmath>
#include <limits>

#include "capstan/parallel/tbb_executor.hpp"
#include "collide/soft_support.hpp"

namespace capstan::test {
namespace {

TEST(SoftStrandContacts, HoldAStrandOnASheet) {
  const Surfaces one = {sheet(2, 0.5, 0.01, 0.01)};
  CollisionScene scene;
  add_polyline(scene, {.radius = 0.02, .margin = 0.02}, straight({0.1, 0.3, 0.035}, {0.9, 0.3, 0.035}, 2));
  const std::vector<Contact> contacts = detect_strands_with_soft(scene, one);
  // Three nodes, and the edges x = y at 0.3, x = 0.5 (where a node is, too) and x = y + 0.5 at 0.8.
  ASSERT_EQ(contacts.size(), 5u);
  std::vector<double> at;
  for (const Contact& c : contacts) {
    EXPECT_EQ(c.a.strand, 0);
    EXPECT_EQ(c.b.soft, 0);
    expect_sound_side(one[0], c.b, c.point_b);
    EXPECT_NEAR(c.gap, 0.005, 1e-12);
    EXPECT_NEAR(c.point_a.x(), 0.1 + c.a.s, 1e-12);
    EXPECT_LT((c.frame - (Eigen::Matrix3d() << 0, 1, 0, 0, 0, 1, 1, 0, 0).finished()).norm(), 1e-12);
    EXPECT_GT(c.area, 0);
    at.push_back(c.point_a.x());
  }
  std::sort(at.begin(), at.end());
  const std::vector<double> expected = {0.1, 0.3, 0.5, 0.8, 0.9};
  for (std::size_t i = 0; i < at.size(); ++i) EXPECT_NEAR(at[i], expected[i], 1e-12);
}

TEST(SoftStrandContacts, SkipTheRootAndTheTip) {
  const Surfaces one = {sheet(2, 0.5, 0.01, 0.01)};
  CollisionScene scene;
  add_polyline(scene, {.radius = 0.02, .margin = 0.02, .skip_root = 0.1, .skip_tip = 0.3},
               straight({0.1, 0.3, 0.035}, {0.9, 0.3, 0.035}, 2));
  EXPECT_EQ(detect_strands_with_soft(scene, one).size(), 2u);  // at 0.3 and 0.5
}

// Across a steep ridge, with a node beside it from which the ridge is seen at 45 degrees, through the strand:
// only the capsule touches.
TEST(SoftStrandContacts, AreNotSeenThroughTheStrand) {
  const Surfaces one = {
      surface({{0, 1, 2}, {1, 0, 3}}, {{0, -1, 0}, {0, 1, 0}, {1, 0, -3}, {-1, 0, -3}}, 0.01, 0.05)};
  CollisionScene scene;
  add_polyline(scene, {.radius = 0.02, .margin = 0.02},
               {{-0.4, 0.1, 0.05}, {0.05, 0.1, 0.05}, {0.5, 0.1, 0.05}});
  const std::vector<Contact> contacts = detect_strands_with_soft(scene, one);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_NEAR(contacts[0].a.s, 0.4, 1e-12);
  EXPECT_NEAR(contacts[0].gap, 0.02, 1e-12);
}

// The tip of a mesh under the middle of a capsule.
TEST(SoftStrandContacts, FindACornerThatSticksOut) {
  const Surfaces one = {moved(spike({0, 0, 0}), [](const Vector3d& x) { return Vector3d(-x); })};
  CollisionScene scene;
  add_polyline(scene, {.radius = 0.02}, straight({-0.3, 0.03, 0.04}, {0.7, 0.03, 0.04}, 1));
  const std::vector<Contact> contacts = detect_strands_with_soft(scene, one);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_NEAR(contacts[0].a.s, 0.3, 1e-12);
  EXPECT_NEAR(contacts[0].gap, 0.05 - 0.03, 1e-12);
  EXPECT_EQ(contacts[0].b.node, (std::array{0, -1, -1}));
  EXPECT_LT((contacts[0].frame.col(0) - Vector3d(0, 0.6, 0.8)).norm(), 1e-12);
}

// A strand through the upper part of a cube, and one across its upper edge, just below it.
TEST(SoftStrandContacts, PushStrandsOutOfASolid) {
  const Surfaces one = {box_surface(-kOne, kOne, 3, 0.01, 0.1)};
  CollisionScene scene;
  add_polyline(scene, {.radius = 0.02}, straight({-0.5, 0.13, 0.95}, {0.5, 0.17, 0.95}, 3));
  const std::vector<Contact> contacts = detect_strands_with_soft(scene, one);
  ASSERT_GT(contacts.size(), 4u);
  for (const Contact& c : contacts) {
    EXPECT_NEAR(c.gap, -0.05 - 0.03, 1e-12);
    EXPECT_LT((c.frame.col(0) - Vector3d::UnitZ()).norm(), 1e-9);
  }
  CollisionScene across;
  const Vector3d out = Vector3d(1, 0, 1).normalized(), along = Vector3d(1, 0, -1);
  const Vector3d middle = Vector3d(1, 0.1, 1) - 0.04 * out;
  add_polyline(across, {.radius = 0.02}, {middle - 0.5 * along, middle + 0.5 * along});
  const std::vector<Contact> pushed = detect_strands_with_soft(across, one);
  ASSERT_EQ(pushed.size(), 1u);
  EXPECT_NEAR(pushed[0].gap, -0.04 - 0.03, 1e-12);
  EXPECT_LT((pushed[0].frame.col(0) - out).norm(), 1e-12);
}

/// As a surface of triangles without area.
SoftSurface as_surface(const CollisionScene& scene, int strand) {
  const CollisionStrand& k = scene.strands[strand];
  std::vector<std::array<int, 3>> triangles;
  std::vector<Vector3d> x(scene.x.begin() + k.first_node, scene.x.begin() + k.first_node + k.nodes);
  for (int i = 0; i + 2 < k.nodes; ++i) triangles.push_back({i, i + 1, i + 2});
  SoftSurface result = surface(triangles, x, k.radius, k.margin);
  std::erase_if(result.edges, [](const auto& edge) { return edge.second != edge.first + 1; });
  return result;
}

TEST(SoftStrandContacts, HaveTheLeastOfAllDistances) {
  Random random(5);
  const Surfaces two = random_pair(random);
  const CollisionScene scene = random_walks(6, 800, 4, 1, {.radius = 0.02, .margin = 0.03});
  std::vector<double> gap(scene.strands.size() * 2, std::numeric_limits<double>::infinity());
  const std::vector<Contact> contacts = detect_strands_with_soft(scene, two);
  for (const Contact& c : contacts) {
    double& least = gap[2 * c.a.strand + c.b.soft];
    least = std::min(least, c.gap);
    EXPECT_LT((c.point_a - c.point_b - (c.gap + 0.03) * c.frame.col(0)).norm(), 1e-12);
  }
  int touching = 0;
  for (int k = 0; k < int(scene.strands.size()); ++k) {
    SoftSurface strand = as_surface(scene, k);
    for (int i = 0; i < 2; ++i) {
      if (pierces(strand, two[i])) continue;
      // Nodes with triangles and capsules with edges are all there is: the strand has no triangles.
      strand.triangles.clear();
      const double expected = least_distance(strand, two[i]);
      const bool touches = expected < 0.02 + 0.03 + 0.01 + 0.04;
      ASSERT_EQ(touches, std::isfinite(gap[2 * k + i])) << expected;
      if (touches) {
        EXPECT_NEAR(gap[2 * k + i], expected - 0.03, 1e-12);
      }
      touching += touches;
    }
  }
  EXPECT_GT(touching, 30);
  const std::vector<Contact> again = detect_strands_with_soft(scene, two, TbbExecutor(3));
  expect_equal(contacts, again);
  for (std::size_t i = 0; i < again.size(); ++i) EXPECT_EQ(contacts[i].a.s, again[i].a.s);
}

}  // namespace
}  // namespace capstan::test
