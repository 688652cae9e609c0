#include "capstan/collide/manifold.hpp"

#include <numbers>

#include "capstan/errors.hpp"
#include "collide/rigid_support.hpp"

namespace capstan::test {
namespace {

constexpr double kMargin = 0.01;
const Vector3d kUp = Vector3d::UnitZ();

/// All points have this normal and gap, and on_a is above on_b by it.
void expect_all(const Manifold& points, std::size_t count, const Vector3d& n, double gap) {
  ASSERT_EQ(points.size(), count);
  for (const ManifoldPoint& p : points) {
    EXPECT_LT((p.n - n).norm(), 1e-9);
    EXPECT_NEAR(p.gap, gap, 1e-9);
    EXPECT_LT((p.on_a - p.on_b - gap * n).norm(), 1e-9);
  }
}

// ---- boxes

TEST(Manifold, OfABoxOnAPlaneHasItsFourCorners) {
  for (const double gap : {0.004, 0.0, -0.02}) {
    const Manifold points =
        manifold(Solid::box({1, 2, 0.5}), at(3, 4, 0.5 + gap), Solid::half_space(), Frame(), kMargin);
    expect_all(points, 4, kUp, gap);
    for (const double x : {2.0, 4.0})
      for (const double y : {2.0, 6.0}) EXPECT_TRUE(has_point_at(points, {x, y, 0}));
  }
  EXPECT_TRUE(
      manifold(Solid::box({1, 2, 0.5}), at(3, 4, 0.511), Solid::half_space(), Frame(), kMargin).empty());
}

TEST(Manifold, OfEqualBoxesStackedExactlyHasTheFourCorners) {
  const Solid box = Solid::box({0.5, 0.5, 0.5});
  for (const double gap : {0.005, 0.0, -0.001}) {
    const Manifold points = manifold(box, at(0, 0, 1 + gap), box, Frame(), kMargin);
    expect_all(points, 4, kUp, gap);
    for (const double x : {-0.5, 0.5})
      for (const double y : {-0.5, 0.5}) EXPECT_TRUE(has_point_at(points, {x, y, 0.5}));
  }
}

// [-1, 1]^2 and [0.3, 2.3] x [-0.4, 1.6] have [0.3, 1] x [-0.4, 1] in common.
TEST(Manifold, OfAnOverhangingBoxHasTheCornersOfTheOverlap) {
  const Solid box = Solid::box({1, 1, 1});
  const Manifold points = manifold(box, at(1.3, 0.6, 1.999), box, Frame(), kMargin);
  expect_all(points, 4, kUp, -0.001);
  for (const double x : {0.3, 1.0})
    for (const double y : {-0.4, 1.0}) EXPECT_TRUE(has_point_at(points, {x, y, 1}));
}

// No corner of either is above the other: all four are crossings of edges.
TEST(Manifold, OfCrossedPlanksHasTheFourCrossings) {
  const Solid plank = Solid::box({1, 0.1, 0.05});
  for (const double gap : {0.002, -0.002}) {
    const Frame across = turned({0.1, 0.2, 0.1 + gap}, std::numbers::pi / 2, kUp);
    const Manifold points = manifold(plank, across, plank, Frame(), kMargin);
    expect_all(points, 4, kUp, gap);
    for (const double x : {0.0, 0.2})
      for (const double y : {-0.1, 0.1}) EXPECT_TRUE(has_point_at(points, {x, y, 0.05}));
  }
}

// A square over an equal one turned by 45 degrees: a regular octagon, of which four corners stay. Any
// quadrilateral of corners of an octagon with circumradius r has at most the area of the square, 2 r^2.
TEST(Manifold, KeepsTheLargestFourOfAnOctagon) {
  const Solid box = Solid::box({1, 1, 0.5});
  const Manifold points =
      manifold(box, turned({0, 0, 0.999}, std::numbers::pi / 4, kUp), box, Frame(), kMargin);
  expect_all(points, 4, kUp, -0.001);
  const double r2 = 1 + std::pow(std::sqrt(2.0) - 1, 2);
  for (const ManifoldPoint& p : points) EXPECT_NEAR(p.on_b.head<2>().squaredNorm(), r2, 1e-9);
  const auto side = [&](int i) { return Vector3d(points[(i + 1) % 4].on_b - points[i].on_b); };
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(side(i).squaredNorm(), 2 * r2, 1e-9);  // a square
}

// Two edges at 45 degrees to the ground, at right angles to each other: one point, straight above.
TEST(Manifold, OfTwoEdgesThatCrossIsOnePoint) {
  const Solid box = Solid::box({1, 1, 1});
  const double ridge = std::sqrt(2.0), quarter = std::numbers::pi / 4;
  for (const double gap : {0.005, -0.005}) {
    const Frame below = turned({0, 0, 0}, quarter, Vector3d::UnitX());
    const Frame above = turned({0.2, 0.3, 2 * ridge + gap}, quarter, Vector3d::UnitY());
    const Manifold points = manifold(box, above, box, below, kMargin);
    expect_all(points, 1, kUp, gap);
    EXPECT_LT((points[0].on_b - Vector3d(0.2, 0, ridge)).norm(), 1e-9);
    EXPECT_LT((points[0].on_a - Vector3d(0.2, 0, ridge + gap)).norm(), 1e-9);
  }
}

// Ridges that are parallel touch along a line: its two ends.
TEST(Manifold, OfTwoParallelRidgesIsTwoPoints) {
  const Solid box = Solid::box({1, 1, 1});
  const Frame below = turned({0, 0, 0}, std::numbers::pi / 4, Vector3d::UnitX());
  const Frame above = turned({0.4, 0, 2 * std::sqrt(2.0) + 0.003}, std::numbers::pi / 4, Vector3d::UnitX());
  const Manifold points = manifold(box, above, box, below, kMargin);
  expect_all(points, 2, kUp, 0.003);
  EXPECT_TRUE(has_point_at(points, {-0.6, 0, std::sqrt(2.0)}));
  EXPECT_TRUE(has_point_at(points, {1, 0, std::sqrt(2.0)}));
}

// On its edge: the two ends of it. On its corner: that.
TEST(Manifold, OfABoxOnItsEdgeOrCornerHasTwoPointsOrOne) {
  const Solid box = Solid::box({1, 1, 1}), table = Solid::box({5, 5, 1});
  const double quarter = std::numbers::pi / 4;
  expect_all(manifold(box, turned({0, 0, 1 + std::sqrt(2.0) - 0.001}, quarter, Vector3d::UnitX()), table,
                      Frame(), kMargin),
             2, kUp, -0.001);
  const Eigen::Matrix3d on_corner =
      Eigen::Quaterniond::FromTwoVectors(Vector3d(-1, -1, -1), -kUp).toRotationMatrix();
  expect_all(manifold(box, {Vector3d(0, 0, 1 + std::sqrt(3.0) - 0.001), on_corner}, table, Frame(), kMargin),
             1, kUp, -0.001);
}

// Corner against corner: apart by (3, 4, 12) thousandths, 13 in all, while along each axis it is 12 at most.
TEST(Manifold, OfTwoCornersHasTheTrueDistance) {
  const Solid box = Solid::box({1, 1, 1});
  const Vector3d apart(0.003, 0.004, 0.012);
  const Frame above{Vector3d(2, 2, 2) + apart, Eigen::Matrix3d::Identity()};
  EXPECT_TRUE(manifold(box, above, box, Frame(), 0.0129).empty());
  const Manifold points = manifold(box, above, box, Frame(), 0.0131);
  expect_all(points, 1, apart / 0.013, 0.013);
  EXPECT_LT((points[0].on_b - Vector3d(1, 1, 1)).norm(), 1e-9);
}

// Edges above edges, and a hair of tilt: the normal stays that of a face, and four corners remain.
TEST(Manifold, OfRestingBoxesDoesNotFlicker) {
  Random random(3);
  const Solid box = Solid::box({0.5, 0.3, 0.2});
  for (int i = 0; i < 200; ++i) {
    const Frame pose = turned({0, 0, 0.4 - 1e-5}, 3e-7, random_point(random));
    const Manifold points = manifold(box, pose, box, Frame(), 1e-3);
    ASSERT_EQ(points.size(), 4u);
    for (const ManifoldPoint& p : points) {
      EXPECT_LT(std::min((p.n - kUp).norm(), (p.n - pose.R.col(2)).norm()), 1e-12);
      EXPECT_NEAR(p.gap, -1e-5, 1e-6);
      EXPECT_NEAR(std::abs(p.on_b.x()), 0.5, 1e-6);
      EXPECT_NEAR(std::abs(p.on_b.y()), 0.3, 1e-6);
    }
  }
}

// ---- balls and capsules

// Above a face, off an edge (3, 4), off a corner (2, 3, 6), and inside next to the face x = 1.
TEST(Manifold, OfABallAndABoxIsExactInAllRegions) {
  const Solid ball = Solid::sphere(0.5), box = Solid::box({1, 2, 3});
  const auto only = [&](const Vector3d& x) {
    const Manifold points = manifold(ball, {x, Eigen::Matrix3d::Identity()}, box, Frame(), 100);
    EXPECT_EQ(points.size(), 1u);
    return points.at(0);
  };
  EXPECT_NEAR(only({3, 0, 0}).gap, 1.5, 1e-12);
  EXPECT_NEAR(only({4, 6, 0}).gap, 4.5, 1e-12);
  EXPECT_NEAR(only({3, 5, 9}).gap, 6.5, 1e-12);
  EXPECT_LT((only({3, 5, 9}).n - Vector3d(2, 3, 6) / 7).norm(), 1e-12);
  EXPECT_LT((only({3, 5, 9}).on_b - Vector3d(1, 2, 3)).norm(), 1e-12);
  EXPECT_NEAR(only({0.75, 0, 0}).gap, -0.75, 1e-12);
  EXPECT_LT((only({0.75, 0, 0}).n - Vector3d::UnitX()).norm(), 1e-12);
}

TEST(Manifold, OfACapsuleThatLiesHasItsTwoEnds) {
  const Solid capsule = Solid::capsule(0.1, 0.5);
  const auto lying = [](double height) {
    return turned({0.2, 0, height}, std::numbers::pi / 2, Vector3d::UnitY());  // along x
  };
  const Manifold on_plane = manifold(capsule, lying(0.099), Solid::half_space(), Frame(), kMargin);
  expect_all(on_plane, 2, kUp, -0.001);
  EXPECT_TRUE(has_point_at(on_plane, {-0.3, 0, 0}) && has_point_at(on_plane, {0.7, 0, 0}));
  // A table that ends at x = 0.4: the core's end beyond it has nothing below.
  const Manifold on_table = manifold(capsule, lying(0.603), Solid::box({0.4, 1, 0.5}), Frame(), kMargin);
  expect_all(on_table, 2, kUp, 0.003);
  EXPECT_TRUE(has_point_at(on_table, {-0.3, 0, 0.5}) && has_point_at(on_table, {0.4, 0, 0.5}));
  // Beside another one, 0.8 of the way.
  const Manifold beside = manifold(capsule, lying(0.2), capsule,
                                   turned({0, 0, 0}, std::numbers::pi / 2, Vector3d::UnitY()), kMargin);
  expect_all(beside, 2, kUp, 0);
  EXPECT_TRUE(has_point_at(beside, {-0.3, 0, 0.1}) && has_point_at(beside, {0.5, 0, 0.1}));
}

TEST(Manifold, OfACapsuleAcrossSomethingIsOnePoint) {
  const Solid capsule = Solid::capsule(0.1, 0.5);
  const Frame along_x = turned({0, 0, 0}, std::numbers::pi / 2, Vector3d::UnitY());
  const Frame along_y = turned({0.1, 0.2, 0.198}, std::numbers::pi / 2, Vector3d::UnitX());
  const Manifold crossed = manifold(capsule, along_y, capsule, along_x, kMargin);
  expect_all(crossed, 1, kUp, -0.002);
  EXPECT_LT((crossed[0].on_b - Vector3d(0.1, 0, 0.1)).norm(), 1e-9);
  // Upright: its round end.
  expect_all(manifold(capsule, at(0, 0, 0.605), Solid::half_space(), Frame(), kMargin), 1, kUp, 0.005);
  // Across the ridge of a box on its edge.
  const Frame ridge = turned({0, 0, 0}, std::numbers::pi / 4, Vector3d::UnitX());
  expect_all(manifold(capsule, {Vector3d(0.1, 0.2, std::sqrt(2.0) + 0.1), along_y.R}, Solid::box({1, 1, 1}),
                      ridge, kMargin),
             1, kUp, 0);
}

TEST(Manifold, OfCapsulesWithOneCoreHasADirection) {
  const Solid capsule = Solid::capsule(0.1, 0.5);
  for (const ManifoldPoint& p : manifold(capsule, Frame(), capsule, Frame(), kMargin)) {
    EXPECT_NEAR(p.n.norm(), 1, 1e-12);
    EXPECT_NEAR(p.n.z(), 0, 1e-12);
    EXPECT_NEAR(p.gap, -0.2, 1e-12);
  }
}

// ---- cylinders

TEST(Manifold, OfACylinderThatStandsHasFourPointsOfItsRim) {
  const Solid cylinder = Solid::cylinder(0.3, 0.5);
  Random random(5);
  for (int i = 0; i < 50; ++i) {
    // Turned about its axis, and tilted by rounding and a little more.
    const double turn = random.uniform(0, 6), tilt = i % 2 ? 0 : 1e-9;
    const Frame pose{Vector3d(0.1, 0.2, 0.4995), (Eigen::AngleAxisd(tilt, random_point(random).normalized()) *
                                                  Eigen::AngleAxisd(turn, kUp))
                                                     .toRotationMatrix()};
    for (const bool on_box : {false, true}) {
      const Frame table = on_box ? at(0, 0, -0.5) : Frame();
      const Manifold points =
          manifold(cylinder, pose, on_box ? Solid::box({1, 1, 0.5}) : Solid::half_space(), table, kMargin);
      ASSERT_EQ(points.size(), 4u);
      for (const Vector3d& rim :
           {Vector3d(0.3, 0, -0.5), Vector3d(0, 0.3, -0.5), Vector3d(-0.3, 0, -0.5), Vector3d(0, -0.3, -0.5)})
        EXPECT_TRUE(std::any_of(points.begin(), points.end(), [&](const ManifoldPoint& p) {
          return (p.on_a - pose.apply(rim)).norm() < 2e-3 && std::abs(p.gap + 0.0005) < 1e-8;
        }));
    }
  }
}

TEST(Manifold, OfACylinderThatLiesHasTheEndsOfItsLine) {
  const Solid cylinder = Solid::cylinder(0.3, 0.5);
  const Frame lying = turned({0, 0, 0.302}, std::numbers::pi / 2, Vector3d::UnitY());
  for (const bool on_box : {false, true}) {
    const Manifold points = manifold(cylinder, lying, on_box ? Solid::box({1, 1, 0.5}) : Solid::half_space(),
                                     on_box ? at(0, 0, -0.5) : Frame(), kMargin);
    expect_all(points, 2, kUp, 0.002);
    EXPECT_TRUE(has_point_at(points, {-0.5, 0, 0}) && has_point_at(points, {0.5, 0, 0}));
  }
}

// Tilted by t its lowest point is r sin t + h cos t below its centre.
TEST(Manifold, OfACylinderOnItsRimIsThatPoint) {
  const double r = 0.3, h = 0.5;
  Random random(6);
  for (const double t : {0.02, 0.3, 0.8, 1.2, 1.55}) {
    const double turn = random.uniform(0, 6), height = r * std::sin(t) + h * std::cos(t) - 1e-4;
    const Frame pose{
        Vector3d(0.1, 0.2, height),
        (Eigen::AngleAxisd(t, Vector3d::UnitY()) * Eigen::AngleAxisd(turn, kUp)).toRotationMatrix()};
    for (const bool on_box : {false, true}) {
      const Manifold points =
          manifold(Solid::cylinder(r, h), pose, on_box ? Solid::box({1, 1, 0.5}) : Solid::half_space(),
                   on_box ? at(0, 0, -0.5) : Frame(), 1e-3);
      ASSERT_FALSE(points.empty());
      EXPECT_NEAR(least_gap(points), -1e-4, 1e-9) << t;
      // It lies on the side towards which the top leans: x = 0.1 + r cos t - h sin t.
      const double x = 0.1 + r * std::cos(t) - h * std::sin(t);
      EXPECT_TRUE(has_point_at(points, {x, 0.2, 0}, 1e-6)) << t;
    }
  }
}

// Tilted by t the rim rises by r sin t at its sides and by twice that across.
TEST(Manifold, OfATiltedCoinHasTheRestOfItsRimWithinTheMargin) {
  const double r = 0.3, h = 0.15, t = 0.2;
  const Frame pose = turned({0, 0, r * std::sin(t) + h * std::cos(t)}, t, Vector3d::UnitY());
  for (const bool on_box : {false, true}) {
    const Solid ground = on_box ? Solid::box({1, 1, 0.5}) : Solid::half_space();
    const Frame table = on_box ? at(0, 0, -0.5) : Frame();
    const Manifold wide = manifold(Solid::cylinder(r, h), pose, ground, table, 0.2);
    ASSERT_EQ(wide.size(), 4u);
    const auto has_gap = [&](double gap) {
      return std::any_of(wide.begin(), wide.end(),
                         [&](const ManifoldPoint& p) { return std::abs(p.gap - gap) < 1e-9; });
    };
    EXPECT_TRUE(has_gap(0) && has_gap(r * std::sin(t)) && has_gap(2 * r * std::sin(t)));
    EXPECT_EQ(manifold(Solid::cylinder(r, h), pose, ground, table, 0.01).size(), 1u);
  }
}

TEST(Manifold, OfTwoCylindersKnowsSidesAndEnds) {
  const Solid cylinder = Solid::cylinder(0.3, 0.5);
  // Upright, side by side, shifted by 0.2: a line of 0.8.
  const Manifold beside = manifold(cylinder, at(0.6, 0, 0.2), cylinder, Frame(), kMargin);
  expect_all(beside, 2, Vector3d::UnitX(), 0);
  EXPECT_TRUE(has_point_at(beside, {0.3, 0, -0.3}) && has_point_at(beside, {0.3, 0, 0.5}));
  // Crossed: one point.
  const Frame lying_x = turned({0, 0, 0}, std::numbers::pi / 2, Vector3d::UnitY());
  const Frame lying_y = turned({0.1, 0.2, 0.597}, std::numbers::pi / 2, Vector3d::UnitX());
  const Manifold crossed = manifold(cylinder, lying_y, cylinder, lying_x, kMargin);
  expect_all(crossed, 1, kUp, -0.003);
  EXPECT_LT((crossed[0].on_b - Vector3d(0.1, 0, 0.3)).norm(), 1e-6);
  // On top of each other.
  expect_all(manifold(cylinder, at(0, 0, 1), cylinder, Frame(), kMargin), 4, kUp, 0);
}

// ---- other shapes

TEST(Manifold, OfThingsOnAMeshIsThatOfABox) {
  const Solid table = Solid::mesh(hollow_box_mesh({2, 2, 0.5}));
  const Frame low = at(0, 0, -0.5);
  expect_all(manifold(Solid::sphere(0.1), at(0, 0, 0.095), table, low, kMargin), 1, kUp, -0.005);
  expect_all(manifold(Solid::box({0.3, 0.2, 0.1}), at(0, 0, 0.098), table, low, kMargin), 4, kUp, -0.002);
  expect_all(manifold(Solid::capsule(0.1, 0.5),
                      turned({0, 0, 0.101}, std::numbers::pi / 2, Vector3d::UnitY()), table, low, kMargin),
             2, kUp, 0.001);
  expect_all(manifold(Solid::cylinder(0.3, 0.2), at(0, 0, 0.2), table, low, kMargin), 4, kUp, 0);
  expect_all(manifold(Solid::mesh(hollow_box_mesh({0.3, 0.2, 0.1})), at(0, 0, 0.1), table, low, kMargin), 4,
             kUp, 0);
  expect_all(manifold(table, at(0, 0, 0.499), Solid::half_space(), Frame(), kMargin), 4, kUp, -0.001);
  EXPECT_TRUE(manifold(Solid::box({0.3, 0.2, 0.1}), at(0, 0, 0.12), table, low, kMargin).empty());
}

/// What is fast is looked at with a wide margin; it stands on its lowest points all the same.
TEST(Manifold, IsThatOfThePointsThatCarryAlsoWithAWideMargin) {
  std::vector<Vector3d> points;  // a square foot, a wider square above, a roof
  for (const double x : {-1.0, 1.0})
    for (const double y : {-1.0, 1.0})
      points.insert(points.end(), {{0.5 * x, 0.5 * y, 0}, {0.6 * x, 0.6 * y, 0.03}, {0.6 * x, 0.6 * y, 1}});
  const Solid hull = Solid::hull(std::make_shared<ConvexHull>(points));
  expect_all(manifold(hull, Frame(), Solid::half_space(), Frame(), 0.1), 4, kUp, 0);
  // A cylinder that lies on a mesh: its rims rise by 0.03 at 0.17 to either side.
  const Solid cylinder = Solid::cylinder(0.5, 0.8), table = Solid::mesh(hollow_box_mesh({3, 3, 0.5}));
  const Manifold lying =
      manifold(cylinder, turned({0, 0, 1}, std::numbers::pi / 2, {1, 0, 0}), table, Frame(), 0.1);
  for (const double end : {-0.8, 0.8})
    EXPECT_TRUE(std::any_of(lying.begin(), lying.end(), [&](const ManifoldPoint& p) {
      return std::abs(p.on_a.y() - end) < 1e-9 && std::abs(p.gap) < 1e-9;
    }));
}

// A large box on the corners of a small mesh: its faces touch, not its corners.
TEST(Manifold, SeesTheCornersOfAMeshUnderAFace) {
  const Solid post = Solid::mesh(hollow_box_mesh({0.1, 0.2, 0.5}));
  const Manifold points = manifold(Solid::box({2, 2, 0.5}), at(0.3, 0, 0.999), post, Frame(), kMargin);
  expect_all(points, 4, kUp, -0.001);
}

// Two ridges that cross, one or both of a mesh: neither has a corner near. Also where both are in their
// middle.
TEST(Manifold, SeesTheEdgesOfABoxAcrossAMesh) {
  const Solid mesh = Solid::mesh(hollow_box_mesh({1, 1, 1}));
  const Frame below = turned({0, 0, 0}, std::numbers::pi / 4, Vector3d::UnitX());
  for (const Solid& box : {Solid::box({1, 1, 1}), mesh})
    for (const double aside : {0.3, 0.0}) {
      const Frame above =
          turned({0.2, aside, 2 * std::sqrt(2.0) - 0.004}, std::numbers::pi / 4, Vector3d::UnitY());
      const Manifold points = manifold(box, above, mesh, below, kMargin);
      ASSERT_EQ(points.size(), 1u);
      // The edge is deepest below the ridge, 0.004 under it: 0.004 / sqrt 2 from both sides of the roof.
      EXPECT_NEAR(points[0].gap, -0.004 / std::sqrt(2.0), 1e-6);
      EXPECT_NEAR(points[0].on_a.y(), 0, 1e-6);
    }
}

// A cylinder that lies across the ridge of a mesh: its rims are far away.
TEST(Manifold, SeesTheRidgeOfAMeshUnderTheSideOfACylinder) {
  const Solid mesh = Solid::mesh(hollow_box_mesh({1, 1, 1}));
  const Frame below = turned({0, 0, 0}, std::numbers::pi / 4, Vector3d::UnitX());
  const Frame lying = turned({0.1, 0.2, std::sqrt(2.0) + 0.297}, std::numbers::pi / 2, Vector3d::UnitX());
  const Manifold points = manifold(Solid::cylinder(0.3, 0.7), lying, mesh, below, kMargin);
  EXPECT_NEAR(least_gap(points), -0.003, 1e-6);
}

// Two posts of different height, a level rod over both: the lower one is seen beside the higher.
TEST(Manifold, OfACapsuleOverTwoPostsOfAMeshHasBoth) {
  TriangleSoup soup;
  for (const auto& [x, high] : {std::pair(-0.5, 0.0), std::pair(0.3, 0.003)}) {
    const int first = int(soup.vertices.size());
    const TriangleSoup post = hollow_box_mesh({0.05, 0.05, 0.5})->soup();
    for (const Vector3d& v : post.vertices) soup.vertices.push_back(v + Vector3d(x, 0, high - 0.5));
    for (const auto& [a, b, c] : post.triangles) soup.triangles.push_back({a + first, b + first, c + first});
  }
  const Solid posts = Solid::mesh(std::make_shared<TriangleMesh>(soup));
  const Frame level = turned({0, 0, 0.105}, std::numbers::pi / 2, Vector3d::UnitY());
  const Manifold points = manifold(Solid::capsule(0.1, 1), level, posts, Frame(), kMargin);
  EXPECT_NEAR(least_gap(points), 0.002, 1e-9);
  const auto over = [&](double x, double gap) {
    return std::any_of(points.begin(), points.end(), [&](const ManifoldPoint& p) {
      return std::abs(p.on_b.x() - x) < 0.051 && std::abs(p.gap - gap) < 1e-9;
    });
  };
  EXPECT_TRUE(over(-0.5, 0.005));
  EXPECT_TRUE(over(0.3, 0.002));
}

TEST(Manifold, OfABoxInAValleyHasBothWalls) {
  // Two slopes of 45 degrees that meet in the line x = z = 0, cut from a block.
  const std::vector<Eigen::Vector2d> outline = {{0, 0}, {2, 2}, {2, -1}, {-2, -1}, {-2, 2}};
  TriangleSoup soup;
  for (const double y : {-3.0, 3.0})
    for (const auto& p : outline) soup.vertices.emplace_back(p.x(), y, p.y());
  const auto add = [&](int a, int b, int c) { soup.triangles.push_back({a, b, c}); };
  for (const auto& [a, b, c] : {Triangle{0, 1, 2}, Triangle{0, 2, 3}, Triangle{0, 3, 4}}) {
    add(a, c, b);
    add(a + 5, b + 5, c + 5);
  }
  for (int i = 0; i < 5; ++i) {
    const int j = (i + 1) % 5;
    add(i, j, j + 5);
    add(i, j + 5, i + 5);
  }
  const Solid valley = Solid::mesh(std::make_shared<TriangleMesh>(soup));
  const double r = 0.2;  // the box stands on its edge, its lower faces along the slopes
  const Frame pose = turned({0, 0, r * std::sqrt(2.0) - 0.001}, std::numbers::pi / 4, Vector3d::UnitY());
  int left = 0, right = 0;
  for (const ManifoldPoint& p : manifold(Solid::box({r, r, r}), pose, valley, Frame(), kMargin)) {
    // The lower edge lies in the line where the walls meet, and may have any direction between.
    if (std::abs(p.on_a.x()) < 1e-6) continue;
    EXPECT_NEAR(std::abs(p.n.x()), std::sqrt(0.5), 1e-9);
    EXPECT_NEAR(p.gap, -0.001 / std::sqrt(2.0), 1e-9);
    (p.n.x() > 0 ? left : right) += 1;
  }
  EXPECT_GE(left, 2);
  EXPECT_GE(right, 2);
}

}  // namespace
}  // namespace capstan::test
