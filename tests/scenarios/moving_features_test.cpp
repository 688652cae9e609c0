#include "bench/scenarios/judge/moving_features.hpp"

#include <gtest/gtest.h>

#include <array>

#include "bench/scenarios/judge/judged_solid.hpp"

namespace capstan::scenarios {
namespace {

using Eigen::Vector3d;

const std::array<Vector3d, 3> kTriangle{Vector3d(0, 0, 0), Vector3d(1, 0, 0), Vector3d(0, 1, 0)};

Path still(const Vector3d& x) { return {x, x}; }

std::array<Path, 3> still(const std::array<Vector3d, 3>& x) {
  return {still(x[0]), still(x[1]), still(x[2])};
}

TEST(MovingFeatures, SegmentMeetsTriangleOnlyInside) {
  EXPECT_TRUE(segment_meets_triangle({0.2, 0.2, -1}, {0.2, 0.2, 1}, kTriangle));
  EXPECT_FALSE(segment_meets_triangle({0.8, 0.8, -1}, {0.8, 0.8, 1}, kTriangle));
  EXPECT_FALSE(segment_meets_triangle({0.2, 0.2, 0.1}, {0.2, 0.2, 1}, kTriangle));
}

TEST(MovingFeatures, PointPassesThroughTriangleAtTheRightTime) {
  // Falls from 3 to -1: at height 0 after three quarters of the way.
  const auto time = point_through_triangle({{0.2, 0.3, 3}, {0.2, 0.3, -1}}, still(kTriangle));
  ASSERT_TRUE(time);
  EXPECT_NEAR(*time, 0.75, 1e-12);
  EXPECT_FALSE(point_through_triangle({{0.7, 0.7, 3}, {0.7, 0.7, -1}}, still(kTriangle)));
}

TEST(MovingFeatures, TriangleThatMovesPassesAPointAtRest) {
  std::array<Path, 3> moving = still(kTriangle);
  for (Path& corner : moving) corner.from[2] = -1, corner.to[2] = 1;
  EXPECT_TRUE(point_through_triangle(still({0.2, 0.2, 0}), moving));
  EXPECT_FALSE(point_through_triangle(still({0.2, 0.2, 1.5}), moving));
}

TEST(MovingFeatures, SegmentsPassOnlyWhereBothAre) {
  const Path a{{-1, 0, 1}, {-1, 0, -1}}, b{{1, 0, 1}, {1, 0, -1}};  // along x, falls from 1 to -1
  const auto time = segments_pass(a, b, still({0, -1, 0.5}), still({0, 1, 0.5}));
  ASSERT_TRUE(time);
  EXPECT_NEAR(*time, 0.25, 1e-12);
  EXPECT_FALSE(segments_pass(a, b, still({2, -1, 0.5}), still({2, 1, 0.5})));
  EXPECT_FALSE(segments_pass(a, b, still({0, -1, -1.5}), still({0, 1, -1.5})));
}

TEST(MovingFeatures, SegmentsThatPassTwiceInOneStepAreSeen) {
  // One end of ab swings below cd and back above it: the volume has one sign at both ends of the step, and
  // two roots in between, because both ends of ab and cd move.
  const Path a{{-1, 0, 1}, {-1, 0, -2}}, b{{1, 0, -0.5}, {1, 0, 2.5}};
  EXPECT_TRUE(segments_pass(a, b, still({0.6, -1, 0}), still({0.6, 1, 0})));
}

TEST(MovingFeatures, WindingNumberTellsInsideFromOutside) {
  const JudgedSolid box = JudgedSolid::box({1, 2, 3});
  EXPECT_NEAR(winding_number({0.9, 1.9, -2.9}, box.vertices(), box.triangles()), 1, 1e-9);
  EXPECT_NEAR(winding_number({1.1, 0, 0}, box.vertices(), box.triangles()), 0, 1e-9);
}

TEST(MovingFeatures, DistancesAgreeWithClosedForms) {
  EXPECT_DOUBLE_EQ(distance_of_segments({-1, 0, 0}, {1, 0, 0}, {0, -1, 2}, {0, 1, 2}), 2);
  EXPECT_DOUBLE_EQ(distance_of_segments({0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}), 1);  // parallel
  EXPECT_DOUBLE_EQ(distance_to_triangle({0.2, 0.2, -3}, kTriangle), 3);
  EXPECT_DOUBLE_EQ(distance_to_triangle({2, 0, 0}, kTriangle), 1);
}

TEST(MovingFeatures, SortedBoxesFindWhatAllPairsFind) {
  std::vector<AxisBox> boxes;
  unsigned state = 1;
  const auto next = [&state] { return (state = state * 1664525u + 1013904223u) / 4294967296.0; };
  for (int k = 0; k < 60; ++k) {
    const Vector3d low{next(), next(), next()};
    boxes.push_back({low, low + Vector3d{0.3 * next(), 0.3 * next(), 0.3 * next()}});
  }
  std::size_t all = 0;
  for (std::size_t a = 0; a < boxes.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) all += boxes[a].overlaps(boxes[b]);
  EXPECT_GT(all, 10u);
  EXPECT_EQ(overlapping(boxes).size(), all);
}

}  // namespace
}  // namespace capstan::scenarios
