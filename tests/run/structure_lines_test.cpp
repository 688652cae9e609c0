#include "capstan/run/structure_lines.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "capstan/body/mass_properties.hpp"
#include "capstan/surface/texture_field.hpp"

namespace capstan {
namespace {

using record::SurfaceLines;

Eigen::Vector3d middle(const SurfaceLines& lines, Eigen::Index k) {
  return 0.5 * (lines.col(k).head<3>() + lines.col(k).tail<3>());
}

Eigen::Vector3d direction(const SurfaceLines& lines, Eigen::Index k) {
  return (lines.col(k).tail<3>() - lines.col(k).head<3>()).normalized();
}

record::Solid box_surface() { return record::solid_from_json(R"({"shape":"box","size":[2,1,0.5]})"); }
const Box kBox({1, 0.5, 0.25});

TEST(StructureLines, LieOnTheFacesAndFollowWhatIsTangential) {
  const Eigen::Vector3d grain = Eigen::Vector3d(1, 1, 0).normalized();
  const SurfaceLines lines = structure_lines(ConstantField(grain), kBox, box_surface(), 600);
  EXPECT_GT(lines.cols(), 450);
  EXPECT_LT(lines.cols(), 700);
  int on_top = 0, at_ends = 0;
  for (Eigen::Index k = 0; k < lines.cols(); ++k) {
    const SurfacePoint nearest = kBox.closest(middle(lines, k) * 1.0001);
    EXPECT_LT(std::abs(nearest.distance), 1e-3);
    const Eigen::Vector3d along = grain - nearest.n * nearest.n.dot(grain);
    EXPECT_NEAR(std::abs(direction(lines, k).dot(along.normalized())), 1, 1e-9);
    for (const Eigen::Vector3d& end : {lines.col(k).head<3>().eval(), lines.col(k).tail<3>().eval()})
      EXPECT_LT(kBox.closest(end).distance, 0.01);  // does not stand out beyond an edge
    on_top += nearest.n.z() > 0.9;
    at_ends += nearest.n.x() > 0.9;
  }
  // By area: the top has 2 of 7 m^2, an end 0.5 of them.
  EXPECT_NEAR(on_top / double(lines.cols()), 2.0 / 7, 0.05);
  EXPECT_NEAR(at_ends / double(lines.cols()), 0.5 / 7, 0.03);
}

TEST(StructureLines, AreNotWhereTheStructureIsAcrossTheSurface) {
  const SurfaceLines lines =
      structure_lines(ConstantField(Eigen::Vector3d::UnitZ()), kBox, box_surface(), 600);
  ASSERT_GT(lines.cols(), 50);
  for (Eigen::Index k = 0; k < lines.cols(); ++k) EXPECT_LT(std::abs(middle(lines, k).z()), 0.25);
}

TEST(StructureLines, KeepApart) {
  const SurfaceLines lines =
      structure_lines(ConstantField(Eigen::Vector3d::UnitX()), kBox, box_surface(), 300);
  double closest = 1;
  for (Eigen::Index k = 0; k < lines.cols(); ++k)
    for (Eigen::Index j = 0; j < k; ++j)
      if (std::abs(middle(lines, k).z()) > 0.2499 && middle(lines, j).z() == middle(lines, k).z())
        closest = std::min(closest, (middle(lines, k) - middle(lines, j)).norm());
  // 300 lines on 7 m^2 are 0.15 m apart; those cut at an edge have their middle moved.
  EXPECT_GT(closest, 0.05);
}

TEST(StructureLines, GoAroundABall) {
  const double radius = 0.3;
  const RoundedRod ball(radius);
  const auto field = SweepField::concentric(Eigen::Vector3d::UnitZ(), Eigen::Vector3d::Zero());
  const SurfaceLines lines =
      structure_lines(field, ball, record::solid_from_json(R"({"shape":"sphere","radius":0.3})"), 500);
  ASSERT_GT(lines.cols(), 350);
  for (Eigen::Index k = 0; k < lines.cols(); ++k) {
    EXPECT_NEAR(middle(lines, k).norm(), radius, 0.002);
    EXPECT_NEAR(direction(lines, k).z(), 0, 1e-9);
    EXPECT_NEAR(direction(lines, k).dot(middle(lines, k)), 0, 0.02);
  }
}

TEST(StructureLines, ShowTheRegionsOfAPicture) {
  // Left half: along u. Right half: no structure (127 is the middle).
  const StructureTexture texture(2, 1, {255, 127, 0, 127, 127, 0}, TextureWrap::clamp);
  const PlanarTextureField field(texture, {-1, -0.5, 0}, {2, 0, 0}, {0, 1, 0});
  const SurfaceLines lines = structure_lines(field, kBox, box_surface(), 800);
  int left = 0;
  for (Eigen::Index k = 0; k < lines.cols(); ++k) {
    if (std::abs(middle(lines, k).z()) < 0.2499) continue;
    EXPECT_LT(lines(0, k), 0.05);
    EXPECT_LT(lines(3, k), 0.05);
    ++left;
  }
  EXPECT_GT(left, 100);
}

World world_with_box_at(const Frame& pose) {
  World world;
  world.rigid.push_back({"box", std::make_unique<RigidBody>(mass_of_box({0.05, 0.05, 0.05}, 1000), pose),
                         Solid::box({0.05, 0.05, 0.05})});
  return world;
}

TEST(PlanePatch, ReachesAsFarAsABoxSlides) {
  // Without friction it goes g sin(30 deg) t^2/2 = 2.45 m in a second, and starts 2 m off.
  const Frame plane{{0, 0, 0}, Eigen::AngleAxisd(M_PI / 6, Eigen::Vector3d::UnitY()).matrix()};
  const World world = world_with_box_at({plane.apply({2, 3, 0.05}), plane.R});
  const record::Solid patch = plane_patch(world, plane, 1);
  const Eigen::Vector3d low = patch.vertices.rowwise().minCoeff(), high = patch.vertices.rowwise().maxCoeff();
  EXPECT_LT(low.x(), 1.9);
  EXPECT_GT(low.x(), 1);
  EXPECT_GT(high.x(), 4.5);
  EXPECT_LT(high.x(), 5.5);
  EXPECT_LT(low.y(), 2.6);
  EXPECT_GT(high.y(), 3.4);
}

TEST(PlanePatch, StaysSmallWhereNothingSlidesAndDoesNotGrowWithoutEnd) {
  const auto width = [](const Frame& plane, double time) {
    const record::Solid patch = plane_patch(world_with_box_at({{0, 0, 0.05}}), plane, time);
    return patch.vertices.row(0).maxCoeff() - patch.vertices.row(0).minCoeff();
  };
  EXPECT_LT(width({}, 1000), 1);
  const Frame slope{{0, 0, 0}, Eigen::AngleAxisd(0.1, Eigen::Vector3d::UnitY()).matrix()};
  EXPECT_LT(width(slope, 1000), 30);
}

}  // namespace
}  // namespace capstan
