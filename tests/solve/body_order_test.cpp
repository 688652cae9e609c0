#include "capstan/solve/sweep/body_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace capstan {
namespace {

std::vector<int> starts_of_rigid(int bodies) {
  std::vector<int> starts(bodies + 1);
  for (int body = 0; body <= bodies; ++body) starts[body] = 6 * body;
  return starts;
}

std::vector<int> shuffled_numbers(int count, unsigned seed) {
  std::vector<int> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  std::shuffle(numbers.begin(), numbers.end(), std::mt19937(seed));
  return numbers;
}

/// A sheet of side * side bodies, each in contact with those beside it, numbered by chance.
ContactJacobian sheet(int side, unsigned seed) {
  const std::vector<int> number = shuffled_numbers(side * side, seed);
  const auto at = [&](int row, int column) { return number[row * side + column]; };
  ContactJacobian::Pattern pattern;
  for (int row = 0; row < side; ++row)
    for (int column = 0; column < side; ++column) {
      if (column + 1 < side) pattern.add_contact({at(row, column), at(row, column + 1)});
      if (row + 1 < side) pattern.add_contact({at(row, column), at(row + 1, column)});
    }
  return {3, starts_of_rigid(side * side), pattern};
}

/// Contacts between the first half of the bodies and the second.
int contacts_across(const ContactJacobian& H, const std::vector<int>& order) {
  std::vector<bool> in_first_half(order.size(), false);
  for (std::size_t k = 0; k < order.size() / 2; ++k) in_first_half[order[k]] = true;
  int count = 0;
  for (int i = 0; i < H.contacts(); ++i)
    count += in_first_half[H.body(H.begin(i))] != in_first_half[H.body(H.begin(i) + 1)];
  return count;
}

// No cut into halves crosses fewer than the side; numbers by chance put half of all contacts across.
TEST(BodyOrder, FewContactsJoinTheTwoHalvesOfASheet) {
  const int side = 40;
  for (unsigned seed = 0; seed < 20; ++seed) {
    const ContactJacobian H = sheet(side, seed);
    const int across = contacts_across(H, neighbours_together(H));
    EXPECT_GE(across, side);
    EXPECT_LE(across, 2.5 * side) << "seed " << seed << ", of " << H.contacts();
  }
}

TEST(BodyOrder, HasEveryBodyOnceAlsoThoseThatNothingTouches) {
  ContactJacobian::Pattern pattern;
  pattern.add_contact({4, 1});
  pattern.add_contact({6});  // with the ground
  pattern.add_contact({0, 6});
  const ContactJacobian H(3, starts_of_rigid(8), pattern);
  std::vector<int> order = neighbours_together(H);
  std::sort(order.begin(), order.end());
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST(BodyOrder, OfNoBodiesIsEmpty) { EXPECT_TRUE(neighbours_together(ContactJacobian(3, {0}, {})).empty()); }

}  // namespace
}  // namespace capstan
