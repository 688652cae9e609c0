// The shipped scenes of rigid bodies do what their comments say.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "step/scene_at.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

// Friction turns spin into speed, so that more of it carries the ball further [Bertails11, fig. 9]. Along the
// rails y grows: the first loop ends at 0.12 m, the second at 0.33 m.
TEST(RigidScenes, ABallGoesFurtherThroughTwoLoopsWithMoreFriction) {
  const auto progress = [](const std::string& mu) {
    SceneAt scene("rigid/double_loop.toml", {{"rigid.0.friction", mu}});
    double y = 0;
    while (scene.t() < 1.8) {
      scene.run(scene.t() + 0.05);
      const Vector3d at = scene.body("ball").centre();
      if (at[2] > 0.02) y = std::max(y, at[1]);  // on the rails
    }
    return y;
  };
  const double little = progress("0.1"), some = progress("0.25"), much = progress("0.6");
  EXPECT_LT(little, 0.11);
  EXPECT_GT(some, 0.13);
  EXPECT_LT(some, 0.3);
  EXPECT_GT(much, 0.325);
}

/// How far the three balls end from where the next one began.
double opening_of_triangle(const std::string& solver) {
  SceneAt scene("rigid/triangle.toml", {{"simulation.solver", "\"" + solver + "\""}});
  const std::array<Vector3d, 3> corners{scene.body("first").centre(), scene.body("second").centre(),
                                        scene.body("third").centre()};
  scene.run_whatever_the_error(1);
  double opening = 0;
  const std::array<std::string, 3> names{"first", "second", "third"};
  for (int k = 0; k < 3; ++k)
    opening = std::max(opening, (scene.body(names[k]).centre() - corners[(k + 1) % 3]).norm());
  return opening;
}

// Each side is v^2/(2 mu g) = 0.4995 m; a step of dt = 1 ms moves the end by v dt/2 = 0.7 mm.
TEST(RigidScenes, BallsDrawATriangleThatClosesOnlyWithTheTrueCone) {
  const double exact = opening_of_triangle("auto"), pyramid = opening_of_triangle("gs:4sides");
  EXPECT_LT(exact, 1e-3);
  EXPECT_GT(pyramid, 0.02);
}

// A parbuckle: of what is hauled in, half goes into either leg of the bight. The leg that is held stays, and
// the log rolls up along it.
TEST(RigidScenes, ALogRisesByHalfOfWhatIsHauledAndRolls) {
  SceneAt scene("mixed/haul_over_capstan.toml",
                {{"strand.0.elements", "50"}, {"strand.1.elements", "50"}, {"simulation.dt", "2e-3"}});
  const auto end_of_rope = [&] {
    const WorldStrand& rope = scene.simulation().world().strands[0];
    return rope.body->position(rope.collision_s.back())[2];
  };
  scene.run(0.3);  // the ropes have stretched
  const Frame start = scene.body("log").frame();
  const double end = end_of_rope();
  scene.run(0.7);
  const Frame now = scene.body("log").frame();
  const double hauled = end - end_of_rope(), rise = now.x[2] - start.x[2];
  EXPECT_GT(hauled, 0.03);
  EXPECT_NEAR(rise, hauled / 2, 0.03 * hauled);
  const double turned = Eigen::AngleAxisd(now.R * start.R.transpose()).angle();
  // Radius of the log and of the rope. Coarse ropes slide over the capstan with jerks, at which the log
  // slips.
  EXPECT_NEAR(turned, rise / 0.052, 0.1 * turned);
}

/// By how much the planks of the chimney moved from where they began: the most, and how many by more than 1
/// cm.
struct Moved {
  double most = 0;
  int far = 0;
};

Moved chimney_at(double t, const std::vector<Override>& changes) {
  SceneAt scene("rigid/kaplas.toml", changes);
  std::vector<Vector3d> start;
  for (const WorldRigid& plank : scene.bodies()) start.push_back(plank.body->centre());
  scene.run_whatever_the_error(t);
  Moved moved;
  for (std::size_t k = 0; k + 1 < start.size(); ++k) {  // the last is the ball
    const double far = (scene.bodies()[k].body->centre() - start[k]).norm();
    moved.most = std::max(moved.most, far);
    moved.far += far > 0.01;
  }
  return moved;
}

TEST(RigidScenes, AChimneyOfPlanksStandsUntilABallHitsIt) {
  EXPECT_LT(chimney_at(1, {{"simulation.tolerance", "1e-7"}}).most, 1e-5);
  const std::string open_at_once = "[{ t = 0 }, { t = 0.1, x = [0, 0, 0.08] }]";
  EXPECT_GT(chimney_at(1.2, {{"obstacle.2.keys", open_at_once}, {"simulation.tolerance", "4e-4"}}).far, 60);
}

// Impacts without bounce, friction and resting: none may add energy. Undoing overlaps may lift what rests by
// little, a tenth of the overlap a step: allowed are 1e-6 of what the fall brings.
TEST(RigidScenes, EnergyInAStillDrumNeverGrows) {
  SceneAt scene("rigid/drum_1000.toml", {{"rigid.0.repeat", "[3, 2, 2]"},
                                         {"rigid.1.repeat", "[3, 2, 2]"},
                                         {"rigid.2.repeat", "[3, 2, 2]"},
                                         {"rigid.3.repeat", "[3, 2, 2]"}});
  const double start = scene.simulation().world().energy().total();
  double before = start, most_growth = 0;
  while (scene.t() < 1) {
    scene.run(scene.t() + 0.004);
    const double now = scene.simulation().world().energy().total();
    most_growth = std::max(most_growth, now - before);
    before = now;
  }
  EXPECT_LT(before, start - 1);  // it has fallen, J
  EXPECT_LT(most_growth, 1e-6 * (start - before));
}

}  // namespace
}  // namespace capstan
