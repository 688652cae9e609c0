#include <gtest/gtest.h>

#include "step/scene_at.hpp"

namespace capstan {
namespace {

/// When the last bond of the cloth breaks, from when it hit the wall, s.
double time_on_the_wall(const std::string& cells) {
  SceneAt scene("adhesion/swinging_cloth.toml", {{"cloth.0.cells", cells}});
  double hit = 0;
  while (scene.t() < 3) {
    scene.run(scene.t() + 0.02);
    const bool sticks = !scene.simulation().bonds().empty();
    if (sticks && hit == 0) hit = scene.t();
    if (!sticks && hit > 0) return scene.t() - hit;
  }
  return -1;
}

// Areas of contacts make bonds per area of them, so that four times the triangles peel off at the same time
// [Gascon10, sec. 6].
TEST(AdhesionScenes, ClothComesOffAWallAtTheSameTimeOnFinerMeshes) {
  const double coarse = time_on_the_wall("[6, 6]"), fine = time_on_the_wall("[12, 12]");
  EXPECT_GT(fine, 0.5);
  EXPECT_NEAR(coarse, fine, 0.15 * fine);
}

}  // namespace
}  // namespace capstan
