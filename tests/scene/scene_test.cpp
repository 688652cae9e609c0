#include <gtest/gtest.h>

#include <cmath>

#include "capstan/errors.hpp"
#include "capstan/scene/friction_table.hpp"
#include "capstan/scene/keys.hpp"
#include "capstan/scene/strand_spec.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

const char* const kLine = "[[strand]]\nmaterial = \"nylon\"\nlength = 0.2\n";

TEST(Scene, HasTheDocumentedDefaultsOfTime) {
  // Writing every default of [simulation] changes nothing.
  std::string text = "[simulation]\n";
  for (const KeyInfo& key : scene_keys())
    if (key.section == "simulation") text += key.key + " = " + key.fallback + "\n";
  const SimulationSettings written = parse_scene(text + kLine, "x").simulation, left = SimulationSettings();
  EXPECT_EQ(written.duration, left.duration);
  EXPECT_EQ(written.fps, left.fps);
  EXPECT_EQ(written.dt, left.dt);
  EXPECT_EQ(written.dt_min, left.dt_min);
  EXPECT_EQ(written.adaptive, left.adaptive);
  EXPECT_EQ(written.theta, left.theta);
  EXPECT_EQ(written.gravity, left.gravity);
  EXPECT_EQ(written.air, left.air);
  EXPECT_EQ(written.tolerance, left.tolerance);
  EXPECT_EQ(written.solver, left.solver);
  EXPECT_EQ(written.threads, left.threads);
}

TEST(Scene, HasTheDocumentedDefaultsOfGrooms) {
  const std::string start =
      "[[obstacle]]\nname = \"ball\"\nshape = \"sphere\"\nradius = 0.1\n[[groom]]\nmaterial = \"nylon\"\n"
      "on = \"ball\"\ncount = 3\n";
  std::string text = start;
  for (const KeyInfo& key : scene_keys())
    if (key.section == "groom" && (std::isdigit(key.fallback[0]))) {
      if (key.key != "scale") text += key.key + " = " + key.fallback + "\n";
    }
  const auto written = expand(parse_scene(text, "x")), left = expand(parse_scene(start, "x"));
  ASSERT_EQ(written.size(), 3u);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(written[i].shape.nodes, left[i].shape.nodes);
}

TEST(Scene, CountsFramesFromTheFirstToTheLast) {
  SimulationSettings simulation;
  simulation.duration = 2;
  simulation.fps = 25;
  EXPECT_EQ(simulation.frames(), 51);
  simulation.duration = 0.3;
  simulation.fps = 10;  // 0.3 * 10 = 3 up to rounding
  EXPECT_EQ(simulation.frames(), 4);
}

TEST(Scene, GivesTheStiffnessOfARoundSection) {
  // EI = E pi r^4 / 4, GJ = G pi r^4 / 2, rho S = rho pi r^2.
  const Scene scene = parse_scene(
      std::string(
          "[[material]]\nname = \"m\"\nradius = 1e-3\ndensity = 1000\nyoung = 1e9\npoisson = 0.25\n") +
          "[[strand]]\nmaterial = \"m\"\nlength = 1\n",
      "x");
  const RodProperties rod = expand(scene)[0].properties;
  EXPECT_NEAR(rod.bending_1, 1e9 * M_PI * 1e-12 / 4, 1e-18);
  EXPECT_NEAR(rod.bending_2, rod.bending_1, 1e-18);
  EXPECT_NEAR(rod.twisting, 0.4e9 * M_PI * 1e-12 / 2, 1e-18);
  EXPECT_NEAR(rod.linear_density, 1000 * M_PI * 1e-6, 1e-15);
  EXPECT_NEAR(rod.stretching, 1e9 * M_PI * 1e-6, 1e-9);
}

TEST(Scene, TakesDirectNumbersOverTheSections) {
  const Scene scene = parse_scene(
      "[[material]]\nname = \"m\"\npreset = \"nylon\"\nbending = [1e-3, 2e-3]\ntwisting = 5e-4\n"
      "linear_density = 0.1\n[[strand]]\nmaterial = \"m\"\nlength = 1\n",
      "x");
  const RodProperties rod = expand(scene)[0].properties;
  EXPECT_EQ(rod.bending_1, 1e-3);
  EXPECT_EQ(rod.bending_2, 2e-3);
  EXPECT_EQ(rod.twisting, 5e-4);
  EXPECT_NEAR(rod.linear_density, 0.1, 1e-16);
}

TEST(Scene, EveryPresetMakesARod) {
  for (const Material& preset : material_presets()) {
    const RodProperties rod = preset.rod();
    for (const double value : {rod.radius, rod.linear_density, rod.bending_1, rod.bending_2, rod.twisting,
                               rod.stretching, rod.inertia_1, rod.inertia_2})
      EXPECT_GT(value, 0) << preset.name;
  }
  // A hair of 80 um: EI = 7.8e-9 N m^2 and 6.5e-6 kg/m, up to the ellipse.
  const RodProperties hair = find_preset("hair_straight")->rod();
  EXPECT_NEAR(std::sqrt(hair.bending_1 * hair.bending_2), 7.8e-9, 0.1e-9);
  EXPECT_NEAR(hair.linear_density, 6.5e-6, 0.1e-6);
}

