#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "capstan/body/motion.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

TEST(CarriedMotion, StaysInPlaceOnATurningCarrier) {
  // A point at (1, 0, 0) of a carrier that stands at (0, 0, 2) and has turned by 90 degrees about z.
  const Motion carrier(Frame{{0, 0, 2}, Eigen::Matrix3d::Identity()},
                       {{0}, {1, {0, 0, 0}, {0, 0, std::numbers::pi / 2}}});
  const Motion carried = Motion(Frame{{1, 0, 0}, Eigen::Matrix3d::Identity()}).carried_by(carrier);
  EXPECT_TRUE(carried.moves());
  EXPECT_LT((carried.at(0).x - Vector3d(1, 0, 2)).norm(), 1e-15);
  EXPECT_LT((carried.at(1).x - Vector3d(0, 1, 2)).norm(), 1e-15);
  EXPECT_LT((carried.at(1).R.col(0) - Vector3d(0, 1, 0)).norm(), 1e-15);
}

TEST(CarriedMotion, AddsItsOwnMotionInTheCarriersFrame) {
  const Motion carrier(Frame(), {{0}, {1, {0, 0, 5}, {0, 0, std::numbers::pi / 2}}});
  const Motion carried = Motion(Frame(), {{0}, {1, {1, 0, 0}}}).carried_by(carrier);
  EXPECT_LT((carried.at(1).x - Vector3d(0, 1, 5)).norm(), 1e-14);
}

TEST(CarriedMotion, GoesThroughAChainOfCarriers) {
  const Motion shift(Frame{{0, 0, 1}, Eigen::Matrix3d::Identity()});
  const Motion up(Frame(), {{0}, {1, {0, 0, 10}}});
  const Motion chained = shift.carried_by(shift).carried_by(up);
  EXPECT_LT((chained.at(1).x - Vector3d(0, 0, 12)).norm(), 1e-14);
  EXPECT_FALSE(shift.carried_by(shift).moves());
  EXPECT_TRUE(chained.moves());
}

TEST(FrameInverse, UndoesTheFrame) {
  const Frame frame{{1, 2, 3}, Eigen::AngleAxisd(0.7, Vector3d(1, 1, 0).normalized()).toRotationMatrix()};
  const Frame one = inverse(frame) * frame;
  EXPECT_LT(one.x.norm(), 1e-15);
  EXPECT_LT((one.R - Eigen::Matrix3d::Identity()).norm(), 1e-15);
}

}  // namespace
}  // namespace capstan
