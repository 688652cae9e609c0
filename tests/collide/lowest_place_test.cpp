#include "capstan/collide/lowest_place.hpp"

#include <limits>
#include <memory>

#include "capstan/collide/triangle.hpp"
#include "collide/support.hpp"

namespace capstan::test {
namespace {

constexpr double kAnywhere = std::numeric_limits<double>::infinity();

/// max(0.5 - t, 0): level from the middle on.
Probe falls_then_level(double t) { return {t, std::max(0.5 - t, 0.0), t < 0.5 ? -1.0 : 0.0, {}}; }

TEST(ShapeSearch, StopsWhereItIsLevel) {
  Probe low = falls_then_level(0), high = falls_then_level(1);
  ASSERT_TRUE(dips_between(low, high));
  const Probe best = lowest_between(low, high, low, 1, kAnywhere, 1e-6,
                                    [](double t, double) { return falls_then_level(t); });
  EXPECT_EQ(best.distance, 0);
  EXPECT_GE(best.at, 0.5);
  EXPECT_LE(best.at, 1);
}

/// Counts what is asked.
class Counted : public Shape {
 public:
  explicit Counted(std::shared_ptr<const Shape> shape) : shape_(std::move(shape)) {}
  using Shape::closest;
  SurfacePoint closest(const Vector3d& p) const override {
    ++asked;
    return shape_->closest(p);
  }
  double distance_at_least(const Vector3d& p) const override { return shape_->distance_at_least(p); }
  mutable int asked = 0;

 private:
  std::shared_ptr<const Shape> shape_;
};

std::vector<std::shared_ptr<const Shape>> convex_shapes() {
  return {std::make_shared<HalfSpace>(), std::make_shared<RoundedRod>(0.3),
          std::make_shared<RoundedRod>(0.1, 0.6), std::make_shared<Box>(Vector3d(0.2, 0.4, 0.3)),
          std::make_shared<Cylinder>(0.4, 0.2)};
}

MeasuredPoint seen_by(const Shape& shape, const Vector3d& x) { return {x, shape.closest(x)}; }

// The deepest of a grid of points of random triangles and segments, outside, inside and through: what is
// found is not higher, and not lower than its own weights say; the normal is level there, unless it is on the
// border.
TEST(LowestPlace, IsTheDeepestOfATriangle) {
  constexpr double accuracy = 1e-5;
  constexpr int n = 60;
  Random random(1);
  int inside = 0, asked = 0;
  for (const auto& shape : convex_shapes())
    for (int i = 0; i < 300; ++i) {
      const Corners v{random_point(random), random_point(random), random_point(random)};
      double sampled = kAnywhere;
      for (int j = 0; j <= n; ++j)
        for (int k = 0; j + k <= n; ++k) {
          const Vector3d weight(1 - double(j + k) / n, double(j) / n, double(k) / n);
          sampled = std::min(sampled, shape->closest(weighted(weight, v)).distance);
        }
      const Counted counted(shape);
      const LowestPlace found =
          lowest_on_triangle(counted, {seen_by(*shape, v[0]), seen_by(*shape, v[1]), seen_by(*shape, v[2])},
                             kAnywhere, accuracy);
      asked += counted.asked;
      ASSERT_TRUE(found.found);
      EXPECT_LE(found.distance, sampled + 2 * accuracy);
      EXPECT_NEAR(shape->closest(weighted(found.weight, v)).distance, found.distance, 1e-12);
      EXPECT_NEAR(found.weight.sum(), 1, 1e-12);
      EXPECT_GE(found.weight.minCoeff(), -1e-12);
      EXPECT_NEAR(found.n.norm(), 1, 1e-12);
      // Nothing is below the target.
      EXPECT_FALSE(lowest_on_triangle(*shape,
                                      {seen_by(*shape, v[0]), seen_by(*shape, v[1]), seen_by(*shape, v[2])},
                                      found.distance - accuracy, accuracy)
                       .found);
      inside += found.weight.minCoeff() > 0.01;
    }
  EXPECT_GT(inside, 150);
  EXPECT_LT(asked, 1500 * 40);  // 23 in the mean
}

TEST(LowestPlace, IsTheDeepestOfASegment) {
  constexpr double accuracy = 1e-6;
  Random random(2);
  int inside = 0;
  for (const auto& shape : convex_shapes())
    for (int i = 0; i < 500; ++i) {
      const Vector3d a = random_point(random), b = random_point(random);
      double sampled = kAnywhere;
      for (int j = 0; j <= 1000; ++j)
        sampled = std::min(sampled, shape->closest(a + j / 1000.0 * (b - a)).distance);
      const LowestPlace found =
          lowest_on_segment(*shape, {seen_by(*shape, a), seen_by(*shape, b)}, kAnywhere, accuracy);
      EXPECT_LE(found.distance, sampled + accuracy);
      EXPECT_NEAR(shape->closest(found.weight[0] * a + found.weight[1] * b).distance, found.distance, 1e-12);
      // Deep inside, where faces on opposite sides are equally near, no normal is level.
      if (std::min(found.weight[0], found.weight[1]) < 1e-3 || found.distance < 0) continue;
      ++inside;
      EXPECT_LT(std::abs(found.n.dot((b - a).normalized())), 0.02);
    }
  EXPECT_GT(inside, 300);
}

// The corner of a box under a triangle, a little above it: the normal is none of a face but the triangle's.
TEST(LowestPlace, HasTheNormalOfTheTriangleAtACorner) {
  const Box box({1, 1, 1});
  const Vector3d out = Vector3d::Ones().normalized(), u = out.unitOrthogonal(), v = out.cross(u);
  const Vector3d foot = Vector3d::Ones() - 0.05 * out;
  const Corners corners{foot + u, foot - u + v, foot - u - 2 * v};
  const LowestPlace found = lowest_on_triangle(
      box, {seen_by(box, corners[0]), seen_by(box, corners[1]), seen_by(box, corners[2])}, kAnywhere, 1e-6);
  EXPECT_NEAR(found.distance, -0.05 / std::sqrt(3.0), 1e-5);
  EXPECT_LT((weighted(found.weight, corners) - foot).norm(), 1e-4);
  EXPECT_LT((found.n - out).norm(), 1e-4);
}

}  // namespace
}  // namespace capstan::test
