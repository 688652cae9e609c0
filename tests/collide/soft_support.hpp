#pragma once
#include <limits>
#include <map>

#include "capstan/collide/segments.hpp"
#include "capstan/collide/soft_surface.hpp"
#include "capstan/collide/triangle.hpp"
#include "collide/support.hpp"

namespace capstan::test {

using Surfaces = std::vector<SoftSurface>;

inline const Vector3d kOne = Vector3d::Ones();

inline Eigen::Matrix3Xd columns(const std::vector<Vector3d>& points) {
  Eigen::Matrix3Xd x(3, Eigen::Index(points.size()));
  for (std::size_t i = 0; i < points.size(); ++i) x.col(Eigen::Index(i)) = points[i];
  return x;
}

/// With a margin.
inline SoftSurface surface(const std::vector<std::array<int, 3>>& triangles, const std::vector<Vector3d>& x,
                           double radius, double margin, bool closed = false) {
  SoftSurface result = make_soft_surface(triangles, columns(x), radius, closed);
  result.margin = margin;
  return result;
}

inline SoftSurface triangle(const Vector3d& a, const Vector3d& b, const Vector3d& c, double radius = 0.01,
                            double margin = 0.1) {
  return surface({{0, 1, 2}}, {a, b, c}, radius, margin);
}

/// n x n squares of side h in the plane z = 0 from the origin on, each cut from its first corner to the
/// opposite one; node i + j (n + 1) at (i, j) h.
inline SoftSurface sheet(int n, double h, double radius, double margin) {
  std::vector<Vector3d> x;
  std::vector<std::array<int, 3>> triangles;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i) x.emplace_back(h * i, h * j, 0);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const int a = i + j * (n + 1), b = a + 1, c = b + n + 1, d = a + n + 1;
      triangles.insert(triangles.end(), {{a, b, c}, {a, c, d}});
    }
  return surface(triangles, x, radius, margin);
}

/// The faces of a box between two corners, each cut in n x n squares, as `sheet` does.
inline SoftSurface box_surface(const Vector3d& low, const Vector3d& high, int n, double radius,
                               double margin) {
  std::vector<Vector3d> x;
  std::vector<std::array<int, 3>> triangles;
  std::map<std::array<int, 3>, int> number;
  const auto node = [&](const std::array<int, 3>& at) {
    const auto [known, fresh] = number.emplace(at, int(x.size()));
    if (fresh) x.push_back(low + Vector3d(at[0], at[1], at[2]).cwiseProduct(high - low) / double(n));
    return known->second;
  };
  for (int axis = 0; axis < 3; ++axis)
    for (const int end : {0, n})
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
          const auto at = [&](int u, int v) {
            std::array<int, 3> place{};
            place[axis] = end, place[(axis + 1) % 3] = u, place[(axis + 2) % 3] = v;
            return node(place);
          };
          std::array<int, 4> q{at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)};
          if (end == 0) std::swap(q[1], q[3]);
          triangles.insert(triangles.end(), {{q[0], q[1], q[2]}, {q[0], q[2], q[3]}});
        }
  return surface(triangles, x, radius, margin, true);
}

template <class Map>
SoftSurface moved(SoftSurface surface, const Map& map) {
  for (Eigen::Index i = 0; i < surface.x.cols(); ++i) {
    const Vector3d to = map(Vector3d(surface.x.col(i)));
    surface.x.col(i) = to;
  }
  return surface;
}

inline SoftSurface shifted(const SoftSurface& surface, const Vector3d& by) {
  return moved(surface, [&](const Vector3d& x) -> Vector3d { return x + by; });
}

/// Each node shaken by up to `by`.
inline SoftSurface shaken(const SoftSurface& surface, Random& random, double by) {
  return moved(surface, [&](const Vector3d& x) -> Vector3d { return x + random_point(random, by); });
}

inline Vector3d point_of(const SoftSurface& surface, const ContactSide& side) {
  Vector3d sum = Vector3d::Zero();
  for (int k = 0; k < 3; ++k)
    if (side.node[k] >= 0) sum += side.weight[k] * surface.x.col(side.node[k]);
  return sum;
}

inline int nodes_in(const ContactSide& side) {
  return int(std::count_if(side.node.begin(), side.node.end(), [](int node) { return node >= 0; }));
}

/// What every contact side on a soft surface obeys.
inline void expect_sound_side(const SoftSurface& surface, const ContactSide& side, const Vector3d& point) {
  EXPECT_EQ(side.strand, -1);
  EXPECT_EQ(side.rigid, -1);
  EXPECT_EQ(side.obstacle, -1);
  EXPECT_NEAR(side.weight.sum(), 1, 1e-12);
  EXPECT_GE(side.weight.minCoeff(), 0);
  EXPECT_LT((point_of(surface, side) - point).norm(), 1e-12);
  Vector3d rest = Vector3d::Zero();
  for (int k = 0; k < 3; ++k)
    if (side.node[k] >= 0) rest += side.weight[k] * surface.rest[side.node[k]];
  EXPECT_LT((rest - side.local).norm(), 1e-12);
}