TEST(Scene, FrictionOfAPairIsTheGeometricMeanUnlessGiven) {
  const Scene scene = parse_scene(
      "[[material]]\nname = \"a\"\npreset = \"nylon\"\nfriction = 0.1\n"
      "[[material]]\nname = \"b\"\npreset = \"nylon\"\nfriction = 0.4\n"
      "[[strand]]\nname = \"s\"\nmaterial = \"a\"\nlength = 1\n"
      "[[strand]]\nname = \"t\"\nmaterial = \"b\"\nlength = 1\n"
      "[[obstacle]]\nname = \"ice\"\nshape = \"plane\"\nfriction = 0\n"
      "[[obstacle]]\nname = \"any\"\nshape = \"plane\"\n"
      "[[obstacle]]\nname = \"felt\"\nshape = \"plane\"\nfriction = 0.9\n"
      "[[friction]]\nbetween = [\"felt\", \"b\"]\nmu = 0.7\n"
      "[[friction]]\nbetween = [\"t\", \"t\"]\nmu = 0.5\n",
      "x");
  const PairTable table = friction_table(scene);
  Eigen::Matrix<double, 2, 5> expected;  // of the strands with strands, then with obstacles
  expected << 0.1, 0.2, 0, 0.1, 0.3, 0.2, 0.5, 0, 0.4, 0.7;
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 5; ++b) {
      EXPECT_NEAR(table(a, b).mu, expected(a, b), 1e-15);
      EXPECT_NEAR(table(b, a).mu, expected(a, b), 1e-15);
    }
}

TEST(Scene, PutsTheNormalOfAPlaneWhereToldTo) {
  const Scene scene = parse_scene(
      std::string(kLine) + "[[obstacle]]\nshape = \"plane\"\nposition = [1, 2, 3]\nnormal = [0, 3, 4]\n",
      "x");
  const Frame pose = scene.obstacles[0].motion.at(0);
  EXPECT_LT((pose.R.col(2) - Vector3d(0, 0.6, 0.8)).norm(), 1e-15);
  EXPECT_EQ(pose.x, Vector3d(1, 2, 3));
}

TEST(Scene, CarriesAHeldEndAlong) {
  // The ball turns a quarter about z and rises; the root sits 1 m beside its middle.
  const Scene scene = parse_scene(
      "[[obstacle]]\nname = \"ball\"\nshape = \"sphere\"\nradius = 1\nposition = [0, 0, 5]\n"
      "keys = [{ t = 0 }, { t = 1, x = [0, 0, 1], rotation = [0, 0, 1.5707963267948966] }]\n"
      "[[strand]]\nmaterial = \"nylon\"\nstart = [1, 0, 5]\nlength = 0.2\n[strand.root]\nfollow = \"ball\"\n",
      "x");
  const End root = expand(scene)[0].shape.root;
  EXPECT_EQ(root.hold, Hold::clamped);
  EXPECT_LT((root.motion.at(0).x - Vector3d(1, 0, 5)).norm(), 1e-15);
  EXPECT_LT((root.motion.at(1).x - Vector3d(0, 1, 6)).norm(), 1e-14);
  EXPECT_LT((root.motion.at(1).R.col(0) - Vector3d(0, 1, 0)).norm(), 1e-14);
}

TEST(Scene, PutsLoadsAtTheirPartOfTheLength) {
  const auto strands =
      expand(parse_scene(std::string(kLine) + "[[strand.load]]\nat = 0.5\nforce = [0, 0, 2]\n", "x"));
  ASSERT_EQ(strands[0].loads.size(), 1u);
  EXPECT_NEAR(strands[0].loads[0].s, 0.1, 1e-16);
  EXPECT_EQ(strands[0].loads[0].f, Vector3d(0, 0, 2));
}

TEST(Scene, KnowsTheUnknownsOfEachModel) {
  const auto dofs = [](const std::string& keys) {
    return dofs_of(expand(parse_scene(kLine + keys, "x"))[0]);
  };
  EXPECT_EQ(dofs("elements = 5\n"), 21);
  EXPECT_EQ(dofs("elements = 5\n[strand.root]\nhold = \"clamped\"\n"), 15);
  EXPECT_EQ(dofs("elements = 5\nmodel = \"mass_spring\"\n"), 18);
  EXPECT_EQ(dofs("elements = 5\nmodel = \"discrete_elastic\"\n[strand.root]\nhold = \"pinned\"\n"), 20);
}

TEST(Override, ChangesAndAddsValues) {
  const Scene scene =
      parse_scene(kLine, "x",
                  {parse_override("strand.0.length=0.5"), parse_override("strand.0.elements = 3"),
                   parse_override("title=\"changed\"")});
  EXPECT_EQ(scene.strands[0].length, 0.5);
  EXPECT_EQ(scene.strands[0].elements, 3);
  EXPECT_EQ(scene.title, "changed");
}

TEST(Override, IsCheckedLikeTheFile) {
  const auto refusal = [](const std::string& change) -> std::string {
    try {
      parse_scene(kLine, "x", {parse_override(change)});
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal("strand.0.length=-1"), "x:3:10: strand.length: is -1, expected a number > 0");
  EXPECT_EQ(refusal("strand.0.lenght=1"), "x:1:1: strand.lenght: unknown key; did you mean 'length'?");
  EXPECT_EQ(refusal("strand.1.length=1"),
            "override strand.1.length=1: '1' is not in strand, expected a number from 0 to 0 or a name: "
            "'strand_1'");
  EXPECT_EQ(refusal("strnd.0.length=1"),
            "override strnd.0.length=1: the scene has no 'strnd'; did you mean 'strand'?");
  EXPECT_EQ(refusal("title=two words"),
            "override title=two words: the value is not TOML (texts need quotes)");
  EXPECT_EQ(refusal("title"), "override 'title': expected PATH=VALUE, such as groom.0.count=250");
}

}  // namespace
}  // namespace capstan
