#include "capstan/collide/convex_hull.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>

#include "capstan/errors.hpp"
#include "collide/support.hpp"

namespace capstan::test {
namespace {

std::vector<Vector3d> corners_of_box(const Vector3d& half) { return polytope_of_box(half).vertices; }

std::vector<Vector3d> random_points(std::uint64_t seed, int count) {
  Random random(seed);
  std::vector<Vector3d> points;
  for (int i = 0; i < count; ++i) points.push_back(random_point(random));
  return points;
}

/// A grid of n^3 points in the unit cube, turned: most lie on faces and edges of their hull, to rounding.
std::vector<Vector3d> turned_grid(int n, std::uint64_t seed) {
  Random random(seed);
  const Eigen::Matrix3d R = random_rotation(random);
  const Vector3d x = random_point(random);
  std::vector<Vector3d> points;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) points.push_back(x + R * Vector3d(i, j, k) / (n - 1));
  return points;
}

/// Loops turn counterclockwise about their outward normals, all vertices are below all faces, every edge
/// belongs to the two faces it names, and Euler counts them.
void expect_sound(const Polytope& p) {
  const double accuracy = 1e-8;
  ASSERT_EQ(p.normals.size(), p.faces.size());
  ASSERT_EQ(p.offsets.size(), p.faces.size());
  EXPECT_EQ(int(p.vertices.size()) - int(p.edges.size()) + int(p.faces.size()), 2);
  std::size_t sides = 0;
  for (std::size_t f = 0; f < p.faces.size(); ++f) {
    const auto& loop = p.faces[f];
    ASSERT_GE(loop.size(), 3u);
    sides += loop.size();
    EXPECT_NEAR(p.normals[f].norm(), 1, 1e-12);
    for (std::size_t k = 0; k < loop.size(); ++k) {
      const Vector3d &a = p.vertices[loop[k]], &b = p.vertices[loop[(k + 1) % loop.size()]],
                     &c = p.vertices[loop[(k + 2) % loop.size()]];
      EXPECT_NEAR(p.normals[f].dot(a), p.offsets[f], accuracy);
      EXPECT_GT((b - a).cross(c - b).dot(p.normals[f]), 0);
    }
    for (const Vector3d& v : p.vertices) EXPECT_LE(p.normals[f].dot(v), p.offsets[f] + 1e-14);
  }
  EXPECT_EQ(sides, 2 * p.edges.size());
  for (const Polytope::Edge& e : p.edges)
    for (const int face : {e.left, e.right})
      for (const int v : {e.from, e.to})
        EXPECT_NE(std::find(p.faces[face].begin(), p.faces[face].end(), v), p.faces[face].end());
}

TEST(ConvexHull, OfTheCornersOfABoxHasSixFaces) {
  const ConvexHull hull(corners_of_box({1, 2, 3}));
  EXPECT_EQ(hull.vertices().size(), 8u);
  EXPECT_EQ(hull.edges().size(), 12u);
  ASSERT_EQ(hull.faces().size(), 6u);
  for (const auto& loop : hull.faces()) EXPECT_EQ(loop.size(), 4u);
  EXPECT_EQ(hull.polytope().directions.size(), 3u);
  expect_sound(hull.polytope());
  expect_sound(polytope_of_box({1, 2, 3}));
}

TEST(ConvexHull, DropsPointsWithinFacesAndEdges) {
  for (int seed = 1; seed <= 20; ++seed) {
    const ConvexHull hull(turned_grid(4, seed));
    EXPECT_EQ(hull.vertices().size(), 8u) << seed;
    EXPECT_EQ(hull.faces().size(), 6u) << seed;
    expect_sound(hull.polytope());
  }
}

TEST(ConvexHull, HoldsAllPoints) {
  for (int count : {4, 5, 8, 20, 100}) {
    const std::vector<Vector3d> points = random_points(count, count);
    const ConvexHull hull(points);
    expect_sound(hull.polytope());
    for (const Vector3d& p : points) EXPECT_LE(hull.closest(p).distance, 1e-12);
  }
}

// A prism on a regular polygon: two faces with n corners, and n with four.
TEST(ConvexHull, MergesTheTrianglesOfAPrism) {
  std::vector<Vector3d> points;
  for (int i = 0; i < 24; ++i)
    for (const double z : {-0.3, 0.3})
      points.emplace_back(std::cos(i * std::numbers::pi / 12), std::sin(i * std::numbers::pi / 12), z);
  const ConvexHull hull(points);
  expect_sound(hull.polytope());
  std::multiset<std::size_t> sizes;
  for (const auto& loop : hull.faces()) sizes.insert(loop.size());
  EXPECT_EQ(sizes.count(24), 2u);
  EXPECT_EQ(sizes.count(4), 24u);
}

TEST(ConvexHull, HasTheDistancesOfABox) {
  const Vector3d half(0.5, 0.9, 1.2);
  const ConvexHull hull(corners_of_box(half));
  const Box box(half);
  Random random(1);
  for (int i = 0; i < 3000; ++i) {
    const Vector3d p = random_point(random, 2);
    const SurfacePoint expected = box.closest(p), found = hull.closest(p);
    EXPECT_NEAR(found.distance, expected.distance, 1e-14);
    EXPECT_LT((found.n - expected.n).norm(), 1e-12);
    EXPECT_LT((found.x - expected.x).norm(), 1e-12);
    EXPECT_LE(hull.distance_at_least(p), expected.distance + 1e-14);
  }
}

// What every closest point of a convex solid obeys: it is on the surface, and no vertex is beyond the plane
// through it; inside, the ball of that radius touches a face and no plane of another is nearer.
TEST(ConvexHull, HasTheClosestPointOfAll) {
  const ConvexHull hull(random_points(3, 30));
  Random random(2);
  int inside = 0;
  for (int i = 0; i < 1000; ++i) {
    const Vector3d p = random_point(random, 1.5);
    const SurfacePoint at = hull.closest(p);
    EXPECT_NEAR(at.n.norm(), 1, 1e-12);
    EXPECT_LT((at.x + at.distance * at.n - p).norm(), 1e-12);
    EXPECT_NEAR(hull.closest(at.x).distance, 0, 1e-12);
    if (at.distance > 0) {
      for (const Vector3d& v : hull.vertices()) EXPECT_LE(at.n.dot(v - at.x), 1e-12);
    } else {
      ++inside;
      for (std::size_t f = 0; f < hull.faces().size(); ++f)
        EXPECT_LE(hull.normals()[f].dot(p) - hull.polytope().offsets[f], at.distance + 1e-15);
    }
  }
  EXPECT_GT(inside, 50);
}

void expect_refused(const std::vector<Vector3d>& points, const std::string& why) {
  try {
    const ConvexHull hull(points);
    ADD_FAILURE() << "accepted, expected to be refused: " << why;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
  }
}

TEST(ConvexHull, RefusesWhatIsNoSolid) {
  expect_refused({}, "0 points");
  expect_refused({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, "3 points");
  expect_refused({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0.3, 0.2, 1e-12}}, "one plane");
  expect_refused({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}}, "one plane");
  expect_refused({{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}}, "one plane");
  expect_refused({{0, 0, 0}, {1, 0, 0}, {0, std::nan(""), 0}, {0, 0, 1}}, "point 2");
  expect_refused({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, std::numeric_limits<double>::infinity()}},
                 "point 3");
}

}  // namespace
}  // namespace capstan::test
