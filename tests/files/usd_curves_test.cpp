#include "capstan/files/usd_curves.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "capstan/errors.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

const std::string kHead = "#usda 1.0\n(\n    metersPerUnit = 1\n    upAxis = \"Z\"\n)\n";

std::string curves(const std::string& body) { return "def BasisCurves \"hair\"\n{\n" + body + "\n}\n"; }

const std::string kTwo =
    "uniform token type = \"linear\"\nint[] curveVertexCounts = [2, 3]\n"
    "point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 2, 0), (0, 3, 0.5)]\n";

UsdCurves read(const std::string& text) { return parse_usd_curves(text, "x.usda"); }

std::string refusal_of(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was refused in " << text;
  return {};
}

TEST(UsdCurves, ReadsLinearCurvesWithWidths) {
  const UsdCurves found =
      read(kHead + curves(kTwo + "float[] widths = [0.1, 0.2] (\ninterpolation = \"uniform\"\n)"));
  ASSERT_EQ(found.strands.size(), 2u);
  EXPECT_EQ(found.strands[0], (std::vector<Vector3d>{{0, 0, 0}, {1, 0, 0}}));
  EXPECT_EQ(found.strands[1][2], Vector3d(0, 3, 0.5));
  EXPECT_EQ(found.widths, (std::vector{0.1, 0.2}));
}

TEST(UsdCurves, TakesUnitsAndAxisFromTheStage) {
  // y up: (x, y, z) becomes (x, -z, y). Without a word USD means centimetres and y.
  for (const auto& [head, metres] : {std::pair("#usda 1.0\n(\nmetersPerUnit = 0.5\nupAxis = \"Y\"\n)\n", 0.5),
                                     std::pair("#usda 1.0\n", 0.01)})
    EXPECT_LT((read(head + curves(kTwo)).strands[1][2] - metres * Vector3d(0, -0.5, 3)).norm(), 1e-15)
        << head;
}

TEST(UsdCurves, AreMovedByTheTransformsAboveThem) {
  // Scaled by 2, turned by 90 degrees about z, then shifted by the parent: (1, 0, 0) -> (0, 2, 0) -> (5, 2,
  // 0).
  const std::string text =
      kHead + "def Xform \"head\" (\n    kind = \"group\"\n)\n{\n" +
      curves(kTwo +
             "double xformOp:rotateZ = 90\nfloat3 xformOp:scale:big = (2, 2, 2)\n"
             "uniform token[] xformOpOrder = [\"xformOp:rotateZ\", \"xformOp:scale:big\"]") +
      "double3 xformOp:translate = (5, 0, 0)\nuniform token[] xformOpOrder = [\"xformOp:translate\"]\n}\n";
  const UsdCurves found = read(text);
  EXPECT_LT((found.strands[0][0] - Vector3d(5, 0, 0)).norm(), 1e-12);
  EXPECT_LT((found.strands[0][1] - Vector3d(5, 2, 0)).norm(), 1e-12);
}

TEST(UsdCurves, UnderstandAllOrdersOfRotation) {
  // rotateXYZ turns about x first: y -> z (90 about x), then z -> x (90 about y).
  const auto turned = [](const std::string& operation) {
    return read(kHead + curves(kTwo + operation)).strands[1][1];  // was (0, 2, 0)
  };
  const std::string order = "\nuniform token[] xformOpOrder = [\"xformOp:";
  EXPECT_LT(
      (turned("float3 xformOp:rotateXYZ = (90, 90, 0)" + order + "rotateXYZ\"]") - Vector3d(2, 0, 0)).norm(),
      1e-12);
  EXPECT_LT(
      (turned("float3 xformOp:rotateYXZ = (90, 90, 0)" + order + "rotateYXZ\"]") - Vector3d(0, 0, 2)).norm(),
      1e-12);
  // A quarter turn about z as a quaternion (w, x, y, z), and as a matrix that rows are multiplied with.
  EXPECT_LT((turned("quatf xformOp:orient = (0.70710678118654757, 0, 0, 0.70710678118654757)" + order +
                    "orient\"]") -
             Vector3d(-2, 0, 0))
                .norm(),
            1e-7);
  EXPECT_LT((turned("matrix4d xformOp:transform = ((0, 1, 0, 0), (-1, 0, 0, 0), (0, 0, 1, 0), (3, 4, 5, 1))" +
                    order + "transform\"]") -
             Vector3d(1, 4, 5))
                .norm(),
            1e-12);
}

TEST(UsdCurves, TakesTheFirstOfTimeSamples) {
  const UsdCurves found =
      read(kHead + curves("uniform token type = \"linear\"\nint[] curveVertexCounts = [2]\n"
                          "point3f[] points.timeSamples = {\n-1.5: [(1, 2, 3), (4, 5, 6)],\n"
                          "0: [(0, 0, 0), (0, 0, 0)],\n}"));
  EXPECT_EQ(found.strands[0], (std::vector<Vector3d>{{1, 2, 3}, {4, 5, 6}}));
}

