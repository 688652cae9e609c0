#include "capstan/collide/triangle_mesh.hpp"

#include <map>
#include <numbers>

#include "capstan/collide/bust.hpp"
#include "capstan/collide/detect.hpp"
#include "capstan/errors.hpp"
#include "collide/support.hpp"

namespace capstan::test {
namespace {

TriangleSoup tetrahedron() {
  return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
}

TriangleSoup cube() {
  TriangleSoup soup;
  for (int i = 0; i < 8; ++i) soup.vertices.emplace_back(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
  const int quads[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                           {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (const auto& q : quads) {
    soup.triangles.push_back({q[0], q[1], q[2]});
    soup.triangles.push_back({q[0], q[2], q[3]});
  }
  return soup;
}

/// The tetrahedron's faces cut in four again and again, vertices on the unit sphere about the origin.
TriangleSoup sphere(int times) {
  TriangleSoup soup = {{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}},
                       {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}}};
  for (Vector3d& v : soup.vertices) v.normalize();
  for (; times > 0; --times) {
    std::map<std::pair<int, int>, int> middles;
    const auto middle = [&](int a, int b) {
      const auto [at, fresh] = middles.emplace(std::minmax(a, b), int(soup.vertices.size()));
      if (fresh) soup.vertices.push_back((soup.vertices[a] + soup.vertices[b]).normalized());
      return at->second;
    };
    std::vector<Triangle> finer;
    for (const auto& [a, b, c] : soup.triangles) {
      const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      finer.insert(finer.end(), {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}});
    }
    soup.triangles = finer;
  }
  return soup;
}

TEST(TriangleMesh, KnowsWhetherItIsConvex) {
  for (const TriangleSoup& soup : {cube(), tetrahedron()}) {
    EXPECT_TRUE(TriangleMesh(soup).convex());
    TriangleSoup two = soup;
    for (const Vector3d& x : soup.vertices) two.vertices.push_back(x + Vector3d(5, 0, 0));
    const int next = int(soup.vertices.size());
    for (const auto& [a, b, c] : soup.triangles) two.triangles.push_back({a + next, b + next, c + next});
    EXPECT_FALSE(TriangleMesh(two).convex());
  }
  for (const double out : {1.01, 0.99}) {  // a corner of the cube on the diagonals of three sides
    TriangleSoup moved = cube();
    moved.vertices[0] *= out;
    EXPECT_EQ(TriangleMesh(moved).convex(), out > 1);
  }
  TriangleSoup rounded = cube();
  rounded.vertices[7] *= 1 - 1e-8;
  EXPECT_TRUE(TriangleMesh(rounded).convex());
}

// A cube of triangles is the box, whose distance is known, inside and outside, off faces, edges and corners.
TEST(TriangleMesh, HasTheDistancesOfABox) {
  const TriangleMesh mesh(cube());
  const Box box({1, 1, 1});
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    const Vector3d p = random_point(random, 2);
    EXPECT_NEAR(mesh.closest(p).distance, box.closest(p).distance, 1e-12);
    EXPECT_LE(mesh.distance_at_least(p), box.closest(p).distance + 1e-12);
    if (box.closest(p).distance > 0) {
      EXPECT_LT((mesh.closest(p).n - box.closest(p).n).norm(), 1e-9);
    }
  }
}

TEST(TriangleMesh, FindsTheClosestOfAllTriangles) {
  const TriangleSoup soup = bust(BustPart::whole, 16, 16);
  const TriangleMesh mesh(soup);
  Random random(2);
  for (int i = 0; i < 100; ++i) {
    const Vector3d p = random_point(random, 0.35);
    double sampled = std::numeric_limits<double>::infinity();  // over points of all triangles
    double spacing = 0;
    for (const auto& [a, b, c] : soup.triangles)
      for (int j = 0; j <= 8; ++j)
        for (int k = 0; k <= 8 - j; ++k) {
          const Vector3d u = soup.vertices[b] - soup.vertices[a], v = soup.vertices[c] - soup.vertices[a];
          sampled = std::min(sampled, (p - soup.vertices[a] - j / 8.0 * u - k / 8.0 * v).norm());
          spacing = std::max(spacing, (u.norm() + v.norm()) / 8);
        }
    const double found = std::abs(mesh.closest(p).distance);
    EXPECT_LE(found, sampled + 1e-12);
    EXPECT_GE(found, sampled - spacing);
    // Three triangles around a point of a triangle have its area, around any other point more.
    const Vector3d x = mesh.closest(p).x;
    const auto [a, b, c] = soup.triangles[mesh.nearest_triangle(p)];
    const Vector3d to_a = soup.vertices[a] - x, to_b = soup.vertices[b] - x, to_c = soup.vertices[c] - x;
    EXPECT_NEAR(to_a.cross(to_b).norm() + to_b.cross(to_c).norm() + to_c.cross(to_a).norm(),
                (to_b - to_a).cross(to_c - to_a).norm(), 1e-12);
  }
}

// 4 * 4^5 = 4,096 triangles inscribed in the unit sphere. A triangle with edges up to h lies in a circle of
// radius h / sqrt(3), so it is at most 1 - sqrt(1 - h^2 / 3) below the sphere, and never above.
TEST(TriangleMesh, ApproachesASphereInsideAndOutside) {
  const TriangleMesh mesh(sphere(5));
  double h = 0;
  for (const auto& [a, b, c] : mesh.soup().triangles)
    h = std::max(h, (mesh.soup().vertices[a] - mesh.soup().vertices[b]).norm());
  const double below = 1 - std::sqrt(1 - h * h / 3);
  EXPECT_LT(below, 0.01);
  EXPECT_NEAR(mesh.volume(), 4 * std::numbers::pi / 3, 4 * std::numbers::pi * below);
  Random random(3);
  for (int i = 0; i < 2000; ++i) {
    const Vector3d p = random_point(random, 1.2);
    const SurfacePoint at = mesh.closest(p);
    EXPECT_GE(at.distance, p.norm() - 1 - 1e-12);
    EXPECT_LE(at.distance, p.norm() - 1 + below);
    if (p.norm() > 0.3) {
      EXPECT_GT(at.n.dot(p.normalized()), 0.95);
    }
  }
}

// A capsule from beside one cube, over the top of a small one, to beside a third: both its ends are closest
// to surfaces it leaves, and the middle touches.
TEST(TriangleMesh, TouchesCapsulesBetweenTwoOtherSurfaces) {
  TriangleSoup three;
  for (const Vector3d& centre : {Vector3d(-2, 0, 0), Vector3d(0, 0, -0.1), Vector3d(2, 0, 0)}) {
    const int first = int(three.vertices.size());
    for (const Vector3d& v : cube().vertices)
      three.vertices.push_back(centre + (centre.x() == 0 ? 0.1 : 1) * v);
    for (const auto& [a, b, c] : cube().triangles)
      three.triangles.push_back({first + a, first + b, first + c});
  }
  CollisionScene scene;
  add_polyline(scene, {.radius = 0.01, .margin = 0.001}, {{-0.95, 0, 0.01}, {0.95, 0, 0.01}});
  scene.obstacles.push_back(place({"cubes", std::make_shared<TriangleMesh>(three), Motion()}, 0, 0.01));
  const std::vector<Contact> contacts = detect(scene);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_NEAR(contacts[0].gap, 0, 1e-8);
  EXPECT_NEAR(contacts[0].point_a.x(), 0, 0.1 + 1e-6);
  EXPECT_LT((contacts[0].frame.col(0) - Vector3d::UnitZ()).norm(), 1e-9);
}

TEST(TriangleMesh, HasASignEverywhereOnItsEdgesAndVertices) {
  const TriangleMesh mesh(tetrahedron());
  for (const double out : {1e-3, -1e-3}) {
    for (const Vector3d& v : mesh.soup().vertices) {
      const Vector3d away = (v - Vector3d::Constant(0.2)).normalized();
      EXPECT_GT(mesh.closest(v + out * away).distance * out, 0);
      EXPECT_GT(mesh.closest(v).n.dot(away), 0.3);
    }
    const Vector3d edge(0.5, 0, 0), away = Vector3d(0, -1, -1).normalized();
    EXPECT_GT(mesh.closest(edge + out * away).distance * out, 0);
    EXPECT_LT((mesh.closest(edge).n - away).norm(), 1e-9);
  }
}

// By symmetry, though the diagonals of the faces give each corner four or five triangles, unevenly.
TEST(TriangleMesh, HasNormalsThatDoNotDependOnHowItIsCut) {
  const TriangleMesh mesh(cube());
  for (const Vector3d& corner : mesh.soup().vertices)
    EXPECT_LT((mesh.closest(corner).n - corner.normalized()).norm(), 1e-12);
}

void expect_refused(TriangleSoup soup, const std::string& part_of_message) {
  try {
    TriangleMesh mesh(std::move(soup), "head.obj");
    FAIL() << part_of_message;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(part_of_message), std::string::npos) << error.what();
    EXPECT_EQ(std::string(error.what()).find("head.obj"), 0u);
  }
}

