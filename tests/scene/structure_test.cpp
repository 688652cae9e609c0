// Structures that scenes put on surfaces.
#include <gtest/gtest.h>

#include <cmath>

#include "capstan/errors.hpp"
#include "capstan/scene/build_world.hpp"
#include "support/scratch.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;
using testing_support::Scratch;
using testing_support::set_contents;

const std::string kTetrahedron =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";  // y may be up

/// A folder with a scene of one tetrahedron.
class TetrahedronScene {
 public:
  explicit TetrahedronScene(const std::string& structure, const std::string& mesh = kTetrahedron,
                            const std::string& more = "") {
    set_contents(scratch_ / "tetra.obj", mesh);
    set_contents(scratch_ / "scene.toml", "[[rigid]]\nshape = \"mesh\"\nfile = \"tetra.obj\"\n" + more +
                                              "structure = " + structure + "\n");
  }
  void write(const std::string& name, const std::string& text) { set_contents(scratch_ / name, text); }

  /// Of the first body, in its frame.
  Vector3d structure_at(const Vector3d& position, const Vector3d& normal) const {
    return build_world(read_scene(scratch_ / "scene.toml")).rigid[0].structure->at({position, normal});
  }
  /// What is said about the scene, without its folder.
  std::string complaint() const {
    try {
      build_world(read_scene(scratch_ / "scene.toml"));
    } catch (const InputError& error) {
      std::string text = error.what();
      const std::string folder = scratch_.path().string() + "/";
      for (std::size_t at; (at = text.find(folder)) != std::string::npos;) text.erase(at, folder.size());
      return text;
    }
    return "";
  }

 private:
  Scratch scratch_;
};

/// The same but for the sense.
void expect_along(const Vector3d& s, const Vector3d& expected, double tolerance) {
  EXPECT_NEAR(s.norm(), 1, 1e-12);
  EXPECT_LT(s.cross(expected.normalized()).norm(), tolerance) << s.transpose();
}

TEST(SceneStructure, AtVerticesIsReadFromTheSceneOrFromAFile) {
  const std::string list =
      "{ kind = \"vertices\", directions = [[1, 0, 0], [1, 0, 0], [1, 1, 0], [0, 0, 0]] }";
  const TetrahedronScene inline_list(list);
  TetrahedronScene file("{ kind = \"vertices\", file = \"grain.txt\" }");
  file.write("grain.txt", "1 0 0\n1 0 0\n1 1 0\n0 0 0\n");
  for (const TetrahedronScene* scene : {&std::as_const(inline_list), &std::as_const(file)}) {
    const Vector3d down(0, 0, -1);
    expect_along(scene->structure_at({0.5, 0, 0}, down), {1, 0, 0}, 1e-9);
    expect_along(scene->structure_at({0, 1, 0}, down), {1, 1, 0}, 1e-9);
    // Halfway the mean by the double angle.
    expect_along(scene->structure_at({0, 0.5, 0}, down), {std::cos(M_PI / 8), std::sin(M_PI / 8), 0}, 1e-9);
  }
}

TEST(SceneStructure, AtVerticesIsTurnedWithTheMesh) {
  // y of the file is up: it becomes z, and z becomes -y.
  const std::string list =
      "{ kind = \"vertices\", directions = [[0, 0, 1], [0, 0, 1], [0, 0, 1], [0, 0, 1]] }";
  const TetrahedronScene scene(list, kTetrahedron, "up = \"y\"\n");
  expect_along(scene.structure_at({0.2, -0.2, 0}, {0, 0, -1}), {0, 1, 0}, 1e-9);
}

/// ravine_into.png has the angle -atan(1.5 tanh(y)), y metres around the section from the middle of the
/// floor.
TEST(SceneStructure, OnAMeshIsWhereItsTextureCoordinatesSay) {
  const World world =
      build_world(read_scene(std::filesystem::path(CAPSTAN_SOURCE_DIR) / "scenes/matchstick/ravine.toml"));
  const StructureField& field = *world.obstacles[0].structure;
  const auto heading = [](double y) { return -std::atan(1.5 * std::tanh(y)); };
  for (const double y : {-1.5, -0.4, 1.0})
    expect_along(field.at({{5, y, 0}, {0, 0, 1}}), {std::cos(heading(y)), std::sin(heading(y)), 0}, 0.02);
  // Up the bank, which rises by 35 degrees from y = 2.
  const double c = std::cos(35 * M_PI / 180), s = std::sin(35 * M_PI / 180), h = heading(2.9);
  expect_along(field.at({{5, 2 + 0.9 * c, 0.9 * s}, {0, -s, c}}),
               {std::cos(h), std::sin(h) * c, std::sin(h) * s}, 0.02);
}

TEST(SceneStructure, WhatIsWrongWithItsFilesIsToldWithThePlaceInTheScene) {
  const std::string start = "scene.toml:4:13: structure of 'rigid_1': ";
  EXPECT_EQ(
      TetrahedronScene("{ kind = \"texture\", file = \"no.png\", x = [1, 0, 0], y = [0, 1, 0] }").complaint(),
      "scene.toml:4:40: rigid.structure.file: is 'no.png', expected a file, but there is none at no.png");
  EXPECT_EQ(TetrahedronScene("{ kind = \"vertices\", directions = [[1, 0, 0]] }").complaint(),
            start + "structure: 1 directions, expected one for each of 4 vertices");
  TetrahedronScene file("{ kind = \"vertices\", file = \"grain.txt\" }");
  file.write("grain.txt", "1 0 0\n1 0 x\n");
  EXPECT_EQ(file.complaint(),
            start + "grain.txt:2:5: found \"x\", expected three numbers for each vertex, a finite number");
  file.write("grain.txt", "1 0 0\n1 0\n");
  EXPECT_EQ(file.complaint(), start +
                                  "grain.txt:3:1: found the end of the file, expected three numbers for each "
                                  "vertex, a finite number");
}

TEST(SceneStructure, AMeshWithoutTextureCoordinatesIsRefused) {
  const std::string painted = "{ kind = \"mesh_texture\", file = \"" + std::string(CAPSTAN_SOURCE_DIR) +
                              "/scenes/matchstick/road.png\" }";
  const auto refused = [](int triangle) {
    return "scene.toml:4:13: structure of 'rigid_1': tetra.obj: triangle " + std::to_string(triangle) +
           " has a corner without texture coordinates, expected vertex/vt at every corner of its face, and "
           "that vt";
  };
  EXPECT_EQ(TetrahedronScene(painted).complaint(), refused(0));
  const std::string uv = "vt 0 0\nvt 1 0\nvt 0 1\n",
                    vertices = kTetrahedron.substr(0, kTetrahedron.find('f'));
  const std::string three = "f 1/1 3/2 2/3\nf 1/1 2/2 4/3\nf 2/1 3/2 4/3\n";
  EXPECT_EQ(TetrahedronScene(painted, uv + vertices + three + "f 3/1 1/2 4/3\n").complaint(), "");
  EXPECT_EQ(TetrahedronScene(painted, uv + vertices + three + "f 3/1 1/2 4/4\n").complaint(), refused(3));
  EXPECT_EQ(
      TetrahedronScene(painted, uv + vertices + three + "f 3/1 1/2 4/2\n").complaint(),
      "scene.toml:4:13: structure of 'rigid_1': structure: triangle 3 has texture coordinates (0 0), (1 0), "
      "(1 0), expected finite ones that span an area");
}

}  // namespace
}  // namespace capstan
