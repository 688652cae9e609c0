#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "capstan/errors.hpp"
#include "capstan/scene/drape.hpp"
#include "capstan/scene/solids.hpp"
#include "capstan/scene/strand_spec.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

std::string ball_groom(const std::string& keys) {
  return "[[obstacle]]\nname = \"ball\"\nshape = \"sphere\"\nradius = 0.1\nposition = [0, 0, 1]\n"
         "[[groom]]\nname = \"hair\"\nmaterial = \"hair_straight\"\non = \"ball\"\n" +
         keys;
}

std::vector<StrandSpec> grown(const std::string& keys) { return expand(parse_scene(ball_groom(keys), "x")); }

TEST(Groom, HasAsManyStrandsAsAsked) {
  for (const int count : {1, 2, 7, 100, 333})
    EXPECT_EQ(grown("count = " + std::to_string(count)).size(), std::size_t(count));
}

TEST(Groom, RootsSitOnTheSurfaceWithinTheHairlines) {
  const auto strands = grown("count = 200\nhairline_front = 0.8\nhairline_back = 2\njitter = 0.0\n");
  const double radius = 0.1 + strands[0].collision_radius;
  double lowest_front = 0, lowest_back = 0;
  for (const StrandSpec& strand : strands) {
    const Vector3d d = strand.shape.nodes[0] - Vector3d(0, 0, 1);
    EXPECT_NEAR(d.norm(), radius, 1e-6);
    const double polar = std::acos(d[2] / d.norm());
    if (d[1] > std::abs(d[0])) lowest_front = std::max(lowest_front, polar);
    if (-d[1] > std::abs(d[0])) lowest_back = std::max(lowest_back, polar);
  }
  // 45 degrees off the face the hairline is at 0.8 + 1.2 (1 - cos 45) / 2 = 0.976.
  EXPECT_LT(lowest_front, 0.98);
  EXPECT_NEAR(lowest_back, 2, 0.15);
}

TEST(Groom, IsLaidClearOfObstaclesAndAsLongAsAsked) {
  const auto strands = grown("count = 100\nlength = 0.3\nlength_spread = 0.0\n");
  for (const StrandSpec& strand : strands) {
    EXPECT_NEAR(sample_curve(strand.shape, strand.elements).length, 0.3, 1e-9);
    for (const Vector3d& x : strand.shape.nodes) EXPECT_GT((x - Vector3d(0, 0, 1)).norm(), 0.1);
    EXPECT_LT(strand.shape.nodes.back()[2], strand.shape.nodes.front()[2]);
  }
}

TEST(Groom, ComesOutTheSameForASeedAndDifferentForAnother) {
  const auto a = grown("count = 20\nseed = 5\n"), b = grown("count = 20\nseed = 5\n"),
             c = grown("count = 20\nseed = 6\n");
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(a[i].shape.nodes, b[i].shape.nodes);
    EXPECT_NE(a[i].shape.nodes, c[i].shape.nodes);
  }
}

TEST(Groom, RootsAreClampedAndRideOnTheObstacle) {
  const std::string text =
      "[[obstacle]]\nname = \"ball\"\nshape = \"sphere\"\nradius = 0.1\n"
      "keys = [{ t = 0 }, { t = 1, rotation = [0, 0, 3.141592653589793] }]\n"
      "[[groom]]\nmaterial = \"hair_wavy\"\non = \"ball\"\ncount = 10\n";
  for (const StrandSpec& strand : expand(parse_scene(text, "x"))) {
    ASSERT_EQ(strand.shape.root.hold, Hold::clamped);
    EXPECT_EQ(strand.shape.tip.hold, Hold::free);
    const Frame before = strand.shape.root.motion.at(0), after = strand.shape.root.motion.at(1);
    // Half a turn about z: x and y change sign, of the place and of the tangent.
    const Vector3d half(-1, -1, 1);
    EXPECT_LT((after.x - half.cwiseProduct(before.x)).norm(), 1e-14);
    EXPECT_LT((after.R.col(0) - half.cwiseProduct(before.R.col(0))).norm(), 1e-14);
    EXPECT_LT((before.x - strand.shape.nodes.front()).norm(), 1e-15);
  }
}

