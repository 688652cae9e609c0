#include <gtest/gtest.h>

#include <numbers>

#include "capstan/body/motion.hpp"
#include "capstan/errors.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

constexpr double kQuarter = std::numbers::pi / 2;

Frame turned(double angle, const Vector3d& x) {
  return {x, Eigen::AngleAxisd(angle, Vector3d::UnitZ()).toRotationMatrix()};
}

/// Along x by 1 m/s.
Motion scripted() {
  return Motion(Frame(), {{0}, {10, {10, 0, 0}}}, Motion::Interpolation::linear).steerable();
}

TEST(SteeredMotion, GoesStraightToItsTargetAndRestsThere) {
  const Motion motion = scripted();
  motion.steer(course_to(motion.at(2), turned(kQuarter, {2, 4, 0}), 2, 4));
  EXPECT_LT((motion.at(2).x - Vector3d(2, 0, 0)).norm(), 1e-14);
  EXPECT_LT((motion.at(3).x - Vector3d(2, 2, 0)).norm(), 1e-14);
  EXPECT_LT((motion.at(3).R - turned(kQuarter / 2, Vector3d::Zero()).R).norm(), 1e-14);
  EXPECT_LT((motion.at(4).R - turned(kQuarter, Vector3d::Zero()).R).norm(), 1e-14);
  EXPECT_EQ(motion.at(4).x, motion.at(9).x);
}

TEST(SteeredMotion, LeavesWhatWasBeforeAsItWas) {
  // Held nodes are carried from where they were at t = 0.
  const Motion motion = scripted();
  motion.steer(course_to(motion.at(2), Frame{{0, 7, 0}, Eigen::Matrix3d::Identity()}, 2, 3));
  EXPECT_EQ(motion.at(0).x, Vector3d::Zero());
  EXPECT_LT((motion.at(1).x - Vector3d(1, 0, 0)).norm(), 1e-15);
}

TEST(SteeredMotion, TakesAlongWhatItCarries) {
  const Motion head = Motion(Frame()).steerable();
  const Motion hair = Motion(Frame{{0, 1, 0}, Eigen::Matrix3d::Identity()}).carried_by(head).steerable();
  EXPECT_FALSE(hair.moves());
  const Motion copy = head;
  copy.steer(course_to(Frame(), turned(kQuarter, {0, 0, 1}), 0, 1));
  EXPECT_TRUE(hair.moves());
  EXPECT_LT((hair.at(1).x - Vector3d(-1, 0, 1)).norm(), 1e-14);
  hair.steer(course_to(hair.at(1), Frame(), 1, 2));  // and can be taken from it
  EXPECT_LT(hair.at(2).x.norm(), 1e-14);
}

TEST(SteeredMotion, GoesBackToItsScript) {
  const Motion motion = scripted();
  motion.steer(Course{1, 5, motion.at(1), {Vector3d::UnitZ(), Vector3d::Zero()}});
  EXPECT_LT((motion.at(3).x - Vector3d(1, 0, 2)).norm(), 1e-14);
  motion.steer(std::nullopt);
  EXPECT_LT((motion.at(3).x - Vector3d(3, 0, 0)).norm(), 1e-14);
}

TEST(SteeredMotion, RefusesWhatCannotBeSteered) {
  EXPECT_THROW(Motion().steer(Course{}), InputError);
  EXPECT_THROW(course_to(Frame(), Frame(), 1, 1), InputError);
}

}  // namespace
}  // namespace capstan
