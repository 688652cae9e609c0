#include "capstan/collide/segments.hpp"

#include "collide/support.hpp"

namespace capstan::test {
namespace {

double distance(const Segment& a, const Segment& b, const ClosestFractions& at) {
  return (a.at(at.a) - b.at(at.b)).norm();
}

double to_point(const Segment& a, const Vector3d& p) {
  const double fraction = a.d.squaredNorm() > 0 ? (p - a.x).dot(a.d) / a.d.squaredNorm() : 0;
  return (a.at(std::clamp(fraction, 0.0, 1.0)) - p).norm();
}

/// Smallest distance from 2001 points of b to a; above the true one by at most |b|^2 / (8 * 2000^2 d), or by
/// |b| / 4000 where they cross.
double sampled_distance(const Segment& a, const Segment& b) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i <= 2000; ++i) best = std::min(best, to_point(a, b.at(i / 2000.0)));
  return best;
}

void expect_closest(const Segment& a, const Segment& b, double tolerance = 1e-12) {
  const ClosestFractions at = closest_fractions(a, b);
  EXPECT_GE(std::min(at.a, at.b), 0);
  EXPECT_LE(std::max(at.a, at.b), 1);
  const double sampled = sampled_distance(a, b), found = distance(a, b, at);
  EXPECT_LE(found, sampled + tolerance);
  EXPECT_GE(found, sampled - b.d.norm() / 4000 - 1e-12);
}

TEST(ClosestFractions, AreNoFartherThanAnySample) {
  Random random(1);
  for (int i = 0; i < 500; ++i)
    expect_closest({random_point(random), random_point(random)},
                   {random_point(random), random_point(random)});
}

TEST(ClosestFractions, AreNoFartherThanAnySampleForNearlyParallelSegments) {
  Random random(2);
  for (int i = 0; i < 500; ++i) {
    const Vector3d d = random_point(random);
    const double bend = std::pow(10, random.uniform(-12, -1));
    const double sign = i % 2 ? 1 : -1;
    const Vector3d other = sign * d + bend * random_point(random);
    const double sine = d.cross(other).norm() / (d.norm() * other.norm());
    // Below a sine of 1e-5 the middle is taken; just above, rounding is 1e-16 / 1e-10 of the length.
    const double tolerance = sine > 2e-5 ? 1e-10 : 1e-5 * d.norm();
    expect_closest({random_point(random), d}, {random_point(random), other}, tolerance);
  }
}

TEST(ClosestFractions, TakePointsForSegments) {
  Random random(3);
  for (int i = 0; i < 100; ++i) {
    const Segment point{random_point(random), Vector3d::Zero()},
        a{random_point(random), random_point(random)};
    expect_closest(point, a);
    expect_closest(a, point);
    expect_closest(point, {a.x, Vector3d::Zero()});
  }
}

// Where both interiors are closest the line between them is perpendicular to both.
TEST(ClosestFractions, AreJoinedByACommonPerpendicular) {
  Random random(4);
  int interior = 0;
  for (int i = 0; i < 500; ++i) {
    const Segment a{random_point(random), random_point(random)},
        b{random_point(random), random_point(random)};
    const ClosestFractions at = closest_fractions(a, b);
    if (std::min(at.a, at.b) <= 0 || std::max(at.a, at.b) >= 1) continue;
    ++interior;
    const Vector3d between = a.at(at.a) - b.at(at.b);
    EXPECT_NEAR(between.dot(a.d), 0, 1e-12);
    EXPECT_NEAR(between.dot(b.d), 0, 1e-12);
  }
  EXPECT_GT(interior, 30);
}

// a: x from 0 to 4; b: x from 1 to 3 (or 3 to 1), one above: the middle is x = 2, half of each.
TEST(ClosestFractions, TakeTheMiddleOfWhatIsParallel) {
  const Segment a{{0, 0, 0}, {4, 0, 0}};
  for (const Segment& b : {Segment{{1, 0, 1}, {2, 0, 0}}, Segment{{3, 0, 1}, {-2, 0, 0}}}) {
    EXPECT_DOUBLE_EQ(closest_fractions(a, b).a, 0.5);
    EXPECT_DOUBLE_EQ(closest_fractions(a, b).b, 0.5);
  }
}

TEST(ClosestFractions, TakeTheNearerEndsOfWhatIsParallelButApart) {
  const Segment a{{0, 0, 0}, {1, 0, 0}};
  EXPECT_DOUBLE_EQ(closest_fractions(a, {{2, 1, 0}, {1, 0, 0}}).a, 1);
  EXPECT_DOUBLE_EQ(closest_fractions(a, {{2, 1, 0}, {1, 0, 0}}).b, 0);
  EXPECT_DOUBLE_EQ(closest_fractions(a, {{-2, 1, 0}, {1, 0, 0}}).a, 0);
  EXPECT_DOUBLE_EQ(closest_fractions(a, {{-2, 1, 0}, {1, 0, 0}}).b, 1);
}

// b from x = 1 to 5 rises by 0.3 in y: it covers a from 1 to 4, where the sine is 0.3 / |b|.
TEST(Overlap, IsTheStretchTheyShare) {
  const Segment a{{0, 0, 0}, {4, 0, 0}}, b{{5, 0.3, 1}, {-4, -0.3, 0}};
  const Overlap along = overlap(a, b);
  EXPECT_DOUBLE_EQ(along.first.a, 0.25);
  EXPECT_DOUBLE_EQ(along.last.a, 1);
  EXPECT_DOUBLE_EQ(along.first.b, 1);
  EXPECT_NEAR(along.last.b, 0.25, 0.01);
  EXPECT_DOUBLE_EQ(along.length, 3);
  EXPECT_NEAR(along.drift, 3 * 0.3 / b.d.norm(), 1e-12);
  EXPECT_EQ(overlap(a, {{5, 0, 0}, {1, 0, 0}}).length, 0);
  EXPECT_EQ(overlap(a, {{2, 0, 0}, {0, 0, 0}}).length, 0);
}

}  // namespace
}  // namespace capstan::test
