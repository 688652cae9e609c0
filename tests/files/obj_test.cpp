#include "capstan/files/obj.hpp"

#include "files/support.hpp"

namespace capstan::test {
namespace {

using Polylines = std::vector<std::vector<int>>;
using Triangles = std::vector<std::array<int, 3>>;

const std::string kVertices = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

TEST(Obj, ReadsVerticesTrianglesAndPolylines) {
  const ObjShapes obj = parse_obj(
      "# a comment\no thing\nv 0 1.5 -2e-1\nv +1 .5 3 1.0\r\nvn 0 0 1\nvt 0 0\n\n"
      "v 4 5 6 # trailing\nusemtl skin\ns off\nf 1 2 3\nl 3 1 2\n  l 1 2",
      "x.obj");
  ASSERT_EQ(obj.vertices.size(), 3u);
  EXPECT_EQ(obj.vertices[0], Eigen::Vector3d(0, 1.5, -0.2));
  EXPECT_EQ(obj.vertices[1], Eigen::Vector3d(1, 0.5, 3));
  EXPECT_EQ(obj.triangles, (Triangles{{0, 1, 2}}));
  EXPECT_EQ(obj.polylines, (Polylines{{2, 0, 1}, {0, 1}}));
}

TEST(Obj, CutsPolygonsIntoFans) {
  EXPECT_EQ(parse_obj(kVertices + "f 1 2 3 4", "x").triangles, (Triangles{{0, 1, 2}, {0, 2, 3}}));
}

TEST(Obj, TakesOnlyTheVertexOfACorner) {
  EXPECT_EQ(parse_obj(kVertices + "f 1/9 2//8 3/7/6", "x").triangles, (Triangles{{0, 1, 2}}));
}

TEST(Obj, ReadsTextureCoordinatesOfCorners) {
  const ObjShapes obj = parse_obj(
      kVertices + "vt 0 0\nvt 1 0.5 0\nvt 0.25\nf 1/1 2/2 3/3/9 4/1\nf 1/-1 2/-2/1 3\nf 1/4 2//1 3/x\n", "x");
  ASSERT_EQ(obj.uv.size(), 3u);
  EXPECT_EQ(obj.uv[1], Eigen::Vector2d(1, 0.5));
  EXPECT_EQ(obj.uv[2], Eigen::Vector2d(0.25, 0));
  EXPECT_EQ(obj.uv_triangles, (Triangles{{0, 1, 2}, {0, 2, 0}, {2, 1, -1}, {-1, -1, -1}}));
  EXPECT_EQ(obj.uv_triangles.size(), obj.triangles.size());
  EXPECT_EQ(parse_obj("f 1/2 2/1 3/1\nvt 0 0\nvt 1 1\n" + kVertices, "x").uv_triangles,
            (Triangles{{1, 0, 0}}));
}

TEST(Obj, CountsNegativeIndicesFromTheLatestVertex) {
  EXPECT_EQ(parse_obj("v 0 0 0\nv 1 0 0\nl -1 -2\nv 2 0 0\nl -1 -3\n", "x").polylines,
            (Polylines{{1, 0}, {2, 0}}));
}

TEST(Obj, ContinuesLinesAndLetsFacesComeFirst) {
  const ObjShapes obj = parse_obj("f 1 \\\n 2 3\n" + kVertices, "x");
  EXPECT_EQ(obj.triangles, (Triangles{{0, 1, 2}}));
  EXPECT_EQ(obj.vertices.size(), 4u);
}

TEST(Obj, IsEmptyWithoutStatements) {
  EXPECT_TRUE(parse_obj("", "x").vertices.empty());
  EXPECT_TRUE(parse_obj("\n\n# nothing\n", "x").triangles.empty());
}

void expect_message(const std::string& text, const std::string& message) {
  try {
    parse_obj(text, "x.obj");
    FAIL() << "accepted, expected " << message;
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), message);
  }
}

TEST(Obj, SaysWhichLineIsWrong) {
  const std::string vertex = ", expected the number of a vertex, counted from 1 or back from -1";
  expect_message("v 0 0 0\n\nv 1 a 0\n", "x.obj:3: found \"a\", expected a finite number");
  expect_message("v 0 0 1e999\n", "x.obj:1: found \"1e999\", expected a finite number");
  expect_message("v 0 0 nan\n", "x.obj:1: found \"nan\", expected a finite number");
  expect_message("v 0 0 +-1\n", "x.obj:1: found \"+-1\", expected a finite number");
  expect_message("vt\n", "x.obj:1: found \"vt\", expected coordinates after \"vt\"");
  expect_message("vt 0 inf\n", "x.obj:1: found \"inf\", expected a finite number");
  expect_message("v 0 1\n", "x.obj:1: found \"1\", expected three coordinates after \"v\"");
  expect_message(kVertices + "f 1 2\n", "x.obj:5: found \"2\", expected 3 or more corners after \"f\"");
  expect_message(kVertices + "l 1\n", "x.obj:5: found \"1\", expected 2 or more points after \"l\"");
  expect_message(kVertices + "f 1 2 0\n", "x.obj:5: found \"0\"" + vertex);
  expect_message(kVertices + "f 1 2 /3\n", "x.obj:5: found \"/3\"" + vertex);
  expect_message(kVertices + "f 1 2 99999999999\n", "x.obj:5: found \"99999999999\"" + vertex);
  expect_message(kVertices + "f 1 \\\n 2\\\n x\nv 0 0 0\n", "x.obj:5: found \"x\"" + vertex);
  expect_message(kVertices + "f 1 2 5\nf 1 2 3\n",
                 "x.obj:5: found \"5\", expected no more than 4, the vertices");
  expect_message(kVertices + "f 1 2 -5\n",
                 "x.obj:5: found \"-5\", expected no less than -4, the vertices so far");
}

TEST(Obj, ReadsFilesAndNamesThem) {
  const Scratch scratch;
  std::ofstream(scratch / "a.obj") << kVertices << "f 1 2 bad\n";
  try {
    read_obj(scratch / "a.obj");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("a.obj:5: found \"bad\""), std::string::npos) << error.what();
  }
  std::ofstream(scratch / "b.obj") << kVertices;
  EXPECT_EQ(read_obj(scratch / "b.obj").vertices.size(), 4u);
  EXPECT_THROW(read_obj(scratch / "missing.obj"), InputError);
}

}  // namespace
}  // namespace capstan::test
