#include <gtest/gtest.h>

#include "bench/scenarios/trials.hpp"
#include "capstan/errors.hpp"

namespace capstan::scenarios {
namespace {

namespace fs = std::filesystem;

/// A folder that is gone at the end.
struct Folder {
  fs::path path = fs::path(testing::TempDir()) /
                  (std::string("scenarios_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  Folder() { fs::remove_all(path), fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
};

/// A sphere that falls freely beside nothing: 0.1 s.
Scenario falling_ball(const std::string& more = "") {
  return {"ball",
          "[simulation]\nduration = 0.1\n" + more +
              "[[rigid]]\nname = \"ball\"\nshape = \"sphere\"\nradius = 0.1\nposition = [0, 0, 1]\n",
          {},
          {}};
}

TEST(TryScenario, MeasuresARunThatEnds) {
  const Folder folder;
  const Row row = try_scenario(falling_ball(), folder.path, {}, {});
  EXPECT_EQ(row.end, "finished");
  EXPECT_NEAR(row.simulated, 0.1, 1e-12);
  EXPECT_GT(row.steps, 0);
  EXPECT_EQ(row.crossings, 0);
  ASSERT_TRUE(row.energy_gained);
  EXPECT_LT(*row.energy_gained, 1e-2);
}

TEST(TryScenario, KeepsARowThatIsThere) {
  const Folder folder;
  Row row = try_scenario(falling_ball(), folder.path, {}, {});
  row.crossings = 42;
  write_row(row, folder.path / "rows/ball.json");
  EXPECT_EQ(try_scenario(falling_ball(), folder.path, {}, {}).crossings, 42);
}

TEST(TryScenario, MakesARowOfAScenarioThatIsRefused) {
  const Folder folder;
  const Row row = try_scenario({"bad", "[simulation]\nduration = -1\n", {}, {}}, folder.path, {}, {});
  EXPECT_EQ(row.end.rfind("error: ", 0), 0u) << row.end;
  EXPECT_NE(row.end.find("bad.toml:2:12"), std::string::npos) << row.end;
}

TEST(TryScenario, EndsAScenarioThatTakesTooLong) {
  const Folder folder;
  Scenario endless = falling_ball("dt = 1e-6\nadaptive = false\n");
  endless.overrides.push_back({"simulation.duration", "1e4"});
  TrialLimits limits;
  limits.seconds = 1;
  const Row row = try_scenario(endless, folder.path, {}, limits);
  EXPECT_EQ(row.end, "time limit");
  EXPECT_GT(row.steps, 0);  // as far as it came
}

TEST(TryScenario, StoresARowAsItWas) {
  const Folder folder;
  Row row;
  row.name = "a \"name\", with a comma";
  row.deepest_ratio = 0.125;
  row.energy_gained = 1e-3;
  row.contact_sweeps = 1L << 40;
  write_row(row, folder.path / "row.json");
  EXPECT_EQ(row_json(read_row(folder.path / "row.json")), row_json(row));
  EXPECT_THROW(read_row(folder.path / "none.json"), InputError);
}

class ShortScene : public testing::TestWithParam<int> {};

TEST_P(ShortScene, EndsAndNothingPassesThroughAnything) {
  const fs::path folder = fs::path(testing::TempDir()) / ("short_scene_" + std::to_string(GetParam()));
  fs::remove_all(folder);
  fs::create_directories(folder);
  const Row row = try_scenario(random_scenario(std::uint64_t(GetParam())), folder, {}, {});
  fs::remove_all(folder);
  EXPECT_EQ(row.end, "finished");
  EXPECT_DOUBLE_EQ(row.simulated, row.wanted);
  EXPECT_GT(row.max_contacts, 0);
  EXPECT_EQ(row.crossings, 0) << row.first_crossing;
  EXPECT_EQ(row.start_crossings, 0);
  EXPECT_EQ(row.above_tolerance, 0);
  EXPECT_LT(row.deepest_ratio, 0.1) << row.deepest_between;
}

// Soft solids (24, 153), a cloth (54), rigid bodies (4, and with strands 154), strands (17, 51).
INSTANTIATE_TEST_SUITE_P(Seeds, ShortScene, testing::Values(4, 17, 24, 51, 54, 153, 154));

}  // namespace
}  // namespace capstan::scenarios