TEST(Groom, CurlsHaveTheirRadiusAndPitch) {
  // A helix of radius r and pitch 2 pi p: curvature r / (r^2 + p^2), torsion p / (r^2 + p^2).
  const auto strands = grown("count = 3\ncurl = [0.01, 0.0628318530717958]\ncurl_spread = 0.0\n");
  EXPECT_LT((strands[0].shape.natural_curvature - Vector3d(50, 0, 50)).norm(), 1e-9);
}

TEST(Groom, TightCurlsStartAsTheirOwnHelixBesideTheHead) {
  const auto strands = grown("count = 60\nelements = 5\ncurl = [0.008, 0.02]\n");
  for (const StrandSpec& strand : strands) {
    EXPECT_TRUE(strand.shape.nodes.empty());
    EXPECT_GT(strand.shape.length, 0.2);
    const FramedCurve curve = sample_curve(strand.shape, 100);
    for (const Vector3d& x : curve.x) EXPECT_GT((x - Vector3d(0, 0, 1)).norm(), 0.1 - 1e-3);
  }
}

TEST(Groom, SaysWhenTheHairlinesLeaveNoRoom) {
  EXPECT_THROW(grown("count = 1000\nhairline_front = 0\nhairline_back = 0\n"), InputError);
}

TEST(Groom, GrowsOnTheHeadAndClearsTheShoulders) {
  const Scene scene = parse_scene(
      "[[obstacle]]\nname = \"head\"\nshape = \"head\"\n[[obstacle]]\nname = \"shoulders\"\nshape = "
      "\"shoulders\"\n[[groom]]\nmaterial = \"hair_straight\"\non = \"head\"\ncount = 40\n",
      "x");
  const Surroundings surroundings(make_obstacles(scene));
  for (const StrandSpec& strand : expand(scene)) {
    EXPECT_LT(std::abs(surroundings.distance(strand.shape.nodes.front())), 1e-3);
    EXPECT_GT(strand.shape.nodes.front()[2], 0.1);
    for (const Vector3d& x : strand.shape.nodes) EXPECT_GT(surroundings.distance(x), -1e-3);
  }
}

TEST(Groom, ComesFromTheCurvesOfUsd) {
  // y is up and a unit is a centimetre, as the file says: a strand hangs down from (1, 3, 2) cm by 2 cm.
  const std::filesystem::path folder = testing::TempDir();
  std::ofstream(folder / "groom_test.usda")
      << "#usda 1.0\n(\n    metersPerUnit = 0.01\n    upAxis = \"Y\"\n)\ndef BasisCurves \"hair\"\n{\n"
         "    uniform token type = \"linear\"\n    int[] curveVertexCounts = [3]\n"
         "    point3f[] points = [(1, 2, -3), (1, 1, -3), (1, 0, -3)]\n}\n";
  std::ofstream(folder / "groom_usd.toml") << "[[groom]]\nmaterial = \"nylon\"\nfile = \"groom_test.usda\"\n"
                                              "position = [0, 0, 1]\nscale = 2\n";
  const auto strands = expand(read_scene(folder / "groom_usd.toml"));
  ASSERT_EQ(strands.size(), 1u);
  ASSERT_EQ(strands[0].shape.nodes.size(), 3u);
  EXPECT_LT((strands[0].shape.nodes[0] - Vector3d(0.02, 0.06, 1.04)).norm(), 1e-12);
  EXPECT_LT((strands[0].shape.nodes[2] - Vector3d(0.02, 0.06, 1)).norm(), 1e-12);
}

TEST(GroomFile, IsScaledTurnedAndThinnedOut) {
  // Four polylines along y, the file's up axis, in centimetres; every other one is taken.
  const std::filesystem::path folder = testing::TempDir();
  std::ofstream(folder / "groom_test.obj") << "v 0 0 0\nv 0 2 0\nv 1 0 0\nv 1 2 0\nv 2 0 0\nv 2 2 0\n"
                                              "v 3 0 0\nv 3 2 0\nv 9 9 9\nl 1 2\nl 3 4\nl 5 6\nl 7 8\n";
  std::ofstream(folder / "groom_test.toml") << "[[groom]]\nmaterial = \"nylon\"\nfile = \"groom_test.obj\"\n"
                                               "scale = 0.01\nup = \"y\"\nlimit = 2\nposition = [0, 0, 1]\n";
  const auto strands = expand(read_scene(folder / "groom_test.toml"));
  ASSERT_EQ(strands.size(), 2u);
  EXPECT_EQ(strands[0].name, "groom_1[0]");
  EXPECT_EQ(strands[0].shape.rest, StrandShape::Rest::as_given);
  EXPECT_EQ(strands[0].shape.root.hold, Hold::clamped);
  EXPECT_LT((strands[0].shape.nodes[1] - Vector3d(0, 0, 1.02)).norm(), 1e-15);
  EXPECT_LT((strands[1].shape.nodes[0] - Vector3d(0.02, 0, 1)).norm(), 1e-15);
}

