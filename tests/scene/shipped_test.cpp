// The scenes we ship and the page that explains them.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "capstan/scene/build_world.hpp"
#include "capstan/scene/keys.hpp"
#include "capstan/scene/starter.hpp"
#include "capstan/scene/strand_spec.hpp"
#include "support/scratch.hpp"

namespace capstan {
namespace {

namespace fs = std::filesystem;
using testing_support::contents;

void expect_sound(const StrandSpec& strand) {
  const FramedCurve curve = sample_curve(strand.shape, strand.elements);
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    ASSERT_TRUE(curve.x[i].allFinite() && curve.R[i].allFinite()) << strand.name;
    ASSERT_LT((curve.R[i].transpose() * curve.R[i] - Eigen::Matrix3d::Identity()).norm(), 1e-9)
        << strand.name;
  }
  if (strand.shape.root.hold != Hold::free) {
    ASSERT_LT((strand.shape.root.motion.at(0).x - curve.x[0]).norm(), 1e-12) << strand.name;
  }
  if (strand.shape.tip.hold != Hold::free) {
    ASSERT_LT((strand.shape.tip.motion.at(0).x - curve.x.back()).norm(), 1e-12) << strand.name;
  }
}

TEST(ShippedScenes, AreReadAndGrown) {
  const std::map<std::string, std::size_t> strands{{"sphere_orbit", 1},
                                                   {"plectoneme", 1},
                                                   {"knot_tight", 1},
                                                   {"knot_force", 1},
                                                   {"capstan", 1},
                                                   {"self_stacking", 1},
                                                   {"spaghetti_7", 7},
                                                   {"spaghetti_31", 31},
                                                   {"spaghetti_76", 76},
                                                   {"spaghetti_31_corde", 31},
                                                   {"spaghetti_76_corde", 76},
                                                   {"spaghetti_7_mass_spring", 7},
                                                   {"wavy_head", 84},
                                                   {"wavy_head_frictionless", 84},
                                                   {"ponytail", 334},
                                                   {"free_1920_A", 1920},
                                                   {"free_1920_B", 1920},
                                                   {"curly_1920", 1920},
                                                   {"hair_small", 80}};
  std::size_t found = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(CAPSTAN_SOURCE_DIR) / "scenes/strands")) {
    if (entry.path().extension() != ".toml") continue;
    const std::string name = entry.path().stem().string();
    ASSERT_TRUE(strands.count(name)) << name << " is not in the list of this test";
    const Scene scene = read_scene(entry.path());
    const std::vector<StrandSpec> grown = expand(scene);
    EXPECT_EQ(grown.size(), strands.at(name)) << name;
    EXPECT_FALSE(scene.title.empty()) << name;
    EXPECT_NE(contents(entry.path()).find("# Look for: "), std::string::npos) << name;
    for (const StrandSpec& strand : grown) expect_sound(strand);
    ++found;
  }
  EXPECT_EQ(found, strands.size());
}

TEST(ShippedScenes, OfRigidBodiesAreReadAndBuilt) {
  const std::map<std::string, std::size_t> bodies{
      {"rigid/stack", 10},
      {"rigid/heap", 200},
      {"matchstick/channel", 9},
      {"matchstick/spread", 9},
      {"matchstick/slalom", 9},
      {"matchstick/box_on_incline", 6},
      {"matchstick/arch", 26},
      {"matchstick/tower", 14},
      {"matchstick/cylinder_on_plank", 5},
      {"matchstick/ravine", 18},
      {"matchstick/gripper", 3},
      {"matchstick/three_boxes", 3},
      {"matchstick/braking_vehicle", 1},
      {"matchstick/hopper_flow", 100},
      {"mixed/haul_over_capstan", 1},
      {"rigid/double_loop", 1},
      {"rigid/kaplas", 81},
      {"rigid/triangle", 3},
      {"rigid/drum_1000", 1000},
      {"rigid/drum_10000", 10000},
      {"matchstick/hopper_jam", 100},
  };
  std::size_t found = 0;
  for (const char* folder : {"mixed", "rigid", "matchstick"})
    for (const auto& entry : fs::directory_iterator(fs::path(CAPSTAN_SOURCE_DIR) / "scenes" / folder)) {
      if (entry.path().extension() != ".toml") continue;
      const std::string name = std::string(folder) + "/" + entry.path().stem().string();
      ASSERT_TRUE(bodies.count(name)) << name << " is not in the list of this test";
      const Scene scene = read_scene(entry.path());
      EXPECT_EQ(build_world(scene).rigid.size(), bodies.at(name)) << name;
      EXPECT_FALSE(scene.title.empty()) << name;
      EXPECT_NE(contents(entry.path()).find("# Look for: "), std::string::npos) << name;
      ++found;
    }
  EXPECT_EQ(found, bodies.size());
}

TEST(ShippedScenes, TheCountOfAGroomCanBeOverridden) {
  const Scene scene = read_scene(fs::path(CAPSTAN_SOURCE_DIR) / "scenes/strands/free_1920_A.toml",
                                 {parse_override("groom.0.count=25")});
  EXPECT_EQ(expand(scene).size(), 25u);
}

TEST(StarterScene, IsReadAndGrown) {
  const Scene scene = parse_scene(starter_scene("first \"try\""), "new.toml");
  EXPECT_EQ(scene.title, "first \"try\"");
  const std::vector<StrandSpec> grown = expand(scene);
  EXPECT_GE(grown.size(), 2u);
  for (const StrandSpec& strand : grown) expect_sound(strand);
}

/// The page from its first table on is made by the program; this says how.
TEST(ScenePage, HasEveryKeyOfTheParserAndNoOther) {
  const std::string page = contents(fs::path(CAPSTAN_SOURCE_DIR) / "docs/scene.md");
  EXPECT_NE(page.find(key_tables()), std::string::npos)
      << "docs/scene.md differs from the parser's keys; put in what `capstan check --keys` prints";
  // Nothing but the generated tables has rows that begin with a key.
  const std::string tables = key_tables();
  EXPECT_EQ(std::count(page.begin(), page.end(), '|') - std::count(tables.begin(), tables.end(), '|'), 0)
      << "docs/scene.md has a table row that the parser does not know";
}

}  // namespace
}  // namespace capstan
