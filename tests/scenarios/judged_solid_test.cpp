#include "bench/scenarios/judge/judged_solid.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace capstan::scenarios {
namespace {

using Eigen::Vector3d;

TEST(JudgedSolid, ClosedFormsKnowInsideFromOutside) {
  const JudgedSolid pill = JudgedSolid::rod(0.1, 0.5), drum = JudgedSolid::drum(0.2, 0.3);
  EXPECT_TRUE(pill.contains({0.09, 0, 0.5}));
  EXPECT_FALSE(pill.contains({0.09, 0, 0.55}));
  EXPECT_TRUE(drum.contains({0.19, 0, 0.29}));
  EXPECT_FALSE(drum.contains({0.15, 0.15, 0}));
  EXPECT_FALSE(drum.contains({0, 0, 0.31}));
  EXPECT_TRUE(JudgedSolid::half_space().contains({5, 5, -1e-9}));
  EXPECT_FALSE(JudgedSolid::half_space().contains({5, 5, 1e-9}));
}

TEST(JudgedSolid, SegmentThroughASolidIsSeenThoughItsEndsAreOutside) {
  for (const JudgedSolid& solid :
       {JudgedSolid::rod(0.1, 0), JudgedSolid::drum(0.1, 0.1), JudgedSolid::box({0.1, 0.1, 0.1})}) {
    EXPECT_TRUE(solid.meets({-1, 0.05, 0.02}, {1, 0.04, 0.01}));
    EXPECT_FALSE(solid.meets({-1, 0.15, 0}, {1, 0.15, 0}));
    EXPECT_FALSE(solid.meets({-1, 0, 0}, {-0.5, 0, 0}));
  }
}

TEST(JudgedSolid, HullOfABoxIsTheBox) {
  const JudgedSolid box = JudgedSolid::box({1, 1, 1});
  EXPECT_EQ(box.triangles().size(), 12u);
  EXPECT_TRUE(box.contains({0.99, 0.99, 0.99}));
  EXPECT_FALSE(box.contains({1.01, 0, 0}));
  EXPECT_DOUBLE_EQ(box.distance({3, 0, 0}), 2);
}

TEST(JudgedSolid, CoreOfAPlateLiesInItsMiddle) {
  const JudgedSolid plate = JudgedSolid::box({1, 1, 0.1});
  ASSERT_GT(plate.core().size(), 20u);
  for (const Vector3d& x : plate.core()) {
    EXPECT_NEAR(x[2], 0, 1e-12);
    EXPECT_LT(x.head<2>().cwiseAbs().maxCoeff(), 0.93);  // as deep below the rim as below the faces
  }
}

TEST(JudgedSolid, CoreOfARampKeepsAwayFromItsSharpEdge) {
  const JudgedSolid ramp =
      JudgedSolid::hull({{0, 0, 0}, {1, 0, 0}, {1, 0, 0.3}, {0, 1, 0}, {1, 1, 0}, {1, 1, 0.3}});
  ASSERT_FALSE(ramp.core().empty());
  for (const Vector3d& x : ramp.core()) EXPECT_GT(ramp.distance(x), 0.04) << x.transpose();
}

TEST(JudgedSolid, CoreOfABallIsAroundItsCentre) {
  const JudgedSolid ball = JudgedSolid::rod(1, 0);
  for (const Vector3d& x : ball.core()) EXPECT_LT(x.norm(), 0.1);
}

}  // namespace
}  // namespace capstan::scenarios