TEST(GroomFile, ThatIsNotThereIsNamed) {
  try {
    expand(parse_scene("[[groom]]\nmaterial = \"nylon\"\nfile = \"nowhere.hair\"\n", "x"));
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "x:3:8: groom.file: is 'nowhere.hair', expected a file, but there is none at nowhere.hair");
  }
}

TEST(Bundle, IsPackedWithoutOverlap) {
  // Hexagonal: neighbours are 2 radii and the gap apart.
  const auto rods = expand(
      parse_scene("[[bundle]]\nmaterial = \"spaghetti\"\ncount = 31\nlength = 0.25\nspacing = 1e-4\n", "x"));
  ASSERT_EQ(rods.size(), 31u);
  double least = 1, farthest = 0;
  for (std::size_t i = 0; i < rods.size(); ++i) {
    EXPECT_NEAR(sample_curve(rods[i].shape, 4).length, 0.25, 1e-12);
    farthest = std::max(farthest, sample_curve(rods[i].shape, 4).x[2].norm());
    for (std::size_t j = 0; j < i; ++j)
      least = std::min(least, (rods[i].shape.nodes[0] - rods[j].shape.nodes[0]).norm());
  }
  EXPECT_NEAR(least, 2 * 0.85e-3 + 1e-4, 1e-12);
  EXPECT_LT(farthest, 3.2 * least);  // 31 places of the packing lie within three neighbours of the middle
}

double least_distance(const std::vector<StrandSpec>& rods) {
  double least = 1;
  for (std::size_t i = 0; i < rods.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      for (const Vector3d& x : rods[i].shape.nodes)
        for (const Vector3d& y : rods[j].shape.nodes) least = std::min(least, (x - y).norm());
  return least;
}

TEST(Bundle, KeepsItsRodsApartWhereItIsNotStraight) {
  // From horizontal to hanging, or bent by 2.4 rad: neighbours stay as far apart as in the packing.
  const std::string start =
      "[[bundle]]\nmaterial = \"nylon\"\ncount = 19\nlength = 0.3\nspacing = 1e-4\nelements = 10\n"
      "direction = [0, 1, 0.3]\n";
  const double pitch = 2 * 0.2e-3 + 1e-4;
  const auto hanging = expand(parse_scene(start + "droop = 0.05\n[bundle.root]\nhold = \"clamped\"\n", "x"));
  EXPECT_GT(least_distance(hanging), 0.95 * pitch);
  EXPECT_LT((hanging[0].shape.nodes.back() - hanging[0].shape.nodes.front())[2], -0.15);
  EXPECT_GT(least_distance(expand(parse_scene(start + "bend = 8\n", "x"))), 0.95 * pitch);
}

TEST(Bundle, BendsAroundItsMiddle) {
  // Curvature 4/m over 0.5 m: the ends are 1 / 4 (1 - cos 1) above the middle, level with each other.
  const auto rods = expand(parse_scene(
      "[[bundle]]\nmaterial = \"spaghetti\"\ncount = 1\nlength = 0.5\nbend = 4\ncenter = [0, 0, 1]\n", "x"));
  const auto& line = rods[0].shape.nodes;
  EXPECT_NEAR(line.front()[2] - 1, 0.25 * (1 - std::cos(1.0)), 1e-12);
  EXPECT_NEAR(line.back()[2], line.front()[2], 1e-12);
  EXPECT_LT((line[line.size() / 2] - Vector3d(0, 0, 1)).norm(), 1e-12);
}

}  // namespace
}  // namespace capstan
