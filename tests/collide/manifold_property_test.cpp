#include "capstan/collide/manifold.hpp"

#include <numbers>

#include "collide/rigid_support.hpp"

namespace capstan::test {
namespace {

struct RandomPair {
  Solid a, b;
  Frame pose_a, pose_b;
  double size() const { return std::min(a.bounding_radius(), b.bounding_radius()); }
};

/// Whether one of the two is a cylinder, whose normals are found step by step.
bool round(const RandomPair& pair) {
  return std::holds_alternative<Solid::Drum>(pair.a.kind()) ||
         std::holds_alternative<Solid::Drum>(pair.b.kind());
}

template <class Check>
void for_random_pairs(int each, double spread, const Check& check) {
  for (int kind_a = 0; kind_a < convex_kinds; ++kind_a)
    for (int kind_b = 0; kind_b < convex_kinds; ++kind_b) {
      Random random(100 * kind_a + kind_b + 1);
      for (int i = 0; i < each; ++i) {
        const Solid a = random_solid(random, kind_a), b = random_solid(random, kind_b);
        const Frame pose_a = random_frame(random, spread), pose_b = random_frame(random, spread);
        SCOPED_TRACE("kinds " + std::to_string(kind_a) + ", " + std::to_string(kind_b) + ", pair " +
                     std::to_string(i));
        check(RandomPair{a, b, pose_a, pose_b}, random);
      }
    }
}

/// Moves A so that the deepest point has that gap, as far as the normal stays the same.
void set_gap(RandomPair& pair, double gap) {
  const Manifold points = manifold(pair.a, pair.pose_a, pair.b, pair.pose_b, 10);
  pair.pose_a.x += (gap - deepest(points).gap) * deepest(points).n;
}

TEST(ManifoldProperty, SwappingReversesNormals) {
  for_random_pairs(60, 0.4, [](const RandomPair& pair, Random&) {
    const Manifold ab = manifold(pair.a, pair.pose_a, pair.b, pair.pose_b, 0.2);
    const Manifold ba = manifold(pair.b, pair.pose_b, pair.a, pair.pose_a, 0.2);
    ASSERT_EQ(ab.size(), ba.size());
    for (std::size_t i = 0; i < ab.size(); ++i) {
      EXPECT_EQ(ab[i].on_a, ba[i].on_b);
      EXPECT_EQ(ab[i].on_b, ba[i].on_a);
      EXPECT_EQ(ab[i].n, Vector3d(-ba[i].n));
      EXPECT_EQ(ab[i].gap, ba[i].gap);
    }
  });
}

// To rounding. The normal of a round side is where the overlap hardly changes: a gap to 1e-9 is a direction
// to 1e-4, and a point may or may not lie above a face by as much.
TEST(ManifoldProperty, MovesWithBothBodies) {
  int compared = 0, at_a_border = 0;
  for_random_pairs(60, 0.4, [&](const RandomPair& pair, Random& random) {
    const Frame motion = random_frame(random, 10);
    const Manifold before = manifold(pair.a, pair.pose_a, pair.b, pair.pose_b, 0.2);
    const Manifold after = manifold(pair.a, motion * pair.pose_a, pair.b, motion * pair.pose_b, 0.2);
    if (round(pair) && before.size() != after.size()) {
      ++at_a_border;
      return;
    }
    ASSERT_EQ(before.size(), after.size());
    for (const ManifoldPoint& p : before) {
      ++compared;
      double least = 1e300;
      for (const ManifoldPoint& q : after)
        least =
            std::min(least, (motion.apply(p.on_a) - q.on_a).norm() + (motion.apply(p.on_b) - q.on_b).norm() +
                                (motion.R * p.n - q.n).norm() + std::abs(p.gap - q.gap));
      EXPECT_LT(least, round(pair) ? 1e-3 : 1e-6);
    }
  });
  EXPECT_GT(compared, 1000);
  EXPECT_LE(at_a_border, 2);
}

TEST(ManifoldProperty, PointsLieInTheirSolidsAndGapsAlongNormals) {
  for_random_pairs(60, 0.4, [](const RandomPair& pair, Random&) {
    const Manifold points = manifold(pair.a, pair.pose_a, pair.b, pair.pose_b, 0.2);
    EXPECT_LE(points.size(), 4u);
    for (const ManifoldPoint& p : points) {
      EXPECT_LT(signed_distance(pair.a, pair.pose_a, p.on_a), 1e-8);
      EXPECT_LT(signed_distance(pair.b, pair.pose_b, p.on_b), 1e-8);
      EXPECT_NEAR(p.n.norm(), 1, 1e-12);
      EXPECT_NEAR((p.on_a - p.on_b).dot(p.n), p.gap, 1e-12);
      EXPECT_LE(p.gap, 0.2);
    }
  });
}

// The distance between convex solids is bounded from below by the gap between two parallel planes that part
// them, and from above by that of any two of their points. Where both agree there is no doubt.
TEST(ManifoldProperty, GapsOfSeparateSolidsAreTheirDistance) {
  int checked = 0;
  for_random_pairs(60, 0.6, [&](const RandomPair& pair, Random&) {
    const Manifold points = manifold(pair.a, pair.pose_a, pair.b, pair.pose_b, 0.5);
    const double gap = least_gap(points);
    if (points.empty() || gap <= 0) return;
    ++checked;
    double from_above = 1e300;
    for (const ManifoldPoint& p : points) {
      from_above = std::min(from_above, (p.on_a - p.on_b).norm());
      EXPECT_LE(apart_along(pair.a, pair.pose_a, pair.b, pair.pose_b, p.n), p.gap + 1e-9);
    }
    const double from_below = apart_along(pair.a, pair.pose_a, pair.b, pair.pose_b, deepest(points).n);
    const double accuracy = 1e-6 * pair.size() + 1e-3 * gap;  // the preference of faces
    EXPECT_NEAR(gap, from_below, accuracy);
    EXPECT_NEAR(gap, from_above, accuracy);
  });
  EXPECT_GT(checked, 400);
}

/// Alternating projections on two convex solids by their signed distances: an upper bound that sinks slowly.
double alternating_distance(const RandomPair& pair) {
  const auto project = [](const Solid& solid, const Frame& pose, const Vector3d& p) {
    const SurfacePoint s = solid.shape()->closest(pose.apply_inverse(p));
    return s.distance > 0 ? pose.apply(s.x) : p;
  };
  Vector3d x = pair.pose_a.x, y = pair.pose_b.x;
  for (int i = 0; i < 2000; ++i) {
    const Vector3d before = x;
    y = project(pair.b, pair.pose_b, x);
    x = project(pair.a, pair.pose_a, y);
    if ((x - before).norm() < 1e-12) break;
  }
  return (x - y).norm();
}

TEST(ManifoldProperty, NothingNearIsOverlooked) {
  int near = 0, far = 0;
  for_random_pairs(40, 0.6, [&](const RandomPair& pair, Random&) {
    const double distance = alternating_distance(pair), margin = 0.1;
    const Manifold points = manifold(pair.a, pair.pose_a, pair.b, pair.pose_b, margin);
    if (distance < margin - 1e-6) {
      ++near;
      EXPECT_FALSE(points.empty());
      EXPECT_LE(least_gap(points), distance + 1e-9);
    } else if (distance > margin * 1.001 + 1e-3) {
      ++far;
      EXPECT_TRUE(points.empty());
    }
  });
  EXPECT_GT(near, 200);
  EXPECT_GT(far, 200);
}

/// The least overlap over directions drawn at random, then improved near the best.
double sampled_overlap(const RandomPair& pair, Random& random) {
  double best = -1e300;
  Vector3d best_n = Vector3d::UnitZ();
  const auto look = [&](const Vector3d& n) {
    if (const double here = apart_along(pair.a, pair.pose_a, pair.b, pair.pose_b, n); here > best)
      best = here, best_n = n;
  };
  for (int i = 0; i < 1500; ++i) look(random_point(random).normalized());
  for (double size = 0.05; size > 1e-6; size *= 0.7)
    for (int i = 0; i < 10; ++i) look((best_n + size * random_point(random)).normalized());
  return best;
}

// To move A by the overlap along n parts the two: to rounding, or what equally deep means. And no direction
// found by chance takes less, by more than the preference of faces, or than round sides allow (docs).
TEST(ManifoldProperty, OverlapsEndWithLeastMotionAlongTheNormal) {
  int deep = 0, slight = 0;
  for_random_pairs(40, 0.3, [&](RandomPair pair, Random& random) {
    for (const bool shallow : {true, false}) {
      if (shallow) set_gap(pair, -0.05 * pair.size());
      const Manifold points = manifold(pair.a, pair.pose_a, pair.b, pair.pose_b, 0);
      if (points.empty()) return;
      const double gap = least_gap(points), size = pair.size();
      EXPECT_GE(apart_along(pair.a, pair.pose_a, pair.b, pair.pose_b, deepest(points).n), gap - 2e-6 * size);
      const double allowed = !round(pair) ? 0 : gap > -0.1 * size ? 0.2 * std::abs(gap) : 0.3 * size;
      EXPECT_GE(gap, sampled_overlap(pair, random) - 2e-6 * size - 1.1e-3 * std::abs(gap) - allowed);
      (gap > -0.1 * size ? slight : deep) += 1;
      pair.pose_a.x += (pair.pose_b.x - pair.pose_a.x) * 0.5;
    }
  });
  EXPECT_GT(slight, 800);
  EXPECT_GT(deep, 300);
}

// On a grid and turned by right angles features coincide exactly: faces in one plane, cores that just touch,
// centres at one place.
TEST(ManifoldProperty, SolidsOnAGridAreNoException) {
  const std::vector<Solid> solids = {
      Solid::box({0.5, 0.25, 0.25}), Solid::cylinder(0.25, 0.5), Solid::capsule(0.25, 0.5),
      Solid::hull(std::make_shared<ConvexHull>(polytope_of_box({0.5, 0.5, 0.25}).vertices))};
  Random random(12);
  const auto on_grid = [&] { return 0.25 * double(int(random.bits() % 9) - 4); };
  const auto place = [&] {
    const Vector3d x(on_grid(), on_grid(), on_grid());
    const double angle = std::numbers::pi / 2 * double(random.bits() % 4);
    const Frame exact = turned(x, angle, Vector3d::Unit(int(random.bits() % 3)));
    return Frame{x, exact.R.array().round().matrix()};
  };
  int touching = 0;
  for (int i = 0; i < 5000; ++i) {
    const Solid &a = solids[random.bits() % 4], &b = solids[random.bits() % 4];
    const Frame pose_a = place(), pose_b = place();
    const Manifold points = manifold(a, pose_a, b, pose_b, 0.3);
    for (const ManifoldPoint& p : points) {
      ASSERT_NEAR(p.n.norm(), 1, 1e-9) << i;
      EXPECT_NEAR((p.on_a - p.on_b).dot(p.n), p.gap, 1e-9) << i;
      EXPECT_LT(signed_distance(a, pose_a, p.on_a), 1e-7) << i;
      EXPECT_LT(signed_distance(b, pose_b, p.on_b), 1e-7) << i;
    }
    if (points.empty()) continue;
    ++touching;
    EXPECT_NEAR(least_gap(points), apart_along(a, pose_a, b, pose_b, deepest(points).n), 1e-5) << i;
  }
  EXPECT_GT(touching, 1500);
}

TEST(ManifoldProperty, HullOfABoxTouchesLikeTheBox) {
  Random random(9);
  int compared = 0;
  for (int i = 0; i < 400; ++i) {
    const Vector3d half(random.uniform(0.1, 0.6), random.uniform(0.1, 0.6), random.uniform(0.1, 0.6));
    const Solid box = Solid::box(half),
                hull = Solid::hull(std::make_shared<ConvexHull>(polytope_of_box(half).vertices));
    const Solid other = random_solid(random, 1 + i % 4);
    const Frame pose = random_frame(random, 0.3), place = random_frame(random, 0.3);
    const Manifold of_box = manifold(box, pose, other, place, 0.1),
                   of_hull = manifold(hull, pose, other, place, 0.1);
    ASSERT_EQ(of_box.empty(), of_hull.empty());
    if (of_box.empty()) continue;
    ++compared;
    EXPECT_NEAR(least_gap(of_box), least_gap(of_hull), 1e-6);
  }
  EXPECT_GT(compared, 200);
}

}  // namespace
}  // namespace capstan::test