TEST(TriangleMesh, RefusesWhatIsNotASolid) {
  TriangleSoup open = tetrahedron();
  open.triangles.pop_back();
  expect_refused(open, "is open: only triangle");
  TriangleSoup inside_out = tetrahedron();
  for (Triangle& t : inside_out.triangles) std::swap(t[0], t[1]);
  expect_refused(inside_out, "inside out");
  TriangleSoup one_turned = tetrahedron();
  std::swap(one_turned.triangles[2][0], one_turned.triangles[2][1]);
  expect_refused(one_turned, "run the same way");
  TriangleSoup unknown = tetrahedron();
  unknown.triangles[0][0] = 4;
  expect_refused(unknown, "triangle 0 has vertex 4");
  TriangleSoup repeated = tetrahedron();
  repeated.triangles[1] = {3, 1, 3};
  expect_refused(repeated, "vertex 3 twice");
  TriangleSoup infinite = tetrahedron();
  infinite.vertices[3].z() = std::numeric_limits<double>::infinity();
  expect_refused(infinite, "vertex 3 is not finite");
  expect_refused({}, "no triangles");
}

TEST(Bust, IsASolidOfHumanSize) {
  const TriangleMesh whole(bust()), head(bust(BustPart::head)), shoulders(bust(BustPart::shoulders));
  EXPECT_GT(whole.soup().triangles.size(), 2000u);
  EXPECT_LT(whole.soup().triangles.size(), 5000u);
  EXPECT_NEAR(head.volume(), 0.006, 0.002);  // m^3; a head with neck displaces 5 to 6 litres
  EXPECT_NEAR(shoulders.volume(), 0.0115, 0.004);
  EXPECT_LT(whole.volume(), head.volume() + shoulders.volume());
  for (const TriangleMesh* mesh : {&whole, &head})
    EXPECT_LT(mesh->closest(bust_head_centre()).distance, -0.06);
  EXPECT_GT(shoulders.closest(bust_head_centre()).distance, 0.1);
  EXPECT_NEAR(whole.closest({0, 0, 1}).distance, 0.704, 1e-3);
}

