#include "fuzz/readers.hpp"

#include <gtest/gtest.h>

#include <set>

#include "fuzz/allocations.hpp"
#include "fuzz/mutation.hpp"

namespace capstan::fuzz {
namespace {

class Readers : public testing::TestWithParam<const char*> {};

TEST_P(Readers, AcceptTheirSeeds) {
  const Reader& one = reader(GetParam());
  const std::vector<std::string> seeds = one.seeds();
  ASSERT_FALSE(seeds.empty());
  for (const std::string& seed : seeds) {
    EXPECT_NO_THROW(one.read(seed));
    const Outcome outcome = run(one, seed);
    EXPECT_TRUE(outcome.accepted);
    EXPECT_LE(outcome.largest_allocation, outcome.allowed);
  }
}

/// Any damage is read or refused in words, and asks for no more memory than the file stands for.
TEST_P(Readers, RefuseDamagedFilesOrReadThem) {
  const Reader& one = reader(GetParam());
  const std::string name = one.name;
  const int inputs = name == "fclib" || name == "checkpoint" ? 60
                     : name == "scene"                       ? 300
                                                             : 2000;  // some are slow
  const std::vector<std::string> seeds = one.seeds();
  int accepted = 0;
  for (int seed = 1; seed <= inputs; ++seed) {
    const std::string bytes = mutated(seeds, static_cast<std::uint64_t>(seed));
    SCOPED_TRACE("mutate_readers --reader " + name + " --inputs 1 --seed " + std::to_string(seed));
    Outcome outcome;
    ASSERT_NO_THROW(outcome = run(one, bytes));
    EXPECT_LE(outcome.largest_allocation, outcome.allowed);
    accepted += outcome.accepted;
  }
  EXPECT_LT(accepted, inputs);  // the mutations are not all harmless
}

std::vector<const char*> names() {
  std::vector<const char*> result;
  for (const Reader& one : readers()) result.push_back(one.name);
  return result;
}

INSTANTIATE_TEST_SUITE_P(All, Readers, testing::ValuesIn(names()),
                         [](const auto& one) { return std::string(one.param); });

TEST(Allocations, AreSeenWhoeverMakesThem) {
  start_measuring();
  { const std::vector<char> few(12345); }
  EXPECT_GE(largest_allocation(), 12345u);
  EXPECT_LT(largest_allocation(), 100000u);
  { const Eigen::VectorXd many(100000); }
  EXPECT_GE(largest_allocation(), 800000u);
  start_measuring();
  EXPECT_EQ(largest_allocation(), 0u);
}

TEST(Mutation, IsTheSameForTheSameSeed) {
  const std::vector<std::string> seeds = reader("obj").seeds();
  std::set<std::string> different;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    EXPECT_EQ(mutated(seeds, seed), mutated(seeds, seed));
    different.insert(mutated(seeds, seed));
  }
  EXPECT_GT(different.size(), 80u);
}

}  // namespace
}  // namespace capstan::fuzz
