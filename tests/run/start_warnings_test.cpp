#include "capstan/run/start_warnings.hpp"

#include <gtest/gtest.h>

#include "capstan/scene/build_world.hpp"

namespace capstan {
namespace {

/// A strand that hangs from a held root at height z beside or inside of a ball of 0.1 m around the origin.
std::vector<std::string> warnings_of(double z, const std::string& more = "",
                                     const std::string& hold = "clamped") {
  const std::string text = "[[strand]]\nmaterial = \"hair_straight\"\npoints = [[0, 0, " + std::to_string(z) +
                           "], [0, 0, " + std::to_string(z + 0.2) + "]]\n" + more + "root = { hold = \"" +
                           hold + "\" }\n[[obstacle]]\nname = \"ball\"\nshape = \"sphere\"\nradius = 0.1\n";
  return start_warnings(build_world(parse_scene(text, "scene.toml")));
}

TEST(StartWarnings, ThereAreNoneWhereNothingOverlaps) { EXPECT_TRUE(warnings_of(0.11).empty()); }

TEST(StartWarnings, AHeldRootInsideOfAnObstacleIsNamedWithWhatToDo) {
  const auto warnings = warnings_of(0.05);
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_NE(warnings[0].find("overlap at the start"), std::string::npos) << warnings[0];
  EXPECT_NE(warnings[0].find("'strand_1' and 'ball'"), std::string::npos) << warnings[0];
  EXPECT_NE(warnings[1].find("held roots inside of obstacles: 1, as of 'strand_1' in 'ball'"),
            std::string::npos)
      << warnings[1];
  EXPECT_NE(warnings[1].find("skip_root"), std::string::npos) << warnings[1];
}

TEST(StartWarnings, WhatCanComeOutOrMakesNoContactIsNoTrap) {
  EXPECT_EQ(warnings_of(0.05, "", "free").size(), 1u);  // it is pushed out
  EXPECT_TRUE(warnings_of(0.05, "skip_root = 0.08\n").empty());
}

}  // namespace
}  // namespace capstan
