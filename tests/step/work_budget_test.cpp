#include "capstan/step/work_budget.hpp"

#include <gtest/gtest.h>

namespace capstan {
namespace {

TEST(WorkBudget, ASmallProblemGetsTheFloorWhateverHappened) {
  WorkBudget budget{{}};
  EXPECT_EQ(budget.of_step(1e-9), WorkBudget::Options{}.floor);
  for (int failed = 0; failed < 10; ++failed) budget.learn(0.01, false);
  EXPECT_EQ(budget.of_step(1e-9), WorkBudget::Options{}.floor);
}

TEST(WorkBudget, FollowsFromTheSizeOfTheProblem) {
  const WorkBudget budget{{}};
  EXPECT_DOUBLE_EQ(budget.of_step(1e-4), 0.3);  // 3,000 sweeps
  EXPECT_DOUBLE_EQ(budget.of_step(1e-3), 1);    // the ceiling
  EXPECT_DOUBLE_EQ(budget.of_step(1e-1), 30);   // 300 sweeps, above any ceiling
}

TEST(WorkBudget, GrowsWithWhatRecentStepsCost) {
  WorkBudget budget{{}};
  for (int step = 0; step < 200; ++step) budget.learn(0.02, true);
  EXPECT_NEAR(budget.of_step(1e-9), 0.4, 1e-3);  // 20 times as much
}

TEST(WorkBudget, FailuresInARowAreGrantedLessAndOneSuccessGrantsAllAgain) {
  WorkBudget budget({.recent = 0});
  const double floor = WorkBudget::Options{}.floor;
  double above = budget.of_step(2e-4) - floor;
  for (int failed = 0; failed < 3; ++failed) {
    budget.learn(0.1, false);
    EXPECT_NEAR(budget.of_step(2e-4) - floor, 0.5 * above, 1e-12);
    above *= 0.5;
  }
  budget.learn(0.1, false);
  EXPECT_NEAR(budget.of_step(2e-4) - floor, above, 1e-12);  // an eighth is the least
  budget.learn(0.1, true);
  EXPECT_NEAR(budget.of_step(2e-4) - floor, 8 * above, 1e-12);
}

}  // namespace
}  // namespace capstan
