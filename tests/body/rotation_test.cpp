#include "capstan/body/rotation.hpp"

#include <gtest/gtest.h>

namespace capstan {
namespace {

using Eigen::Vector3d;

/// Takes a to b, about an axis perpendicular to both, by the angle between them.
void expect_short_way(const Vector3d& a, const Vector3d& b) {
  const Eigen::Quaterniond turn = rotation_between(a, b);
  EXPECT_NEAR(turn.norm(), 1, 1e-15);
  EXPECT_LT((turn * a.normalized() - b.normalized()).norm(), 1e-6);
  EXPECT_NEAR(turn.vec().dot(a.normalized()), 0, 1e-15);
  EXPECT_NEAR(2 * turn.w() * turn.w() - 1, a.normalized().dot(b.normalized()), 1e-14);
}

TEST(RotationBetween, TakesOneDirectionToTheOtherTheShortWay) {
  expect_short_way({1, 2, 3}, {-3, 0.5, 2});
  expect_short_way({0, 0, 1}, {0, 2, 0});
  expect_short_way({1, 0, 0}, {1, 1e-9, 0});
  expect_short_way({0, 0, 5}, {0, 0, 5});
}

TEST(RotationBetween, TurnsByHalfATurnWhereTheyAreOpposite) {
  expect_short_way({0, 0, 1}, {0, 0, -1});
  expect_short_way({1, -2, 3}, {-2, 4, -6});
  expect_short_way({1, 0, 0}, {-1, 1e-7, 0});  // so near that the axis is any
}

TEST(RotationBetween, SquaredIsTheDoubleTurn) {
  const Eigen::Quaterniond quarter = rotation_between({1, 0, 0}, {0, 1, 0});
  EXPECT_LT((quarter * quarter * Vector3d::UnitX() + Vector3d::UnitX()).norm(), 1e-15);
}

TEST(RotationExp, IsUndoneByTheLogarithm) {
  const Vector3d k(0.3, -1.2, 0.8);
  EXPECT_LT((rotation_log(rotation_exp(k)) - k).norm(), 1e-14);
  EXPECT_LT((rotation_exp(k) - Eigen::Matrix3d::Identity() - skew(k)).norm(), k.squaredNorm());
  EXPECT_LT((skew(k) * Vector3d(1, 2, 3) - k.cross(Vector3d(1, 2, 3))).norm(), 1e-15);
}

}  // namespace
}  // namespace capstan