TEST(UsdCurves, CubicCurvesGivePointsThatLieOnThem) {
  const auto cubic = [](const std::string& basis, const std::string& wrap, int count) {
    std::string text = "uniform token basis = \"" + basis + "\"\nuniform token wrap = \"" + wrap +
                       "\"\nint[] curveVertexCounts = [" + std::to_string(count) + "]\npoint3f[] points = [";
    for (int i = 0; i < count; ++i)
      text += std::string(i ? ", " : "") + "(" + std::to_string(i) + ", 0, " + std::to_string(i * i) + ")";
    return read(kHead + curves(text + "]")).strands[0];
  };
  EXPECT_EQ(cubic("catmullRom", "pinned", 5).size(), 5u);
  EXPECT_EQ(cubic("catmullRom", "nonperiodic", 5).front(), Vector3d(1, 0, 1));  // the first is a handle
  EXPECT_EQ(cubic("bspline", "pinned", 5).front(), Vector3d(0, 0, 0));
  // A B-spline of samples of x^2 is x^2 + 1/3.
  EXPECT_LT((cubic("bspline", "nonperiodic", 5)[1] - Vector3d(2, 0, 4 + 1.0 / 3)).norm(), 1e-12);
  // Bezier with handles at thirds: x = 3 t; z = 3 t (1-t)^2 + 12 t^2 (1-t) + 9 t^3 is 5/3 at t = 1/3.
  const auto bezier = cubic("bezier", "nonperiodic", 7);
  ASSERT_EQ(bezier.size(), 7u);
  EXPECT_LT((bezier[1] - Vector3d(1, 0, 5.0 / 3)).norm(), 1e-12);
  EXPECT_EQ(bezier[3], Vector3d(3, 0, 9));
}

TEST(UsdCurves, PassesOverEverythingElse) {
  const UsdCurves found = read(
      kHead +
      "# a comment\ndef Scope \"Looks\" { def Material \"m\" { token outputs:surface.connect = </a/b.c> } }\n"
      "class BasisCurves \"never\" { int[] curveVertexCounts = [1]\npoint3f[] points = [(0, 0, 0)] }\n"
      "def Xform \"w\" (\n    doc = \"\"\"long ( { text\"\"\"\n    prepend references = @./a.usd@</b>\n)\n{\n"
      "    rel material:binding = </Looks/m>\n    string s = \"a \\\" } b\"\n"
      "    variantSet \"v\" = { \"a\" { def Xform \"z\" {} } }\n    dictionary d = { int x = 3 }\n" +
      curves(kTwo) + "}\n");
  EXPECT_EQ(found.strands.size(), 2u);
}

TEST(UsdCurves, SayWhereAFileIsWrong) {
  const auto expect = [](const std::string& text, const std::string& message) {
    const std::string found = refusal_of(text);
    EXPECT_NE(found.find(message), std::string::npos) << found;
  };
  expect("PXR-USDC\1\2", "x.usda: is binary USD, expected its text form");
  expect("solid cube", "x.usda:1:1: expected '#usda 1.0'");
  expect("#usda 1.0\ndef Xform head {}",
         "x.usda:2:11: found \"head\", expected the name of a prim in quotes");
  expect("#usda 1.0\ndef Xform \"a\"\n{\n  float x = \n}", "x.usda:5:1: found \"}\", expected a value");
  expect("#usda 1.0\ndef Xform \"a\"\n{\n", "expected an attribute, a prim, or '}'");
  expect("#usda 1.0\ndef Xform \"a\n{\n", "x.usda:2:11: a text begins here that does not end");
  expect("#usda 1.0\n(\n  metersPerUnit = -1\n)", "x.usda:3:19: metersPerUnit is no number > 0");
  expect("#usda 1.0\n(\n  upAxis = \"X\"\n)", "x.usda:3:12: upAxis is neither");
  expect(kHead + curves("int[] curveVertexCounts = [2]\npoint3f[] points = [(0, 0, 0)]"),
         "x.usda:9:1: points has 3 numbers, expected 6");
  expect(kHead + curves("int[] curveVertexCounts = [1.5]\npoint3f[] points = [(0, 0, 0)]"),
         "x.usda:8:1: curveVertexCounts has a number that is no whole number > 0");
  expect(
      kHead +
          curves(
              "int[] curveVertexCounts = [5]\npoint3f[] points = [(0,0,0),(0,0,0),(0,0,0),(0,0,0),(0,0,0)]"),
      "a Bezier curve has 5 vertices, expected 4, 7, 10");
  expect(kHead + curves(kTwo + "token[] xformOpOrder = [\"!invert!xformOp:translate\"]"),
         "expected translate, scale, orient");
  expect(kHead + curves("int[] curveVertexCounts = [1]\npoint3f[] points = [(0, inf, 0)]\n"), "not finite");
}

TEST(UsdCurves, NestedTooDeeplyAreRefused) {
  std::string text = kHead;
  for (int i = 0; i < 300; ++i) text += "def Xform \"a\" {\n";
  EXPECT_NE(refusal_of(text + std::string(300, '}')).find("not nested as deeply"), std::string::npos);
}

TEST(UsdCurves, DamagedFilesAreReadOrRefused) {
  const std::string whole = kHead + "def Xform \"h\" {\n" + curves(kTwo + "float[] widths = [0.1]") +
                            "double3 xformOp:translate.timeSamples = { 0: (5, 0, 0), 1: (1, 1, 1) }\n"
                            "uniform token[] xformOpOrder = [\"xformOp:translate\"]\n}\n";
  std::mt19937 random(7);
  const std::string nasty = "()[]{}=,:\"'@<>#\\;-9e. \n";
  for (int trial = 0; trial < 3000; ++trial) {
    std::string text = whole;
    for (int change = 0; change < 3; ++change) {
      const std::size_t at = random() % text.size();
      if (random() % 2)
        text[at] = nasty[random() % nasty.size()];
      else
        text.erase(at, random() % 20);
    }
    try {
      for (const auto& strand : read(text).strands) EXPECT_FALSE(strand.empty());
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()).rfind("x.usda:", 0), 0u) << error.what();
    }
  }
}

}  // namespace
}  // namespace capstan
