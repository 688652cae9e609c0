#include "capstan/files/tet_files.hpp"

#include "files/support.hpp"

namespace capstan::test {
namespace {

using Eigen::Vector3d;
using files::parse_gmsh;
using files::parse_tetgen;
using files::TetFile;
using Tets = std::vector<std::array<int, 4>>;

// Two tets with a common face, a triangle and a point beside them, a node of no tet, and the second tet
// inside out.
const std::string kGmsh2 =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
    "$PhysicalNames\n1\n3 1 \"a $End of names\"\n$EndPhysicalNames\n"
    "$Nodes\n6\n"
    "10 0 0 0\n2 1 0 0\n3 0 1 0\n99 5 5 5\n7 0 0 1\n5 +1 1.0e0 1\n"
    "$EndNodes\n"
    "$Elements\n4\n"
    "1 15 2 0 1 10\n2 2 2 0 1 10 2 3\n3 4 2 1 -1 10 2 3 7\n4 4 0 5 2 3 7\n"
    "$EndElements\n"
    "$NodeData\n1\n\"a view\"\n$EndNodeData\n";

const std::string kGmsh4 =
    "$MeshFormat\r\n4.1 0 8\r\n$EndMeshFormat\r\n"
    "$Entities\n0 0 0 1\n1 0 0 0 1 1 1 0 0\n$EndEntities\n"
    "$Nodes\n3 6 2 99\n"
    "0 1 0 1\n10\n0 0 0\n"
    "2 4 1 2\n2\n3\n1 0 0 0.5 0.25\n0 1 0 0.1 0.2\n"
    "3 1 0 3\n99\n7\n5\n5 5 5\n0 0 1\n1 1 1\n"
    "$EndNodes\n"
    "$Elements\n3 4 1 4\n"
    "0 1 15 1\n1 10\n"
    "2 4 2 1\n2 10 2 3\n"
    "3 1 4 2\n3 10 2 3 7\n4 5 2 3 7\n"
    "$EndElements\n";

const std::string kNode =
    "# made by hand\n\n6 3 2 1  # points, dimension, attributes, markers\n"
    "1 0 0 0  0.5 1e3 -1\n2 1 0 0 0 0 0\n3 0 1 0 0 0 0\n# 9 9 9 9\n4 5 5 5 0 0 0\n5 0 0 1 0 0 0\n6 1 1 1 0 0 "
    "0\n";
const std::string kEle = "2 4 1\n1 1 2 3 5 7.5\n2  6 2 3 5  0\n# the end";

void expect_two_tets(const TetFile& file) {
  ASSERT_EQ(file.x.cols(), 5);
  Eigen::Matrix3Xd x(3, 5);
  x << 0, 1, 0, 0, 1,  //
      0, 0, 1, 0, 1,   //
      0, 0, 0, 1, 1;
  EXPECT_EQ(file.x, x);
  EXPECT_EQ(file.tets, (Tets{{0, 1, 2, 3}, {4, 1, 3, 2}}));
}

TEST(Gmsh, ReadsTheTetsOfBothVersions) {
  expect_two_tets(parse_gmsh(kGmsh2, "x.msh"));
  expect_two_tets(parse_gmsh(kGmsh4, "x.msh"));
}

TEST(Gmsh, TakesTheCornersOfSecondOrder) {
  std::string nodes;
  for (int i = 5; i <= 10; ++i) nodes += std::to_string(i) + " 0 0 0." + std::to_string(i) + "\n";
  const TetFile file = parse_gmsh(
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n10\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n" + nodes +
          "$EndNodes\n$Elements\n2\n1 11 0 1 2 3 4 5 6 7 8 9 10\n"
          "2 11 0 1 2 4 3 5 6 7 8 9 10\n$EndElements",
      "x.msh");
  EXPECT_EQ(file.x.cols(), 4);
  EXPECT_EQ(file.tets, (Tets{{0, 1, 2, 3}, {0, 1, 2, 3}}));
}

TEST(TetGen, ReadsNodesAndTetsCountedFromOneOrZero) {
  expect_two_tets(parse_tetgen(kNode, "x.node", kEle, "x.ele"));
  expect_two_tets(parse_tetgen("6 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 5 5 5\n4 0 0 1\n5 1 1 1\n", "x.node",
                               "2 10 0\n0 0 1 2 4 9 9 9 9 9 9\n1 5 1 2 4 0 0 0 0 0 0", "x.ele"));
}

std::string gmsh_refusal(const std::string& text) {
  try {
    parse_gmsh(text, "x.msh");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

/// With the first `found` replaced.
std::string changed(std::string text, const std::string& found, const std::string& by) {
  return text.replace(text.find(found), found.size(), by);
}

TEST(Gmsh, SaysWhichLineIsWrong) {
  const auto refusal = [](const std::string& found, const std::string& by) {
    return gmsh_refusal(changed(kGmsh2, found, by));
  };
  EXPECT_EQ(gmsh_refusal(""), "x.msh:1:1: found the end of the file, expected \"$MeshFormat\"");
  EXPECT_EQ(gmsh_refusal("solid x"), "x.msh:1:1: found \"solid\", expected \"$MeshFormat\"");
  EXPECT_EQ(refusal("2.2", "4.0"), "x.msh:2:1: found \"4.0\", expected the version 2.2 or 4.1");
  EXPECT_EQ(refusal("2.2 0 8", "2.2 1 8"),
            "x.msh:2:5: found \"1\", expected 0, an ASCII file: binary ones are not read");
  EXPECT_EQ(refusal("2.2 0 8", "2.2 2 8"),
            "x.msh:2:5: found \"2\", expected the type of the file, an integer from 0 to 1");
  EXPECT_EQ(refusal("$PhysicalNames", "PhysicalNames"),
            "x.msh:4:1: found \"PhysicalNames\", expected a section ($...)");
  EXPECT_EQ(refusal("6\n10", "-6\n10"),
            "x.msh:9:1: found \"-6\", expected the number of nodes, an integer >= 0");
  EXPECT_EQ(refusal("6\n10", "7\n10"),
            "x.msh:16:1: found \"$EndNodes\", expected the number of a node, an integer >= 1");
  EXPECT_EQ(refusal("6\n10", "5\n10"), "x.msh:15:1: found \"5\", expected \"$EndNodes\"");
  EXPECT_EQ(
      refusal("6\n10", "2000000000\n10"),
      "x.msh:9:1: the file ends too early: the list of nodes needs 8000000000 numbers, but there is room "
      "for 95 at most");
  EXPECT_EQ(refusal("99 5 5 5", "99 5 nan 5"),
            "x.msh:13:6: found \"nan\", expected a coordinate, a finite number");
  EXPECT_EQ(refusal("99 5 5 5", "99 5 5 1e999"),
            "x.msh:13:8: found \"1e999\", expected a coordinate, a finite number");
  EXPECT_EQ(refusal("99 5 5 5", "2 5 5 5"),
            "x.msh:13:1: found \"2\", expected the number of a node that was not there before");
  EXPECT_EQ(refusal("4\n1 15", "4\n1 fifteen"),
            "x.msh:19:3: found \"fifteen\", expected the type of an element, an integer >= 1");
  EXPECT_EQ(refusal("4\n1 15", "5\n1 15"),
            "x.msh:23:1: found \"$EndElements\", expected the number of an element, an integer >= 1");
  EXPECT_EQ(refusal("10 2 3 7", "10 2 4 7"),
            "x.msh:21:17: found \"4\", expected the number of one of the 6 nodes");
  EXPECT_EQ(refusal("10 2 3 7", "10 2 10 7"), "x.msh:21:17: found \"10\", expected four different nodes");
  EXPECT_EQ(refusal("5 2 3 7", "5 2 3"),
            "x.msh:23:1: found \"$EndElements\", expected the number of one of the 6 nodes");
  EXPECT_EQ(refusal("$EndElements", "$EndElement"),
            "x.msh:23:1: found \"$EndElement\", expected \"$EndElements\"");
  EXPECT_EQ(refusal("$EndNodeData", ""),
            "x.msh:28:1: found the end of the file, expected the end of a section ($End...)");
  EXPECT_EQ(gmsh_refusal("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"), "x.msh:4:1: the file has no tets");
}

TEST(Gmsh, SaysWhichBlockIsWrong) {
  const auto refusal = [](const std::string& found, const std::string& by) {
    return gmsh_refusal(changed(kGmsh4, found, by));
  };
  EXPECT_EQ(refusal("3 6 2 99", "3 5 2 99"),
            "x.msh:18:7: found \"3\", expected the number of nodes of a block, an integer from 0 to 2");
  EXPECT_EQ(refusal("3 6 2 99", "3 7 2 99"), "x.msh:24:5: blocks have fewer nodes than 7");
  EXPECT_EQ(refusal("3 6 2 99", "2 6 2 99"), "x.msh:17:11: blocks have fewer nodes than 6");
  EXPECT_EQ(refusal("2 4 1 2", "5 4 1 2"),
            "x.msh:13:1: found \"5\", expected the dimension of a block, an integer from 0 to 3");
  EXPECT_EQ(refusal("2 4 1 2", "2 4 0 2"),
            "x.msh:17:7: found \"0.1\", expected whether there are parameters, an integer from 0 to 1");
  EXPECT_EQ(refusal("3 4 1 4", "3 5 1 4"), "x.msh:34:9: blocks have fewer elements than 5");
  EXPECT_EQ(refusal("3 4 1 4", "3 3 1 4"),
            "x.msh:32:7: found \"2\", expected the number of elements of a block, an integer from 0 to 1");
  EXPECT_EQ(refusal("99\n7", "99\n99"),
            "x.msh:20:1: found \"99\", expected the number of a node that was not there before");
  EXPECT_EQ(refusal("4 5 2 3 7", "4 5 2 3 x"),
            "x.msh:34:9: found \"x\", expected the number of one of the 6 nodes");
}

std::string tetgen_refusal(const std::string& node, const std::string& ele) {
  try {
    parse_tetgen(node, "x.node", ele, "x.ele");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(TetGen, SaysWhichLineIsWrong) {
  const auto node = [](const std::string& found, const std::string& by) {
    return tetgen_refusal(changed(kNode, found, by), kEle);
  };
  const auto ele = [](const std::string& found, const std::string& by) {
    return tetgen_refusal(kNode, changed(kEle, found, by));
  };
  EXPECT_EQ(tetgen_refusal("", kEle),
            "x.node:1:1: found the end of the file, expected the number of nodes, an integer >= 1");
  EXPECT_EQ(node("6 3 2 1", "6 2 2 1"), "x.node:3:3: found \"2\", expected the dimension, 3");
  EXPECT_EQ(node("6 3 2 1", "6 3 2 2"),
            "x.node:3:7: found \"2\", expected the number of boundary markers, an integer from 0 to 1");
  EXPECT_EQ(node("6 3 2 1", "7 3 2 1"),
            "x.node:11:1: found the end of the file, expected the number of a node, 7");
  EXPECT_EQ(node("6 3 2 1", "5 3 2 1"), "x.node:10:1: found \"6\", expected the end of the file");
  EXPECT_EQ(node("1 0 0 0", "2 0 0 0"),
            "x.node:4:1: found \"2\", expected the number of a node, an integer from 0 to 1");
  EXPECT_EQ(node("3 0 1 0", "4 0 1 0"), "x.node:6:1: found \"4\", expected the number of a node, 3");
  EXPECT_EQ(node("4 5 5 5", "4 5 -inf 5"),
            "x.node:8:5: found \"-inf\", expected a coordinate, a finite number");
  EXPECT_EQ(ele("2 4 1", "2 5 1"), "x.ele:1:3: found \"5\", expected the number of nodes of a tet, 4 or 10");
  EXPECT_EQ(ele("2 4 1", "0 4 1"), "x.ele:2:1: found \"1\", expected the end of the file");
  EXPECT_EQ(
      ele("2 4 1", "900000000 4 1"),
      "x.ele:1:13: the file ends too early: the list of tets needs 5400000000 numbers, but there is room for "
      "19 at most");
  EXPECT_EQ(ele("1 1 2 3 5", "1 1 2 3 7"),
            "x.ele:2:9: found \"7\", expected the number of one of the 6 nodes");
  EXPECT_EQ(ele("1 1 2 3 5", "1 0 2 3 5"),
            "x.ele:2:3: found \"0\", expected the number of one of the 6 nodes");
  EXPECT_EQ(ele("1 1 2 3 5", "1 1 2 2 5"), "x.ele:2:7: found \"2\", expected four different nodes");
  EXPECT_EQ(ele("7.5", ""), "x.ele:3:4: found \"6\", expected the number of a tet, 2");
  EXPECT_EQ(tetgen_refusal(kNode, "0 4 0\n"), "x.ele:2:1: the file has no tets");
}

TEST(TetFiles, AreReadOrRefusedHoweverTheyAreDamaged) {
  std::mt19937 random(11);
  const auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  const std::array<std::string, 8> nasty{"-1", "0", "2147483647", "99999999999", "nan", "$", "#", "1e-400"};
  const auto damaged = [&](std::string text) {
    const std::size_t at = below(text.size());
    switch (below(4)) {
      case 0:
        return text.substr(0, at);
      case 1:
        return text.erase(at, 1 + below(12));
      case 2:
        return text.replace(at, 1, nasty[below(nasty.size())]);
      default:
        text[at] = static_cast<char>(text[at] ^ (1 << below(7)));
        return text;
    }
  };
  const auto read_or_refuse = [](const std::function<TetFile()>& read) {
    TetFile file;
    try {
      file = read();
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()).rfind("x", 0), 0u) << error.what();
      return false;
    }
    EXPECT_TRUE(file.x.allFinite());
    EXPECT_FALSE(file.tets.empty());
    for (const std::array<int, 4>& tet : file.tets)
      for (const int node : tet) EXPECT_TRUE(node >= 0 && node < file.x.cols());
    return true;
  };
  int read = 0;
  for (int k = 0; k < 4000; ++k) {
    const std::string first = damaged(kGmsh2), second = damaged(kGmsh4), node = damaged(kNode),
                      ele = damaged(kEle);
    read += read_or_refuse([&] { return parse_gmsh(first, "x"); });
    read += read_or_refuse([&] { return parse_gmsh(second, "x"); });
    read += read_or_refuse([&] { return parse_tetgen(node, "x", kEle, "x"); });
    read += read_or_refuse([&] { return parse_tetgen(kNode, "x", ele, "x"); });
  }
  EXPECT_GT(read, 160);
  EXPECT_LT(read, 12000);
}

TEST(TetFiles, AreReadFromDisk) {
  const Scratch scratch;
  std::ofstream(scratch / "a.1.node") << kNode;
  std::ofstream(scratch / "a.1.ele") << kEle;
  std::ofstream(scratch / "a.msh") << kGmsh4;
  expect_two_tets(files::read_tetgen(scratch / "a.1.node"));
  expect_two_tets(files::read_tetgen(scratch / "a.1.ele"));
  expect_two_tets(files::read_gmsh(scratch / "a.msh"));
  std::ofstream(scratch / "b.node") << kNode;
  EXPECT_NE(refusal_of([&] { files::read_tetgen(scratch / "b.node"); }).find("b.ele: cannot be read"),
            std::string::npos);
  EXPECT_NE(refusal_of([&] { files::read_gmsh(scratch / "b.node"); }).find("b.node:1:1: found \"#\""),
            std::string::npos);
}

}  // namespace
}  // namespace capstan::test
