// What may be called what, and whom [[friction]] and overrides mean by a name.
#include <gtest/gtest.h>

#include "capstan/errors.hpp"
#include "capstan/scene/friction_table.hpp"
#include "capstan/scene/override.hpp"
#include "capstan/scene/scene.hpp"

namespace capstan {
namespace {

const std::string kStrand = "[[strand]]\nlength = 0.2\n";

std::string refusal_of(const std::string& text, const std::vector<std::string>& changes = {}) {
  std::vector<Override> overrides;
  for (const std::string& change : changes) overrides.push_back(parse_override(change));
  try {
    parse_scene(text, "x", overrides);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Names, OfBodiesMayBeThoseOfBuiltInMaterials) {
  const Scene scene = parse_scene(kStrand + "name = \"rope\"\nmaterial = \"rope\"\n" + kStrand +
                                      "name = \"spaghetti\"\nmaterial = \"rope\"\n",
                                  "x");
  EXPECT_EQ(scene.strands[0].name, "rope");
  EXPECT_EQ(scene.strands[1].name, "spaghetti");
}

TEST(Names, OfMaterialsMayBeThoseOfBuiltInOnesAndHideThem) {
  const Scene scene =
      parse_scene("[[material]]\nname = \"spaghetti\"\npreset = \"spaghetti\"\nyoung = 2e5\n" + kStrand +
                      "material = \"spaghetti\"\n",
                  "x");
  EXPECT_EQ(scene.find_material("spaghetti")->young, 2e5);
}

TEST(Names, OfTwoBodiesMustDiffer) {
  const std::string twice = kStrand + "name = \"a\"\nmaterial = \"rope\"\n";
  EXPECT_EQ(refusal_of(twice + twice), "x:7:8: strand.name: is 'a', expected a name that is not taken");
}

TEST(Names, InFrictionMeanTheBodyBeforeTheMaterial) {
  const std::string two = kStrand + "name = \"rope\"\nmaterial = \"nylon\"\n" + kStrand +
                          "name = \"other\"\nmaterial = \"rope\"\n";
  const std::string friction = "[[friction]]\nmu = 0.9\nbetween = ";
  const PairTable body = friction_table(parse_scene(two + friction + "[\"rope\", \"rope\"]\n", "x"));
  EXPECT_EQ(body(0, 0).mu, 0.9);
  EXPECT_NE(body(1, 1).mu, 0.9);
  // No body is called nylon: the material is meant.
  const PairTable material = friction_table(parse_scene(two + friction + "[\"nylon\", \"other\"]\n", "x"));
  EXPECT_EQ(material(0, 1).mu, 0.9);
  EXPECT_NE(material(1, 1).mu, 0.9);
}

TEST(Names, ServeInOverridesAsNumbersDo) {
  const std::string text =
      kStrand + "material = \"rope\"\nname = \"a\"\n" + kStrand + "material = \"rope\"\n";
  const Scene scene = parse_scene(
      text, "x", {parse_override("strand.a.length=0.5"), parse_override("strand.strand_2.length=0.7")});
  EXPECT_EQ(scene.strands[0].length, 0.5);
  EXPECT_EQ(scene.strands[1].length, 0.7);
  EXPECT_EQ(
      refusal_of(text, {"strand.aa.length=1"}),
      "override strand.aa.length=1: 'aa' is not in strand, expected a number from 0 to 1 or a name: 'a', "
      "'strand_2'; did you mean 'a'?");
}

}  // namespace
}  // namespace capstan
