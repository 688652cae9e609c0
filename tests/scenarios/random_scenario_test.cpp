#include <gtest/gtest.h>

#include "bench/scenarios/closed_meshes.hpp"
#include "bench/scenarios/scenario.hpp"
#include "capstan/collide/triangle_mesh.hpp"
#include "capstan/files/obj.hpp"
#include "capstan/scene/scene.hpp"

namespace capstan::scenarios {
namespace {

namespace fs = std::filesystem;

TEST(RandomScenario, IsTheSameForTheSameSeed) {
  for (const std::uint64_t seed : {0u, 17u, 299u, 12345u}) {
    const Scenario one = random_scenario(seed), other = random_scenario(seed);
    EXPECT_EQ(one.toml, other.toml);
    EXPECT_EQ(one.files, other.files);
  }
  EXPECT_NE(random_scenario(1).toml, random_scenario(2).toml);
}

TEST(RandomScenario, IsReadByTheReaderOfScenes) {
  const fs::path folder = fs::path(testing::TempDir()) / "random_scenarios";
  fs::create_directories(folder);
  for (std::uint64_t seed = 0; seed < 300; ++seed)
    EXPECT_NO_THROW(read_scene(write_scenario(random_scenario(seed), folder))) << seed;
  fs::remove_all(folder);
}

TEST(RandomScenario, TakesEveryWordOfTheGrammar) {
  std::string all;
  for (std::uint64_t seed = 0; seed < 300; ++seed) all += random_scenario(seed).toml;
  for (const std::string word :
       {"[[rigid]]",       "[[bundle]]",      "[[strand]]",      "[[groom]]",   "[[cloth]]",
        "[[soft]]",        "\"sphere\"",      "\"box\"",         "\"capsule\"", "\"cylinder\"",
        "\"hull\"",        "\"mesh\"",        "_bowl_",          "_wedge_",     "_blob_",
        "\"head\"",        "\"super_helix\"", "\"mass_spring\"", "\"corde\"",   "\"discrete_elastic\"",
        "\"neo_hookean\"", "\"ball\"",        "\"helix\"",       "\"arc\"",     "\"overhand_knot\"",
        "points =",        "\"clamped\"",     "\"pinned\"",      "cloth.hold",  "keys =",
        "oscillation =",   "\"linear\"",      "velocity =",      "spin =",      "restitution =",
        "\"one_sided\"",   "\"ellipse\"",     "\"matchstick\"",  "adhesion =",  "structure ="})
    EXPECT_NE(all.find(word), std::string::npos) << word;
}

TEST(ClosedMeshes, AreAcceptedAsSolidsWithTheirVolume) {
  const auto volume_of = [](const std::string& text) {
    const ObjShapes mesh = parse_obj(text, "mesh");
    return TriangleMesh({mesh.vertices, mesh.triangles}).volume();
  };
  EXPECT_NEAR(volume_of(wedge_obj({0.2, 0.3, 0.1})), 0.5 * 0.2 * 0.3 * 0.1, 1e-9);
  Random random(3);
  EXPECT_NEAR(volume_of(blob_obj(1, 0, random, 16)), 4.18879, 0.16);  // a ball of 4 pi / 3
  // Half a shell: 2 pi / 3 (1.1^3 - 1), and a little for the slanted rim.
  EXPECT_NEAR(volume_of(bowl_obj(1, 0.1, 1, 48)), 0.69325, 0.02);
}

}  // namespace
}  // namespace capstan::scenarios