// Face normals lean at most this far from those of their neighbours: no folds, no spikes.
TEST(Bust, IsSmooth) {
  for (const BustPart part : {BustPart::whole, BustPart::head, BustPart::shoulders}) {
    const TriangleSoup soup = bust(part);
    std::map<std::pair<int, int>, Vector3d> normals;
    for (const auto& [a, b, c] : soup.triangles) {
      const Vector3d n =
          (soup.vertices[b] - soup.vertices[a]).cross(soup.vertices[c] - soup.vertices[a]).normalized();
      for (const auto& edge : {std::pair(a, b), std::pair(b, c), std::pair(c, a)}) normals[edge] = n;
    }
    double sharpest = 1;
    for (const auto& [edge, n] : normals)
      sharpest = std::min(sharpest, n.dot(normals.at({edge.second, edge.first})));
    EXPECT_GT(sharpest, 0.5);
  }
}

TEST(Bust, LetsRaysLeaveThroughTheScalp) {
  const TriangleMesh head(bust(BustPart::head));
  Random random(4);
  for (int i = 0; i < 50; ++i) {
    Vector3d d = random_point(random);
    d.z() = std::abs(d.z());
    const SurfacePoint root = exit_point(head, bust_head_centre(), d);
    EXPECT_NEAR(root.distance, 0, 1e-8);
    EXPECT_GT(root.n.dot(d.normalized()), 0.6);
    EXPECT_LT((root.x - bust_head_centre()).normalized().cross(d.normalized()).norm(), 1e-7);
  }
  EXPECT_THROW(exit_point(head, {0, 0, 1}, {0, 0, 1}), InputError);
  EXPECT_THROW(exit_point(HalfSpace(), {0, 0, -1}, {0, 0, -1}), InputError);
}

// Strands laid a little inside the head are pushed outwards, and one that hangs over the shoulder is held.
TEST(Bust, PushesStrandsOutTheRightWay) {
  const auto mesh = std::make_shared<TriangleMesh>(bust());
  CollisionScene scene;
  scene.obstacles.push_back(place({"bust", mesh, Motion()}, 0, 0.01));
  Random random(5);
  for (int k = 0; k < 30; ++k) {
    std::vector<Vector3d> nodes;
    const double azimuth = random.uniform(0, 6);
    for (int i = 0; i <= 8; ++i) {
      const double polar = 0.2 + 0.12 * i;
      const Vector3d d(std::sin(polar) * std::cos(azimuth), std::sin(polar) * std::sin(azimuth),
                       std::cos(polar));
      const SurfacePoint skin = exit_point(*mesh, bust_head_centre(), d);
      nodes.push_back(skin.x - 0.004 * skin.n);
    }
    add_polyline(scene, {.radius = 0.001, .margin = 0.0001}, nodes);
  }
  const std::vector<Contact> contacts = detect_with_obstacles(scene);
  ASSERT_GE(contacts.size(), 30u * 9);
  for (const Contact& c : contacts) {
    EXPECT_LT(c.gap, -0.0045);
    EXPECT_GT(c.gap, -0.0075);  // the chords lie up to 0.13^2 * 0.1 / 8 deeper
    EXPECT_GT(c.frame.col(0).dot((c.point_a - bust_head_centre()).normalized()), 0.6);
  }
}

}  // namespace
}  // namespace capstan::test
