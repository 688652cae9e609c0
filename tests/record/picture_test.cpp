#include <png.h>

#include <algorithm>

#include "capstan/record/picture/picture.hpp"
#include "capstan/record/picture/soft_solid.hpp"
#include "record/support.hpp"

namespace capstan::record {
namespace {

using test::refusal;

Solid placed(const std::string& json, const Eigen::Vector3d& x = Eigen::Vector3d::Zero()) {
  Solid solid = solid_from_json(json);
  solid.pose.x = x;
  return solid;
}

/// 200 x 200 pixels, straight from the front, without perspective: x to the right, z up.
PictureOptions plain() {
  PictureOptions options;
  options.width = options.height = 200;
  options.view = {0, 0, 1, true};
  return options;
}

Eigen::Vector3i pixel(const Image& image, int x, int y) {
  const std::uint8_t* p = &image.rgb[3 * static_cast<std::size_t>(y * image.width + x)];
  return {p[0], p[1], p[2]};
}

/// Pixels of a row that are not the background, which is the same along a row.
int covered(const Image& image, int y) {
  int count = 0;
  for (int x = 0; x < image.width; ++x) count += pixel(image, x, y) != pixel(image, 0, y);
  return count;
}

int difference(const Eigen::Vector3i& a, const Eigen::Vector3i& b) { return (a - b).cwiseAbs().maxCoeff(); }

Eigen::Matrix3Xd bar(double half_length, double y) {
  Eigen::Matrix3Xd points(3, 2);
  points << -half_length, half_length, y, y, 0, 0;
  return points;
}

TEST(Camera, ProjectsLikeAPinhole) {
  // 2 m in front of the eye, focal length 500 pixels: 250 pixels a metre about the middle of 200 x 100.
  const Camera camera({0, -2, 0}, {0, -1, 0}, 500, 0, 200, 100);
  const ScreenPoint p = camera.project({0.1, 0, 0.15});
  EXPECT_NEAR(p.x, 125, 1e-9);
  EXPECT_NEAR(p.y, 12.5, 1e-9);
  EXPECT_NEAR(p.scale, 250, 1e-9);
  EXPECT_GT(p.nearness, camera.project({0.1, 0.5, 0.15}).nearness);
  EXPECT_FALSE(camera.project({0, -3, 0}).in_front);
  const Camera::Ray ray = camera.ray(p.x, p.y);
  EXPECT_LT((ray.origin + 2 * ray.direction - Eigen::Vector3d(0.1, 0, 0.15)).norm(), 1e-12);
}

TEST(Camera, SeesAllPointsAndWastesNoSpace) {
  Eigen::Matrix3Xd points(3, 4);
  points << -1, 2, 0.3, 0, 0, 1, -3, 0, 0.5, 0, 2, -1;
  for (const bool orthographic : {false, true})
    for (const double azimuth : {-70.0, 0.0, 33.0, 180.0}) {
      const Camera camera = Camera::fitted(points, {azimuth, 20, 1, orthographic}, 300, 200);
      double edge = 0;  // 1 at the border of the picture
      for (int k = 0; k < 4; ++k) {
        const ScreenPoint p = camera.project(points.col(k));
        edge = std::max({edge, std::abs(p.x - 150) / 150, std::abs(p.y - 100) / 100});
      }
      EXPECT_NEAR(edge, 1 / 1.08, 1e-6) << orthographic << " " << azimuth;
    }
}

TEST(Solid, HasTheVolumeOfItsShapeWithTrianglesThatLookOut) {
  // Divergence theorem: the sum of a . (b x c) / 6 over outward triangles. The turned ones are inscribed.
  const auto volume = [](const std::string& json, int around = 96) {
    const Solid solid = solid_from_json(json, around);
    double sum = 0;
    for (int t = 0; t < solid.triangles.cols(); ++t) {
      const Eigen::Vector3i v = solid.triangles.col(t);
      const Eigen::Vector3d a = solid.vertices.col(v[0]), b = solid.vertices.col(v[1]),
                            c = solid.vertices.col(v[2]);
      const Eigen::Vector3d face = (b - a).cross(c - a);
      if (face.norm() > 1e-12) {
        EXPECT_GT(face.dot(solid.normals.col(v[0]) + solid.normals.col(v[1]) + solid.normals.col(v[2])), 0)
            << json;
      }
      sum += a.dot(b.cross(c)) / 6;
    }
    return sum;
  };
  EXPECT_NEAR(volume(R"({"shape":"box","size":[1,2,3]})"), 6, 1e-12);
  EXPECT_NEAR(volume(R"({"shape":"sphere","radius":1})") / (4 * M_PI / 3), 1, 0.005);
  EXPECT_NEAR(volume(R"({"shape":"cylinder","radius":1,"length":2})") / (2 * M_PI), 1, 0.005);
  // A prism of n corners has n/2 sin(2 pi/n) r^2 h.
  EXPECT_NEAR(volume(R"({"shape":"cylinder","radius":1,"length":2})", 24), 24 * std::sin(M_PI / 12), 1e-12);
  EXPECT_NEAR(volume(R"({"shape":"capsule","radius":1,"length":2})") / (2 * M_PI + 4 * M_PI / 3), 1, 0.005);
  EXPECT_NEAR(volume(R"({"shape":"mesh","vertices":[[0,0,0],[1,0,0],[0,1,0],[0,0,1]],
                         "triangles":[[0,2,1],[0,1,3],[0,3,2],[1,2,3]]})"),
              1.0 / 6, 1e-12);
}

TEST(Solid, SaysWhatItCannotDraw) {
  EXPECT_NE(refusal([] { solid_from_json(R"({"shape":"teapot"})"); }).find("'teapot', expected sphere"),
            std::string::npos);
  EXPECT_NE(refusal([] { solid_from_json(R"({"shape":"sphere"})"); }).find("radius"), std::string::npos);
  EXPECT_NE(refusal([] { solid_from_json(R"({"shape":"sphere","radius":-1})"); }).find("expected > 0"),
            std::string::npos);
  EXPECT_NE(refusal([] {
              solid_from_json(R"({"shape":"mesh","vertices":[[0,0,0]],"triangles":[[0,0,1]]})");
            }).find("triangle 0"),
            std::string::npos);
}

TEST(Picture, OfASphereIsADiscOfItsRadius) {
  // Fitted with a margin of 8 %: the radius is 100 / 1.08 = 92.6 pixels; half way up it is cos(30 deg) of it.
  PictureScene scene;
  scene.solids.push_back(placed(R"({"shape":"sphere","radius":0.1})", {1, 2, 3}));
  const Image image = draw_picture(scene, plain());
  EXPECT_NEAR(covered(image, 100), 2 * 92.6, 2);
  EXPECT_NEAR(covered(image, 100 - 46), 2 * 92.6 * std::cos(M_PI / 6), 3);
  EXPECT_EQ(covered(image, 5), 0);
  // The lamp is at the upper left.
  EXPECT_GT(pixel(image, 60, 60).sum(), pixel(image, 140, 140).sum() + 60);
}

TEST(Picture, OfAStrandIsALineWhereItIs) {
  PictureScene scene;
  scene.strands = {bar(0.1, 0)};
  scene.radii = {5e-5};
  const Image image = draw_picture(scene, plain());
  EXPECT_NEAR(covered(image, 100) + covered(image, 99), 2 * 2 * 92.6, 8);  // the line is between these rows
  EXPECT_EQ(covered(image, 95), 0);
  EXPECT_EQ(covered(image, 104), 0);
}

TEST(Picture, OfAThickStrandIsAsWideAsTheRod) {
  // 0.11 m to each side are 92.6 pixels: a radius of 0.01 m is 8.4 pixels.
  PictureScene scene;
  scene.strands = {bar(0.1, 0)};
  scene.radii = {0.01};
  const Image image = draw_picture(scene, plain());
  int rows = 0;
  for (int y = 0; y < 200; ++y) rows += pixel(image, 100, y) != pixel(image, 0, y);
  EXPECT_NEAR(rows, 2 * 8.4, 2);
}

TEST(Picture, HidesWhatIsBehind) {
  const auto middle = [](double y) {
    PictureScene scene;
    scene.solids.push_back(placed(R"({"shape":"sphere","radius":0.1})"));
    scene.strands = {bar(0.05, y)};
    scene.radii = {0.004};
    return pixel(draw_picture(scene, plain()), 100, 100);
  };
  PictureScene bare;
  bare.solids.push_back(placed(R"({"shape":"sphere","radius":0.1})"));
  const Eigen::Vector3i sphere = pixel(draw_picture(bare, plain()), 100, 100);
  EXPECT_LE(difference(middle(0.2), sphere), 2);    // behind
  EXPECT_GE(difference(middle(-0.2), sphere), 20);  // the eye is at y < 0
}

TEST(Picture, HasShadowsOnTheGround) {
  PictureScene scene;
  scene.solids.push_back(placed(R"({"shape":"plane"})"));
  scene.solids.push_back(placed(R"({"shape":"sphere","radius":0.05})", {0, 0, 0.2}));
  scene.strands = {bar(0.3, 0)};
  scene.radii = {1e-3};
  PictureOptions options = plain();
  options.view.elevation = 60;
  const Image with = draw_picture(scene, options);
  scene.solids.pop_back();
  const Image without = draw_picture(scene, options);
  int darker = 0;
  for (int y = 0; y < 200; ++y)
    for (int x = 0; x < 200; ++x) darker += pixel(with, x, y).sum() < pixel(without, x, y).sum() - 60;
  EXPECT_GT(darker, 100);
}

TEST(Picture, HasDarkLinesAlongAStructure) {
  // One line on the front of a box, from the left to the right through the middle; one on its back.
  PictureScene scene;
  scene.solids.push_back(placed(R"({"shape":"box","size":[0.2,0.1,0.2]})"));
  const Image without = draw_picture(scene, plain());
  scene.solids[0].lines = SurfaceLines(6, 2);
  scene.solids[0].lines.col(0) << -0.05, -0.05, 0, 0.05, -0.05, 0;
  scene.solids[0].lines.col(1) << -0.05, 0.05, 0.05, 0.05, 0.05, 0.05;
  const Image with = draw_picture(scene, plain());
  const auto darker = [&](int y) {
    int count = 0;
    for (int x = 0; x < 200; ++x) count += pixel(with, x, y).sum() < pixel(without, x, y).sum() - 40;
    return count;
  };
  // 0.1 m of the box's 0.2 m, which is 200/1.08 pixels: 93 pixels, in one row or two.
  EXPECT_NEAR(std::max(darker(99), darker(100)), 93, 3);
  EXPECT_EQ(darker(54), 0);  // the back is hidden
  EXPECT_EQ(darker(110), 0);
}

TEST(SurfaceLines, ComeBackToSixteenBits) {
  SurfaceLines lines(6, 2);
  lines << 0.1, -0.2, 1.25, 3, -7.7, 0.3, 1e-3, 5, 6, 7, 8, 9;
  const SurfaceLines found = unpacked(packed(lines));
  ASSERT_EQ(found.cols(), 2);
  EXPECT_LT((found - lines).cwiseAbs().maxCoeff(), 9.0 / 32767);
  EXPECT_EQ(unpacked(packed(SurfaceLines(6, 0))).cols(), 0);
  EXPECT_NE(refusal([] {
              unpacked({1, "AAAA"});
            }).find("3 bytes, expected a multiple of 12"),
            std::string::npos);
}

/// A square of 0.2 m across the view, in eight triangles around its middle; side -1: seen from behind.
Solid square(RecordedMesh::Kind kind, double side = 1, double y = 0) {
  Eigen::Matrix3Xd points(3, 9);
  points << -1, 0, 1, 1, 1, 0, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, 0, 1, 1, 1, 0, 0;
  points = Eigen::Vector3d(0.1 * side, 1, 0.1).asDiagonal() * points;
  points.row(1).setConstant(y);
  RecordedMesh mesh{"square", kind, Eigen::Vector3d(0.5, 0.1, 0.1), 0, Eigen::Matrix3Xi(3, 8)};
  for (int k = 0; k < 8; ++k) mesh.triangles.col(k) << 8, k, (k + 1) % 8;
  return soft_solid(mesh, 0, points, Eigen::VectorXf::Zero(9));
}

TEST(Picture, OfClothIsTheSameFromBothSidesAndOfASolidOnlyFromOutside) {
  // Fitted with a margin of 8 %: 200/1.08 pixels wide.
  const auto picture = [](RecordedMesh::Kind kind, double side) {
    PictureScene scene;
    scene.solids = {square(kind, side)};
    return draw_picture(scene, plain());
  };
  const Image front = picture(RecordedMesh::Kind::cloth, 1), back = picture(RecordedMesh::Kind::cloth, -1);
  EXPECT_NEAR(covered(front, 70), 200 / 1.08, 2);
  EXPECT_TRUE(front.rgb == back.rgb);
  EXPECT_GT(pixel(front, 60, 60)[0], pixel(front, 60, 60)[1] + 60);  // red, as it is told to be
  EXPECT_NEAR(covered(picture(RecordedMesh::Kind::solid, 1), 70), 200 / 1.08, 2);
  EXPECT_EQ(covered(picture(RecordedMesh::Kind::solid, -1), 70), 0);
}

TEST(Picture, OfClothByStrainGoesFromBlueToYellow) {
  const auto found = [](float strain, double high) {
    PictureScene scene;
    scene.solids = {square(RecordedMesh::Kind::cloth)};
    scene.solids[0].values.setConstant(strain);
    PictureOptions options = plain();
    options.mesh_color = MeshColor::strain;
    options.strain_high = high;
    return pixel(draw_picture(scene, options), 60, 60);
  };
  const Eigen::Vector3i low = found(0, 0.2), middle = found(0.1f, 0.2), high = found(0.2f, 0.2);
  EXPECT_GT(low[2], low[0] + 40) << "blue";
  EXPECT_GT(middle[1], middle[0] + 40) << "green";
  EXPECT_GT(high.head<2>().minCoeff(), high[2] + 80) << "yellow";
  EXPECT_EQ(found(0.2f, 0), high);  // the scale of the frame ends there
}

TEST(Picture, KnowsTheHighestStrainButForOutliers) {
  PictureScene scene;
  EXPECT_EQ(scene.high_strain(), 0);
  EXPECT_FALSE(scene.has_soft_bodies());
  Solid soft;
  soft.soft = true;
  soft.values = Eigen::VectorXf::LinSpaced(1000, 1e-3f, 1);
  soft.values[999] = 50;
  scene.solids = {soft};
  EXPECT_NEAR(scene.high_strain(), 0.98, 2e-3);
  EXPECT_TRUE(scene.has_soft_bodies());
}

TEST(Picture, HasTheEdgesOfClothAsLinesIfAsked) {
  PictureScene scene;
  scene.solids = {square(RecordedMesh::Kind::cloth)};
  EXPECT_EQ(edges_of(scene.solids[0]).cols(), 16);  // 8 around, 8 to the middle
  PictureOptions options = plain();
  const Image without = draw_picture(scene, options);
  options.wireframe = true;
  const Image with = draw_picture(scene, options);
  const auto darker = [&](int x, int y) { return pixel(without, x, y).sum() - pixel(with, x, y).sum(); };
  // The row through the middle is an edge from side to side; a quarter up there are the diagonals and the
  // axis.
  int along = 0;
  for (int x = 10; x < 190; ++x) along += darker(x, 99) + darker(x, 100) > 15;
  EXPECT_NEAR(along, 180, 5);
  int across = 0;
  for (int x = 10; x < 190; ++x) across += darker(x, 54) > 8;
  EXPECT_GE(across, 3);
  EXPECT_LE(across, 9);
}

TEST(Picture, HasTheShadowOfClothOnWhatIsBehind) {
  // Straight from the front the lamp is above, to the left and in front: a sheet before a wall darkens it.
  PictureScene scene;
  scene.solids.push_back(placed(R"({"shape":"box","size":[0.6,0.02,0.6]})", {0, 0.2, 0}));
  const Image without = draw_picture(scene, plain());
  scene.solids.push_back(square(RecordedMesh::Kind::cloth, 1, 0.1));
  const Image with = draw_picture(scene, plain());
  int darker = 0;
  for (int x = 100; x < 190; ++x) darker += pixel(with, x, 140).sum() < pixel(without, x, 140).sum() - 60;
  EXPECT_GT(darker, 10);
}

TEST(Picture, OfASoftCubeHasSharpEdges) {
  Eigen::Matrix3Xd points(3, 8);
  for (int k = 0; k < 8; ++k)
    points.col(k) << (k & 1 ? 0.5 : -0.5), (k & 2 ? 0.5 : -0.5), (k & 4 ? 0.5 : -0.5);
  RecordedMesh mesh{"cube", RecordedMesh::Kind::solid, {}, 0, Eigen::Matrix3Xi(3, 12)};
  mesh.triangles << 0, 0, 4, 4, 0, 0, 2, 2, 0, 0, 1, 1,  //
      2, 3, 5, 7, 1, 5, 6, 7, 4, 6, 3, 7,                //
      3, 1, 7, 6, 5, 4, 7, 3, 6, 2, 7, 5;
  const Solid cube = soft_solid(mesh, 0, points, Eigen::VectorXf::Zero(8));
  for (int t = 0; t < 12; ++t) {
    const Eigen::Vector3i v = cube.triangles.col(t);
    const Eigen::Vector3d a = cube.vertices.col(v[0]);
    const Eigen::Vector3d face =
        (cube.vertices.col(v[1]) - a).cross(cube.vertices.col(v[2]) - a).normalized();
    EXPECT_GT(face.dot(a), 0.4) << "triangle " << t << " looks out";
    for (const int k : v) EXPECT_LT((cube.normals.col(k) - face).norm(), 1e-12);
  }
}

TEST(Picture, HasTheMeshesOfAFrame) {
  Manifest manifest;
  manifest.layout.points_per_mesh = {3, 4};
  RecordedMesh mesh{"a", RecordedMesh::Kind::cloth, {}, 0, Eigen::Vector3i(0, 1, 2)};
  manifest.meshes = {mesh, mesh};
  Snapshot snapshot;
  snapshot.mesh_points = Eigen::Matrix3Xd::Random(3, 7);
  snapshot.mesh_values = Eigen::VectorXf::LinSpaced(7, 0, 6);
  const PictureScene scene = picture_scene(manifest, snapshot);
  ASSERT_EQ(scene.solids.size(), 2u);
  EXPECT_EQ(scene.solids[1].vertices, snapshot.mesh_points.rightCols(4));
  EXPECT_EQ(scene.solids[1].values[0], 3);
  EXPECT_GT((*scene.solids[0].color - *scene.solids[1].color).norm(), 0.1);  // easy to tell apart
  EXPECT_EQ(scene.points().cols(), 7);
  snapshot.mesh_points.conservativeResize(3, 6);
  EXPECT_NE(refusal([&] { picture_scene(manifest, snapshot); }).find("6 mesh points, the manifest"),
            std::string::npos);
}

TEST(Picture, HasTheSameBytesEveryTimeAndReadsBack) {
  PictureScene scene;
  scene.solids.push_back(placed(R"({"shape":"capsule","radius":0.02,"length":0.1})"));
  scene.strands = {bar(0.05, 0.1), bar(0.1, -0.1)};
  scene.radii = {1e-4, 2e-3};
  PictureOptions options;
  options.width = 160;
  options.height = 90;
  const Image image = draw_picture(scene, options);
  const std::string bytes = png_bytes(image);
  EXPECT_TRUE(bytes == png_bytes(draw_picture(scene, options)));
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  ASSERT_TRUE(png_image_begin_read_from_memory(&header, bytes.data(), bytes.size()));
  EXPECT_EQ(header.width, 160u);
  header.format = PNG_FORMAT_RGB;
  std::vector<std::uint8_t> rgb(PNG_IMAGE_SIZE(header));
  ASSERT_TRUE(png_image_finish_read(&header, nullptr, rgb.data(), 0, nullptr));
  EXPECT_TRUE(rgb == image.rgb);
}

TEST(Picture, AsSvgDrawsFromBackToFront) {
  PictureScene scene;
  scene.solids.push_back(placed(R"({"shape":"box","size":[0.1,0.1,0.1]})"));
  scene.strands = {bar(0.04, -0.3), bar(0.04, 0.3)};
  scene.radii = {1e-3, 1e-3};
  const std::string svg = draw_svg(scene, plain());
  EXPECT_EQ(svg.rfind("<svg", 0), 0u);
  const std::size_t behind = svg.find("<polyline"), box = svg.find("<polygon"),
                    front = svg.rfind("<polyline");
  EXPECT_LT(behind, box);
  EXPECT_LT(box, front);
}

TEST(Picture, AsSvgHasClothFromBehindAndItsEdges) {
  PictureScene scene;
  scene.solids = {square(RecordedMesh::Kind::cloth, -1)};
  const auto polygons = [](const std::string& svg) {
    int count = 0;
    for (std::size_t at = 0; (at = svg.find("<polygon", at)) != std::string::npos; ++at) ++count;
    return count;
  };
  PictureOptions options = plain();
  const std::string svg = draw_svg(scene, options);
  EXPECT_EQ(polygons(svg), 8);
  options.wireframe = true;
  EXPECT_NE(draw_svg(scene, options), svg);
  scene.solids = {square(RecordedMesh::Kind::solid, -1)};
  EXPECT_EQ(polygons(draw_svg(scene, options)), 0);
}

TEST(Picture, RefusesAnEmptySceneAndAbsurdSizes) {
  EXPECT_NE(refusal([] { draw_picture({}, plain()); }).find("nothing to look at"), std::string::npos);
  PictureScene scene;
  scene.strands = {bar(1, 0)};
  scene.radii = {1e-3};
  PictureOptions options = plain();
  options.width = 100000;
  EXPECT_NE(refusal([&] { draw_picture(scene, options); }).find("width is 100000, expected 1 to 8192"),
            std::string::npos);
}

}  // namespace
}  // namespace capstan::record
