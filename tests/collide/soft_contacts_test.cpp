#include <cmath>
#include <limits>
#include <numbers>

#include "capstan/collide/segments.hpp"
#include "capstan/errors.hpp"
#include "capstan/parallel/tbb_executor.hpp"
#include "collide/soft_support.hpp"

namespace capstan::test {
namespace {

// n x n squares have 2 n^2 triangles, (n + 1)^2 nodes and, by Euler, 3 n^2 + 2 n edges. A corner with one
// triangle stands for a sixth of a square, an inner node for six thirds of a triangle.
TEST(SoftSurface, HasEdgesAndAreas) {
  const int n = 4;
  const double h = 0.5;
  const SoftSurface s = sheet(n, h, 0.01, 0);
  EXPECT_EQ(s.triangles.size(), 2u * n * n);
  EXPECT_EQ(s.vertices.size(), (n + 1u) * (n + 1));
  EXPECT_EQ(s.edges.size(), 3u * n * n + 2 * n);
  double by_vertex = 0, by_edge = 0, by_triangle = 0;
  for (const double area : s.vertex_area) by_vertex += area;
  for (const double area : s.edge_area) by_edge += area;
  for (int i = 0; i < int(s.triangles.size()); ++i) by_triangle += s.triangle_area(i);
  for (const double sum : {by_vertex, by_edge, by_triangle}) EXPECT_NEAR(sum, n * n * h * h, 1e-12);
  EXPECT_NEAR(s.vertex_area[n], h * h / 6, 1e-15);
  EXPECT_NEAR(s.vertex_area[n + 2], h * h, 1e-15);
  EXPECT_EQ(s.around(n + 2).size(), 6u);
  for (int i = 0; i < int(s.triangles.size()); ++i)
    for (int k = 0; k < 3; ++k) {
      const auto [a, b] = s.edges[s.triangle_edges[i][k]];
      EXPECT_EQ(std::pair(a, b), std::minmax({s.triangles[i][k], s.triangles[i][(k + 1) % 3]}));
    }
}

TEST(SoftSurface, LeavesInnerNodesAlone) {
  SoftSurface s = surface({{0, 1, 3}}, {{0, 0, 0}, {1, 0, 0}, {5, 5, 5}, {0, 1, 0}}, 0.01, 0);
  EXPECT_EQ(s.vertices, (std::vector{0, 1, 3}));
  EXPECT_EQ(s.vertex_area[2], 0);
  EXPECT_TRUE(s.around(2).empty());
}

TEST(SoftSurface, RefusesWhatIsNone) {
  const std::vector<Vector3d> x = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  EXPECT_THROW(surface({{0, 1, 2}}, x, 0, 0), InputError);
  EXPECT_THROW(surface({{0, 1, 4}}, x, 0.1, 0), InputError);
  EXPECT_THROW(surface({{0, 1, -1}}, x, 0.1, 0), InputError);
  EXPECT_THROW(surface({{0, 1, 1}}, x, 0.1, 0), InputError);
  EXPECT_THROW(surface({{0, 1, 2}}, x, 0.1, 0, true), InputError);
  EXPECT_NO_THROW(surface({{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}, x, 0.1, 0, true));
  EXPECT_THROW(surface({{0, 1, 2}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}, x, 0.1, 0, true), InputError);
  EXPECT_THROW(surface({{0, 1, 2}}, {{0, 0, 0}, {1, 0, 0}, {0, std::nan(""), 0}}, 0.1, 0), InputError);
}

TEST(SoftContacts, RefuseWhatIsNotFinite) {
  Surfaces two = {sheet(1, 1, 0.01, 0), sheet(1, 1, 0.01, 0)};
  two[1].x(2, 3) = std::numeric_limits<double>::infinity();
  EXPECT_THROW(detect_between_soft(two), InputError);
  EXPECT_THROW(detect_strands_with_soft({}, two), InputError);
  EXPECT_THROW(detect_soft_with_solids(two, {}, 0), InputError);
  two[1] = sheet(1, 1, 0.01, -1);
  EXPECT_THROW(detect_between_soft(two), InputError);
  two[1] = SoftSurface();
  two[1].rest = {Vector3d::Zero()};
  EXPECT_THROW(detect_between_soft(two), InputError);
}

// A spike above a triangle: the tip at (0.2, 0.3, 0.15) has the weights 0.5, 0.2, 0.3, and the gap is its
// height less both radii.
TEST(SoftContacts, HoldAVertexAboveATriangle) {
  const Surfaces two = {triangle({0.2, 0.3, 0.15}, {0.2, 0.4, 1}, {0.3, 0.3, 1}, 0.02, 0.1),
                        triangle({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, 0.03, 0.05)};
  const std::vector<Contact> contacts = detect_between_soft(two);
  ASSERT_EQ(contacts.size(), 1u);
  const Contact& c = contacts[0];
  expect_sound_contact(two, c);
  EXPECT_EQ(c.a.soft, 0);
  EXPECT_EQ(c.a.node, (std::array{0, -1, -1}));
  EXPECT_EQ(c.b.soft, 1);
  EXPECT_EQ(c.b.node, (std::array{0, 1, 2}));
  EXPECT_LT((c.b.weight - Vector3d(0.5, 0.2, 0.3)).norm(), 1e-12);
  EXPECT_NEAR(c.gap, 0.1, 1e-12);
  EXPECT_LT((c.frame.col(0) - Vector3d::UnitZ()).norm(), 1e-12);
  EXPECT_LT((c.frame.col(1) - Vector3d::UnitY()).norm(), 1e-12);  // the spike's first edge, seen from above
  EXPECT_NEAR(c.area, two[0].vertex_area[0], 1e-15);
  EXPECT_LT(two[0].vertex_area[0], 0.5);
}

// The same just out of reach.
TEST(SoftContacts, EndAtTheMargin) {
  for (const double height : {0.149, 0.151}) {
    const Surfaces two = {triangle({0.2, 0.3, height}, {0.2, 0.4, 1}, {0.3, 0.3, 1}, 0.02, 0.06),
                          triangle({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, 0.03, 0.04)};
    EXPECT_EQ(detect_between_soft(two).size(), height < 0.15 ? 1u : 0u);
  }
}

// Above the inside of the sheet, above an edge that two triangles share, above a node of six, beyond the
// border, beyond a corner: one contact, and the distance is that of geometry.
TEST(SoftContacts, AreOneWhereverAVertexIs) {
  struct Case {
    Vector3d tip;
    int nodes;
    double distance;
  };
  for (const Case& at :
       {Case{{0.6, 0.55, 0.05}, 3, 0.05}, Case{{0.25, 0.25, 0.05}, 2, 0.05}, Case{{0.5, 0.2, 0.05}, 2, 0.05},
        Case{{0.5, 0.5, 0.05}, 1, 0.05}, Case{{0.3, -0.03, 0.04}, 2, 0.05},
        Case{{-0.02, -0.01, 0.02}, 1, 0.03}, Case{{0.5 + 1e-9, 0.2, 0.05}, 2, 0.05},
        Case{{0.5 - 1e-17, 0.5 + 1e-16, 0.05}, 1, 0.05}}) {
    const Surfaces two = {spike(at.tip), sheet(2, 0.5, 0.01, 0.05)};
    const std::vector<Contact> contacts = detect_between_soft(two);
    ASSERT_EQ(contacts.size(), 1u) << at.tip.transpose();
    expect_sound_contact(two, contacts[0]);
    EXPECT_EQ(nodes_in(contacts[0].b), at.nodes) << at.tip.transpose();
    EXPECT_NEAR(contacts[0].gap, at.distance - 0.02, 1e-9);
    EXPECT_EQ(contacts[0].a.soft, 0);
  }
}

// A ridge along y, two faces that fall at 45 degrees. Above it the closest point of both faces is the ridge.
TEST(SoftContacts, AreFoundAboveARidge) {
  const SoftSurface ridge =
      surface({{0, 1, 2}, {1, 0, 3}}, {{0, -1, 0}, {0, 1, 0}, {1, 0, -1}, {-1, 0, -1}}, 0.01, 0.1);
  for (const double x : {0.0, 0.02, -0.03}) {
    const Surfaces two = {spike({x, 0.1, 0.05}), ridge};
    const std::vector<Contact> contacts = detect_between_soft(two);
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_EQ(contacts[0].b.node, (std::array{0, 1, -1}));
    EXPECT_NEAR(contacts[0].gap, std::hypot(x, 0.05) - 0.02, 1e-12);
    EXPECT_LT((contacts[0].frame.col(0) - Vector3d(x, 0, 0.05).normalized()).norm(), 1e-12);
    EXPECT_NEAR(contacts[0].area, std::min(two[0].vertex_area[0], two[1].edge_area[0]), 1e-12);
  }
}

// In a valley a vertex is near both faces, and has two contacts.
TEST(SoftContacts, AreTwoInAValley) {
  const SoftSurface valley =
      surface({{0, 1, 2}, {1, 0, 3}}, {{0, -1, 0}, {0, 1, 0}, {1, 0, 1}, {-1, 0, 1}}, 0.01, 0.1);
  const Surfaces two = {spike({0.01, 0.1, 0.1}), valley};
  const std::vector<Contact> contacts = detect_between_soft(two);
  ASSERT_EQ(contacts.size(), 2u);
  EXPECT_NEAR(contacts[0].gap, 0.09 / std::numbers::sqrt2 - 0.02, 1e-12);
  EXPECT_NEAR(contacts[1].gap, 0.11 / std::numbers::sqrt2 - 0.02, 1e-12);
}

// Edges along x and y at the heights 0.05 and 0, triangles away from each other.
TEST(SoftContacts, HoldCrossedEdges) {
  const Surfaces two = {triangle({-0.3, 0, 0.05}, {0.7, 0, 0.05}, {0, 0, 1}, 0.01, 0.1),
                        triangle({0, -0.6, 0}, {0, 0.4, 0}, {0, 0, -0.2}, 0.02, 0.1)};
  const std::vector<Contact> contacts = detect_between_soft(two);
  ASSERT_EQ(contacts.size(), 1u);
  const Contact& c = contacts[0];
  expect_sound_contact(two, c);
  EXPECT_EQ(c.a.node, (std::array{0, 1, -1}));
  EXPECT_EQ(c.b.node, (std::array{0, 1, -1}));
  EXPECT_LT((c.a.weight - Vector3d(0.7, 0.3, 0)).norm(), 1e-12);
  EXPECT_LT((c.b.weight - Vector3d(0.4, 0.6, 0)).norm(), 1e-12);
  EXPECT_NEAR(c.gap, 0.02, 1e-12);
  EXPECT_LT((c.frame - (Eigen::Matrix3d() << 0, 1, 0, 0, 0, 1, 1, 0, 0).finished()).norm(), 1e-12);
  EXPECT_NEAR(c.area, 0.1 / 3, 1e-12);  // of the smaller triangle, 0.1
}

// The same sheet twice, one above the other: a contact for each node and one for each edge. What the nodes
// stand for adds up to the sheet.
TEST(SoftContacts, HoldOneSheetOnAnother) {
  const SoftSurface below = sheet(3, 0.1, 0.001, 0.002);
  const Surfaces two = {shifted(below, {0, 0, 0.003}), below};
  const std::vector<Contact> contacts = detect_between_soft(two);
  EXPECT_EQ(contacts.size(), below.vertices.size() + below.edges.size());
  double area = 0;
  for (const Contact& c : contacts) {
    expect_sound_contact(two, c);
    EXPECT_EQ(nodes_in(c.a), nodes_in(c.b));
    EXPECT_NEAR(c.gap, 0.001, 1e-12);
    EXPECT_NEAR(c.frame.col(0).z(), c.a.soft == 0 ? 1 : -1, 1e-12);
    if (nodes_in(c.a) == 1) area += c.area;
  }
  EXPECT_NEAR(area, 0.09, 1e-12);
}

// Shifted by a third of a square each vertex over the other sheet is inside one of its triangles. Each stands
// for no more than that triangle, half a square; both together for what overlaps.
TEST(SoftContacts, HoldAShiftedSheet) {
  const double h = 0.1, shift = h / 3;
  const SoftSurface below = sheet(4, h, 0.001, 0.002);
  const Surfaces two = {shifted(below, {shift, shift / 2, 0.003}), below};
  int from_above = 0, from_below = 0;
  for (const Contact& c : detect_between_soft(two)) {
    expect_sound_contact(two, c);
    if (nodes_in(c.a) > 1 || nodes_in(c.b) < 3) continue;  // the border hangs over
    EXPECT_NEAR(c.gap, 0.001, 1e-12);
    EXPECT_LE(c.area, h * h / 2 + 1e-15);
    (c.a.soft == 0 ? from_above : from_below) += 1;
  }
  EXPECT_EQ(from_above, 16);  // all but those at the two sides that hang over
  EXPECT_EQ(from_below, 16);
}

TEST(SoftContacts, HaveTheLeastOfAllDistances) {
  Random random(1);
  int apart = 0, touching = 0;
  for (int i = 0; i < 300; ++i) {
    const Surfaces two = random_pair(random);
    Surfaces strangers = two;
    for (SoftSurface& s : strangers) s.self_contact = false;
    const double least = least_distance(two[0], two[1]);
    const std::vector<Contact> contacts = detect_between_soft(strangers);
    for (const Contact& c : contacts) expect_sound_contact(two, c);
    (contacts.empty() ? apart : touching) += 1;
    ASSERT_EQ(contacts.empty(), least >= 0.1) << i;
    if (!contacts.empty()) {
      EXPECT_NEAR(deepest(contacts).gap, least - 0.02, 1e-12);
    }
  }
  EXPECT_GT(apart, 20);
  EXPECT_GT(touching, 100);
}

/// Every vertex whose projection is well within a triangle, and every two edges that are closest well within
/// both, with nothing sorted out beforehand: what must be found, and (edges) what may.
struct AllPairs {
  std::vector<std::array<int, 5>> vertices, edges;  // surface and nodes of a, then nodes of b

  AllPairs(const SoftSurface& a, const SoftSurface& b, int index, double reach) {
    for (const int node : a.vertices)
      for (const auto& [i, j, k] : b.triangles) {
        const Corners corners{b.x.col(i), b.x.col(j), b.x.col(k)};
        const Vector3d x = a.x.col(node), weight = closest_on_triangle(x, corners);
        if (weight.minCoeff() > 1e-5 && (x - weighted(weight, corners)).norm() < reach)
          vertices.push_back({index, node, i, j, k});
      }
    for (const auto& [i, j] : a.edges)
      for (const auto& [k, l] : b.edges) {
        const Segment p{a.x.col(i), a.x.col(j) - a.x.col(i)}, q{b.x.col(k), b.x.col(l) - b.x.col(k)};
        const ClosestFractions at = closest_fractions(p, q);
        if (std::min({at.a, at.b, 1 - at.a, 1 - at.b}) > 1e-5 && (p.at(at.a) - q.at(at.b)).norm() < reach)
          edges.push_back({index, i, j, k, l});
      }
  }
};

/// Whether all triangles along an edge lean away from, or with no more than this sine towards, a direction.
bool may_face(const SoftSurface& s, int a, int b, const Vector3d& towards, double most) {
  const Vector3d along = (s.x.col(b) - s.x.col(a)).normalized();
  bool may = true;
  for (const auto& t : s.triangles) {
    if (std::count(t.begin(), t.end(), a) + std::count(t.begin(), t.end(), b) < 2) continue;
    for (const int node : t) {
      if (node == a || node == b) continue;
      const Vector3d in = s.x.col(node) - s.x.col(a);
      may = may && (in - along * along.dot(in)).normalized().dot(towards) <= most;
    }
  }
  return may;
}

TEST(SoftContacts, AreThoseOfAllPairs) {
  Random random(2);
  std::size_t vertices = 0, edges = 0, left_out = 0;
  for (int i = 0; i < 100; ++i) {
    Surfaces two = random_pair(random);
    for (SoftSurface& s : two) s.self_contact = false;
    std::vector<std::array<int, 5>> found_vertices, found_edges;
    std::vector<std::array<int, 5>> expected_vertices, expected_edges;
    for (const Contact& c : detect_between_soft(two)) {
      if (nodes_in(c.a) == 1 && nodes_in(c.b) == 3 && c.b.weight.minCoeff() > 1e-5)
        found_vertices.push_back({c.a.soft, c.a.node[0], c.b.node[0], c.b.node[1], c.b.node[2]});
      if (nodes_in(c.a) == 2)
        found_edges.push_back({c.a.soft, c.a.node[0], c.a.node[1], c.b.node[0], c.b.node[1]});
    }
    const AllPairs forth(two[0], two[1], 0, 0.1), back(two[1], two[0], 1, 0.1);
    expected_vertices = forth.vertices;
    expected_vertices.insert(expected_vertices.end(), back.vertices.begin(), back.vertices.end());
    for (const auto& pair : forth.edges) {
      const auto [index, a, b, c, d] = pair;
      const Segment p{two[0].x.col(a), two[0].x.col(b) - two[0].x.col(a)},
          q{two[1].x.col(c), two[1].x.col(d) - two[1].x.col(c)};
      const ClosestFractions at = closest_fractions(p, q);
      const Vector3d n = (p.at(at.a) - q.at(at.b)).normalized();
      const double sine = p.d.normalized().cross(q.d.normalized()).norm(), most = sine < 0.1 ? 0.02 : 0.5;
      const bool faces = may_face(two[0], a, b, -n, most) && may_face(two[1], c, d, n, most);
      if (faces) expected_edges.push_back(pair);
      left_out += !faces;
    }
    for (auto* list : {&found_vertices, &found_edges, &expected_vertices, &expected_edges})
      std::sort(list->begin(), list->end());
    EXPECT_EQ(found_vertices, expected_vertices);
    EXPECT_EQ(found_edges, expected_edges);
    vertices += expected_vertices.size(), edges += expected_edges.size();
  }
  EXPECT_GT(vertices, 200u);
  EXPECT_GT(edges, 200u);
  EXPECT_GT(left_out, 20u);
}

TEST(SoftContacts, TurnWithTheWorld) {
  Random random(3);
  const Surfaces before = random_pair(random);
  const Frame pose{random_point(random, 10), random_rotation(random)};
  Surfaces after = before;
  for (SoftSurface& s : after) s = moved(s, [&](const Vector3d& x) { return pose.apply(x); });
  const std::vector<Contact> one = detect_between_soft(before), two = detect_between_soft(after);
  ASSERT_GT(one.size(), 10u);
  ASSERT_EQ(one.size(), two.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].a.node, two[i].a.node);
    EXPECT_EQ(one[i].b.node, two[i].b.node);
    EXPECT_NEAR(one[i].gap, two[i].gap, 1e-12);
    EXPECT_LT((pose.R * one[i].frame - two[i].frame).norm(), 1e-8);
    EXPECT_LT((pose.apply(one[i].point_b) - two[i].point_b).norm(), 1e-9);
  }
}

TEST(SoftContacts, DoNotDependOnTheThreads) {
  Random random(4);
  Surfaces many;
  for (int i = 0; i < 6; ++i)
    for (const SoftSurface& s : random_pair(random)) many.push_back(s);
  const std::vector<Contact> one = detect_between_soft(many);
  ASSERT_GT(one.size(), 500u);
  expect_equal(one, detect_between_soft(many, TbbExecutor(3)));
}

// Flat cloth does not meet itself, however thick or wide its margin is next to its edges.
TEST(SoftContacts, AreNoneInAFlatSheet) {
  for (const double radius : {0.001, 0.02, 0.08})
    for (const double margin : {0.0, 0.3}) {
      const Surfaces one = {sheet(6, 0.1, radius, margin)};
      EXPECT_EQ(detect_between_soft(one).size(), 0u) << radius << " " << margin;
    }
}

// Half a cylinder of bend radius 0.03: what is on opposite sides is 0.06 apart, and pi 0.03 at rest. Cloth of
// a larger radius is thicker than that for no reason but its thickness, cloth of a smaller one is not.
TEST(SoftContacts, AreNoneWhereThicknessAloneOverlaps) {
  const double bend = 0.03, length = std::numbers::pi * bend;
  for (const double radius : {0.05, 0.02}) {
    const Surfaces one = {moved(sheet(6, length / 6, radius, 0.015), [&](const Vector3d& x) {
      return Vector3d(bend * std::sin(x.x() / bend), x.y(), bend * (1 - std::cos(x.x() / bend)));
    })};
    EXPECT_EQ(detect_between_soft(one).empty(), radius > bend);
  }
}

/// A sheet of 2 x 1 folded over a half cylinder at its middle, so that its halves are 2 r apart.
SoftSurface folded(double r, double radius, double margin) {
  return moved(sheet(20, 0.1, radius, margin), [&](const Vector3d& x) {
    const double bent = std::numbers::pi * r, s = x.x() - (1 - bent / 2);
    if (s < 0) return Vector3d(s, x.y(), 0);
    if (s > bent) return Vector3d(bent - s, x.y(), 2 * r);
    return Vector3d(r * std::sin(s / r), x.y(), r * (1 - std::cos(s / r)));
  });
}

TEST(SoftContacts, HoldTheHalvesOfAFoldedSheet) {
  const double r = 0.04;
  const Surfaces one = {folded(r, 0.03, 0.02)};
  const std::vector<Contact> contacts = detect_between_soft(one);
  ASSERT_GT(contacts.size(), 300u);
  std::vector<char> held(one[0].rest.size(), 0);
  for (const Contact& c : contacts) {
    expect_sound_contact(one, c);
    EXPECT_GT(std::abs(c.a.local.x() - c.b.local.x()), std::numbers::pi * 0.03);
    if (c.point_a.x() > -0.1) continue;
    EXPECT_NEAR(c.gap, 2 * r - 0.06, 1e-12);
    EXPECT_NEAR(std::abs(c.frame(2, 0)), 1, 1e-12);
    for (int k = 0; k < 3; ++k) {
      if (c.a.node[k] >= 0) held[c.a.node[k]] = 1;
      if (c.b.node[k] >= 0) held[c.b.node[k]] = 1;
    }
  }
  for (std::size_t i = 0; i < held.size(); ++i)
    EXPECT_TRUE(held[i] || one[0].x(0, Eigen::Index(i)) > -0.1) << i;
  Surfaces shy = one;
  shy[0].self_contact = false;
  EXPECT_TRUE(detect_between_soft(shy).empty());
}

// What has material on one side only is on that side, whichever way triangles and edges run.
TEST(SoftContacts, TakeTheSideOfTheMaterialWhereSurfacesCross) {
  for (const double side : {1.0, -1.0}) {
    const SoftSurface tip =
        moved(spike({0.2, 0.3, 0}), [&](const Vector3d& x) { return Vector3d(x.x(), x.y(), side * x.z()); });
    const Surfaces on_triangle = {tip, triangle({0, 0, 0}, {1, 0, 0}, {0, 1, 0})};
    const Surfaces edges = {triangle({-0.3, 0, 0}, {0.7, 0, 0}, {0, 0, side}),
                            triangle({0, -0.6, 0}, {0, 0.4, 0}, {0, 0, -0.5 * side})};
    for (const Surfaces& two : {on_triangle, edges}) {
      const std::vector<Contact> contacts = detect_between_soft(two);
      ASSERT_EQ(contacts.size(), 1u);
      EXPECT_LT((contacts[0].frame.col(0) - side * Vector3d::UnitZ()).norm(), 1e-12);
      EXPECT_NEAR(contacts[0].gap, -0.02, 1e-12);
    }
  }
}

// Two sheets in one plane: the side is that from which they came.
TEST(SoftContacts, TakeTheSideFromTheVelocityWhereSurfacesCross) {
  for (const double speed : {1.0, -1.0}) {
    const SoftSurface below = sheet(3, 0.1, 0.001, 0);
    Surfaces two = {shifted(below, {0.03, 0.02, 0}), below};
    two[0].v.row(2).setConstant(speed);
    const std::vector<Contact> contacts = detect_between_soft(two);
    int inside = 0;
    for (const Contact& c : contacts) {
      if (nodes_in(c.b) < 3) continue;
      EXPECT_NEAR(c.gap, -0.002, 1e-12);
      EXPECT_NEAR(c.frame(2, 0), c.a.soft == 0 ? -speed : speed, 1e-12);
      ++inside;
    }
    EXPECT_EQ(inside, 18);
  }
}

// The tip of a spike at a depth in a cube: turned to the way out.
TEST(SoftContacts, PushAVertexOutOfASolid) {
  const SoftSurface cube = box_surface(-kOne, kOne, 4, 0.01, 0.2);
  for (const double depth : {0.0, 0.02, 0.15, -0.05}) {
    const Surfaces two = {spike({0.1, 0.15, 1 - depth}), cube};
    const std::vector<Contact> contacts = detect_between_soft(two);
    ASSERT_GE(contacts.size(), 1u);
    const Contact& c = deepest(contacts);
    EXPECT_EQ(c.a.soft, 0);
    EXPECT_NEAR(c.gap, -depth - 0.02, 1e-12);
    EXPECT_LT((c.frame.col(0) - Vector3d::UnitZ()).norm(), 1e-12);
  }
  // Near an edge of the cube the shorter way.
  const Surfaces two = {spike({0.97, 0.15, 0.9}), cube};
  for (const Contact& c : detect_between_soft(two))
    if (nodes_in(c.a) == 1 && c.a.soft == 0) {
      EXPECT_NEAR(c.gap, -0.05, 1e-12);
      EXPECT_LT((c.frame.col(0) - Vector3d::UnitX()).norm(), 1e-12);
    }
  // Deep inside nobody knows which way is out.
  const Surfaces deep = {shifted(triangle({0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}), {0.1, 0.1, 0}), cube};
  EXPECT_TRUE(detect_between_soft(deep).empty());
}

// A plate thinner than the reach: what is above meets its top alone.
TEST(SoftContacts, AreNotWithTheFarSideOfAThinSolid) {
  const SoftSurface plate = box_surface({-1, -1, -0.05}, {1, 1, 0}, 4, 0.01, 0.1);
  for (const double height : {0.03, -0.01}) {
    const Surfaces two = {shifted(sheet(3, 0.3, 0.01, 0.1), {-0.4, -0.43, height}), plate};
    const std::vector<Contact> contacts = detect_between_soft(two);
    ASSERT_GT(contacts.size(), 20u);
    for (const Contact& c : contacts) {
      EXPECT_NEAR(c.gap, height - 0.02, 1e-12);
      EXPECT_NEAR(c.frame(2, 0), c.a.soft == 0 ? 1 : -1, 1e-12);
    }
  }
  EXPECT_TRUE(detect_between_soft(Surfaces{plate}).empty());
}

// Two cubes, one a little into the top of the other, turned and shifted so that no corner is over another:
// everything is pushed along z, the upper one upwards.
TEST(SoftContacts, PushSolidsApart) {
  const Eigen::Matrix3d turned = Eigen::AngleAxisd(0.3, Vector3d::UnitZ()).toRotationMatrix();
  for (const double depth : {-0.02, 0.02}) {
    const SoftSurface low = box_surface(-kOne, kOne, 3, 0.01, 0.05);
    const SoftSurface high =
        moved(box_surface(-0.5 * kOne, 0.5 * kOne, 2, 0.01, 0.05),
              [&](const Vector3d& x) { return Vector3d(turned * x + Vector3d(0.05, 0.08, 1.5 - depth)); });
    const Surfaces two = {low, high};
    const std::vector<Contact> contacts = detect_between_soft(two);
    ASSERT_GT(contacts.size(), 9u);
    for (const Contact& c : contacts) {
      expect_sound_contact(two, c);
      EXPECT_NEAR(c.gap, -depth - 0.02, 1e-12);
      EXPECT_NEAR(c.frame(2, 0), c.a.soft == 1 ? 1 : -1, 1e-9);
    }
  }
}

// Two cubes with an edge each, crossed, one a little under the other: only the edges know.
TEST(SoftContacts, PushCrossedEdgesOfSolidsApart) {
  const double corner = std::numbers::sqrt2;
  for (const double depth : {-0.03, 0.03}) {
    const Eigen::Matrix3d along_x =
                              Eigen::AngleAxisd(std::numbers::pi / 4, Vector3d::UnitX()).toRotationMatrix(),
                          along_y =
                              Eigen::AngleAxisd(std::numbers::pi / 4, Vector3d::UnitY()).toRotationMatrix();
    const SoftSurface cube = box_surface(-kOne, kOne, 1, 0.01, 0.05);
    const Surfaces two = {moved(cube, [&](const Vector3d& x) { return Vector3d(along_x * x); }),
                          moved(cube, [&](const Vector3d& x) {
                            return Vector3d(along_y * x + Vector3d(0.1, 0.2, 2 * corner - depth));
                          })};
    const std::vector<Contact> contacts = detect_between_soft(two);
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_EQ(nodes_in(contacts[0].a), 2);
    EXPECT_NEAR(contacts[0].gap, -depth - 0.02, 1e-12);
    EXPECT_LT((contacts[0].frame.col(0) + Vector3d::UnitZ()).norm(), 1e-12);
  }
}

// The corner of a cube pokes through the middle of a large triangle, of which no vertex is near: the cube's
// vertex is behind, because the cloth is inside the cube there.
TEST(SoftContacts, PushACornerBackThroughCloth) {
  const Eigen::Matrix3d on_corner =
      Eigen::Quaterniond::FromTwoVectors(kOne, Vector3d::UnitZ()).toRotationMatrix();
  for (const double depth : {-0.03, 0.03}) {
    const SoftSurface cube = moved(box_surface(-kOne, kOne, 1, 0.01, 0.05), [&](const Vector3d& x) {
      return Vector3d(on_corner * x - Vector3d(0, 0, std::sqrt(3.0) - depth));
    });
    const Surfaces two = {cube, triangle({-5, -4, 0}, {5, -4, 0}, {0, 6, 0}, 0.01, 0.05)};
    const std::vector<Contact> contacts = detect_between_soft(two);
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_EQ(contacts[0].a.soft, 0);
    EXPECT_NEAR(contacts[0].gap, -depth - 0.02, 1e-12);
    EXPECT_LT((contacts[0].frame.col(0) + Vector3d::UnitZ()).norm(), 1e-12);
  }
}

/// A bar bent to a ring whose ends are a gap apart, or overlap. It tapers, so that they are not flush.
SoftSurface ring(double gap) {
  const double half = 0.15, length = 6;
  const double radius = (length + gap) / (2 * std::numbers::pi);
  return moved(box_surface({0, -half, -half}, {length, half, half}, 10, 0.01, 0.05), [&](const Vector3d& x) {
    const double angle = x.x() / radius, taper = 1 - 0.05 * x.x(), r = radius - taper * x.y();
    return Vector3d(r * std::cos(angle), r * std::sin(angle), taper * x.z());
  });
}

// The ends of the ring are at y = 0, the first facing -y, the last +y. Inside or not, they are pushed apart,
// and nothing else of the ring meets, though it is thinner than some of its triangles are long. The gap
// grows with the radius, by at most half / radius = 16 %.
TEST(SoftContacts, PushTheEndsOfARingApart) {
  for (const double gap : {0.04, -0.02}) {
    const Surfaces one = {ring(gap)};
    int in_the_middle = 0;
    std::map<int, int> ways_out;
    for (const Contact& c : detect_between_soft(one)) {
      expect_sound_contact(one, c);
      if (nodes_in(c.a) == 1 && c.gap < -0.02) ++ways_out[c.a.node[0]];
      const bool first_end = c.a.local.x() < 3;
      EXPECT_LT(first_end ? c.a.local.x() : c.b.local.x(), 0.61);
      EXPECT_GT(first_end ? c.b.local.x() : c.a.local.x(), 5.39);
      const double from_middle = std::max(c.a.local.tail<2>().lpNorm<Eigen::Infinity>(),
                                          c.b.local.tail<2>().lpNorm<Eigen::Infinity>());
      if (from_middle > 0.08 || c.a.local.x() * (6 - c.a.local.x()) > 1e-9) continue;
      ++in_the_middle;
      EXPECT_NEAR(c.gap, gap - 0.02, 0.16 * std::abs(gap));
      EXPECT_GT(c.frame(1, 0) * (first_end ? 1 : -1), 0.99);
    }
    EXPECT_GT(in_the_middle, 30);
    EXPECT_EQ(ways_out.size() > 30, gap < 0);
    for (const auto& [node, ways] : ways_out) EXPECT_EQ(ways, 1) << node;
  }
}

}  // namespace
}  // namespace capstan::test