/// And every contact between two.
inline void expect_sound_contact(std::span<const SoftSurface> surfaces, const Contact& c) {
  const SoftSurface &a = surfaces[c.a.soft], &b = surfaces[c.b.soft];
  expect_sound_side(a, c.a, c.point_a);
  expect_sound_side(b, c.b, c.point_b);
  EXPECT_LT((c.frame.transpose() * c.frame - Eigen::Matrix3d::Identity()).norm(), 1e-9);
  EXPECT_NEAR(c.frame.determinant(), 1, 1e-9);
  EXPECT_GT(c.area, 0);
}

inline void expect_equal(const std::vector<Contact>& one, const std::vector<Contact>& two) {
  ASSERT_EQ(one.size(), two.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].a.node, two[i].a.node);
    EXPECT_EQ(one[i].b.node, two[i].b.node);
    EXPECT_EQ(one[i].a.weight, two[i].a.weight);
    EXPECT_EQ(one[i].b.weight, two[i].b.weight);
    EXPECT_EQ(one[i].frame, two[i].frame);
    EXPECT_EQ(one[i].gap, two[i].gap);
    EXPECT_EQ(one[i].area, two[i].area);
  }
}

inline const Contact& deepest(const std::vector<Contact>& contacts) {
  return *std::min_element(contacts.begin(), contacts.end(),
                           [](const Contact& l, const Contact& r) { return l.gap < r.gap; });
}

/// A spike with its tip at a point, the other corners above.
inline SoftSurface spike(const Vector3d& tip) {
  return triangle(tip, tip + Vector3d(0.01, 0.02, 1), tip + Vector3d(0.02, 0.01, 1));
}

/// Distances between all vertices and triangles and all edges of two surfaces, by the definition.
inline double least_distance(const SoftSurface& a, const SoftSurface& b) {
  double least = std::numeric_limits<double>::infinity();
  const auto vertices_with_triangles = [&](const SoftSurface& p, const SoftSurface& t) {
    for (const int node : p.vertices)
      for (const auto& [i, j, k] : t.triangles) {
        const Corners corners{t.x.col(i), t.x.col(j), t.x.col(k)};
        const Vector3d x = p.x.col(node);
        least = std::min(least, (x - weighted(closest_on_triangle(x, corners), corners)).norm());
      }
  };
  vertices_with_triangles(a, b);
  vertices_with_triangles(b, a);
  for (const auto& [i, j] : a.edges)
    for (const auto& [k, l] : b.edges) {
      const Segment p{a.x.col(i), a.x.col(j) - a.x.col(i)}, q{b.x.col(k), b.x.col(l) - b.x.col(k)};
      const ClosestFractions at = closest_fractions(p, q);
      least = std::min(least, (p.at(at.a) - q.at(at.b)).norm());
    }
  return least;
}

/// Whether an edge of one goes through a triangle of the other.
inline bool pierces(const SoftSurface& a, const SoftSurface& b) {
  const auto volume = [](const Vector3d& p, const Vector3d& q, const Vector3d& r, const Vector3d& s) {
    return (q - p).cross(r - p).dot(s - p);
  };
  for (const auto& [i, j] : a.edges)
    for (const auto& [k, l, m] : b.triangles) {
      const Vector3d p = a.x.col(i), q = a.x.col(j), u = b.x.col(k), v = b.x.col(l), w = b.x.col(m);
      const bool one = volume(p, q, u, v) > 0, two = volume(p, q, v, w) > 0, three = volume(p, q, w, u) > 0;
      if (one == two && two == three && (volume(u, v, w, p) > 0) != (volume(u, v, w, q) > 0)) return true;
    }
  return false;
}

/// Two sheets, shaken and turned at random, about as far apart as they reach, that do not cross.
inline Surfaces random_pair(Random& random) {
  const SoftSurface flat = sheet(4, 0.25, 0.01, 0.04);
  for (;;) {
    const double turn = random.uniform(0, 6), tilt = random.uniform(-0.5, 0.5);
    const Eigen::Matrix3d tilted = Eigen::AngleAxisd(tilt, Vector3d::UnitX()) *
                                   Eigen::AngleAxisd(turn, Vector3d::UnitZ()).toRotationMatrix();
    const Frame pose{random_point(random, 0.15) + Vector3d(0.5, 0.5, 0.2), tilted};
    const SoftSurface other = moved(shaken(flat, random, 0.06),
                                    [&](const Vector3d& x) { return pose.apply(x - Vector3d(0.5, 0.5, 0)); });
    const Surfaces two = {shaken(flat, random, 0.06), other};
    if (!pierces(two[0], two[1]) && !pierces(two[1], two[0])) return two;
  }
}

}  // namespace capstan::test
