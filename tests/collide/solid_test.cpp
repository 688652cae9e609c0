#include "capstan/collide/solid.hpp"

#include "capstan/errors.hpp"
#include "collide/rigid_support.hpp"

namespace capstan::test {
namespace {

TEST(Solid, IsHeldByItsBounds) {
  Random random(11);
  for (int kind = 0; kind < convex_kinds; ++kind)
    for (int i = 0; i < 50; ++i) {
      const Solid solid = random_solid(random, kind);
      const Frame pose = random_frame(random, 100);
      const Bounds box = bounds(solid, pose, 0.01);
      for (int axis = 0; axis < 3; ++axis) {
        const double high = reach_along(solid, pose, Vector3d::Unit(axis)) + 0.01;
        const double low = -reach_along(solid, pose, -Vector3d::Unit(axis)) - 0.01;
        EXPECT_GE(box.high[axis], high);
        EXPECT_LE(box.low[axis], low);
        EXPECT_NEAR(box.high[axis], high, 1e-4);
        EXPECT_NEAR(box.low[axis], low, 1e-4);
        EXPECT_LE(high - 0.01 - pose.x[axis], solid.bounding_radius() + 1e-12);
      }
    }
  const Bounds all = bounds(Solid::half_space(), Frame(), 0);
  EXPECT_TRUE(all.meets(bounds(Solid::sphere(1), at(1e6, -1e6, 1e6), 0)));
  const Bounds of_mesh = bounds(Solid::mesh(box_mesh({1, 2, 3})), at(1, 1, 1), 0);
  EXPECT_NEAR(of_mesh.low[1], -1, 1e-6);
  EXPECT_NEAR(of_mesh.high[2], 4, 1e-5);
}

// Also where the file has six digits, so that the two triangles of a side are not quite in one plane.
TEST(Solid, OfAConvexMeshIsAHull) {
  Random random(4);
  for (int i = 0; i < 20; ++i) {
    TriangleSoup soup = box_mesh({1, 0.7, 0.4})->soup();
    const Frame turn = random_frame(random, 1);
    for (Vector3d& x : soup.vertices) x = ((1e6 * turn.apply(x)).array().round() / 1e6).matrix();
    const Solid solid = Solid::mesh(std::make_shared<TriangleMesh>(soup));
    const auto* hull = std::get_if<Solid::Hull>(&solid.kind());
    ASSERT_TRUE(hull);
    EXPECT_EQ(hull->polytope->faces.size(), 6u);
    EXPECT_EQ(hull->polytope->vertices.size(), 8u);
    EXPECT_NEAR(solid.thickness(), 0.8, 1e-5);
  }
  const Solid hollow = Solid::mesh(hollow_box_mesh({1, 0.7, 0.4}));
  EXPECT_TRUE(std::holds_alternative<Solid::General>(hollow.kind()));
}

TEST(Solid, RefusesWhatItCannotBe) {
  EXPECT_THROW(Solid::sphere(0), InputError);
  EXPECT_THROW(Solid::capsule(1, -1), InputError);
  EXPECT_THROW(Solid::box({1, -1, 1}), InputError);
  EXPECT_THROW(Solid::cylinder(1, 0), InputError);
  EXPECT_THROW(Solid::hull(nullptr), InputError);
  EXPECT_THROW(Solid::mesh(nullptr), InputError);
  EXPECT_THROW(Solid::general(nullptr, {-1, -1, -1}, {1, 1, 1}), InputError);
  EXPECT_THROW(Solid::general(std::make_shared<RoundedRod>(1), {1, 1, 1}, {-1, -1, -1}), InputError);
}

}  // namespace
}  // namespace capstan::test
