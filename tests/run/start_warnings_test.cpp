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
  EXPECT_NE(warnings[0].find("at the start 'strand_1' and 'ball' overlap by"), std::string::npos)
      << warnings[0];
  EXPECT_NE(warnings[0].find("% of the thickness) at [0, 0, "), std::string::npos) << warnings[0];
  EXPECT_NE(warnings[1].find("held roots inside of obstacles: 1, such as that of 'strand_1' in 'ball'"),
            std::string::npos)
      << warnings[1];
  EXPECT_NE(warnings[1].find("skip_root"), std::string::npos) << warnings[1];
}

TEST(StartWarnings, WhatCanComeOutOrMakesNoContactIsNoTrap) {
  EXPECT_EQ(warnings_of(0.05, "", "free").size(), 1u);  // it is pushed out
  EXPECT_TRUE(warnings_of(0.05, "skip_root = 0.08\n").empty());
}

TEST(StartWarnings, OverlapsAreNamedOncePerPairOfNamesWithTheDeepest) {
  // Four balls of 0.1 m in a row, 0.19 m apart, sink 0.04 m into the floor: 3 + 4 places, two pairs of names.
  const World world = build_world(parse_scene(
      "[[rigid]]\nname = \"ball\"\nshape = \"sphere\"\nradius = 0.1\nrepeat = [4, 1, 1]\n"
      "spacing = [0.19, 0, 0]\nposition = [0, 0, 0.06]\n[[obstacle]]\nname = \"floor\"\nshape = \"plane\"\n",
      "scene.toml"));
  const std::vector<StartOverlap> overlaps = start_overlaps(world);
  ASSERT_EQ(overlaps.size(), 2u);
  EXPECT_EQ(overlaps[0].b, "floor");
  EXPECT_EQ(overlaps[0].places, 4);
  EXPECT_NEAR(overlaps[0].depth, 0.04, 1e-9);
  EXPECT_NEAR(overlaps[0].ratio, 0.2, 1e-9);
  EXPECT_EQ(overlaps[1].places, 3);
  EXPECT_NEAR(overlaps[1].depth, 0.01, 1e-9);
}

TEST(StartWarnings, FramesThatShortenStepsAreNoted) {
  SimulationSettings settings;
  settings.dt = 4e-3;
  settings.fps = 25;  // ten steps of 4 ms
  EXPECT_EQ(frame_rate_note(settings), "");
  settings.fps = 60;  // five of 3.3 ms
  EXPECT_EQ(frame_rate_note(settings), "");
  settings.fps = 1000;
  EXPECT_NE(frame_rate_note(settings).find("no step is longer than 1 ms although dt is 4 ms"),
            std::string::npos)
      << frame_rate_note(settings);
}

}  // namespace
}  // namespace capstan
