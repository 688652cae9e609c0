// A hand in the simulation, by the same commands as the page sends.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

#include "capstan/errors.hpp"
#include "capstan/run/live_run.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;
using std::chrono::milliseconds;

constexpr const char* kLooseKnot = R"(
[simulation]
duration = 1
dt = 1e-3
gravity = [0, 0, 0]
tolerance = 1e-6

[[material]]
name = "cord"
preset = "elastomer"
internal_damping = 0.02
friction = 0.1

[[strand]]
name = "line"
model = "discrete_elastic"
material = "cord"
elements = 120
shape = "overhand_knot"
length = 0.85
radius = 0.04
rest = "straight"
direction = [1, 0, 0]
normal = [0, 0, 1]
[strand.root]
hold = "clamped"
)";

/// Waits for frames until `done` likes one; the last one that came.
template <typename Done>
LiveFrame frames_until(LiveRun& run, Done done) {
  LiveFrame last;
  for (int k = 0; k < 2000; ++k) {
    const auto frame = run.wait_for_frame(last.number, milliseconds(5000));
    if (!frame) break;
    last = *frame;
    if (done(last)) break;
  }
  return last;
}

Vector3d point_of(const LiveFrame& frame, int k) {
  return Eigen::Map<const Eigen::Vector3f>(frame.points.data() + 3 * k).cast<double>();
}

/// The smallest distance between places at least `apart` elements from each other along the wire.
double closest_to_itself(const LiveFrame& frame, int points, int apart) {
  double closest = 1e9;
  for (int i = 0; i < points; ++i)
    for (int j = i + apart; j < points; ++j)
      closest = std::min(closest, (point_of(frame, i) - point_of(frame, j)).norm());
  return closest;
}

Scene loose_knot() { return parse_scene(kLooseKnot, "knot.toml"); }

TEST(LiveRun, AKnotIsPulledTightByHandAndDoesNotPassThroughItself) {
  LiveRun run(loose_knot(), 1);
  const int points = run.points_per_strand().at(0), tip = points - 1;
  const LiveFrame first = frames_until(run, [](const LiveFrame&) { return true; });
  const Vector3d start = point_of(first, tip),
                 target = start + 0.05 * (start - point_of(first, 0)).normalized();
  run.drag(Drag{0, tip, target});
  double closest = 1e9;
  const LiveFrame last = frames_until(run, [&](const LiveFrame& frame) {
    closest = std::min(closest, closest_to_itself(frame, points, 6));
    return frame.t > 1.5;
  });
  EXPECT_EQ(last.problem, "");
  EXPECT_LT((point_of(last, tip) - target).norm(), 0.5 * (start - target).norm())
      << "the tip follows the hand";
  EXPECT_GT(closest, 1.8 * run.radii().at(0)) << "two radii";
  run.drag({});
}

TEST(LiveRun, StandsStillWhilePausedAndStartsAgain) {
  LiveRun run(loose_knot(), 1);
  frames_until(run, [](const LiveFrame& frame) { return frame.t > 0.02; });
  run.pause(true);
  const LiveFrame paused = frames_until(run, [](const LiveFrame& frame) { return frame.paused; });
  const auto more =
      run.wait_for_frame(paused.number + 1, milliseconds(200));  // one step may have been under way
  EXPECT_FALSE(more.has_value());
  run.restart();
  const LiveFrame again = frames_until(run, [](const LiveFrame& frame) { return frame.t == 0; });
  EXPECT_EQ(again.step, 0);
}

constexpr const char* kFallingCloth = R"(
[simulation]
duration = 1
dt = 5e-3
[[cloth]]
name = "sheet"
size = [0.2, 0.2]
cells = [4, 4]
position = [0, 0, 1]
drag = 0
skin_drag = 0
)";

TEST(LiveRun, ShowsTheVerticesOfSoftBodies) {
  LiveRun run(parse_scene(kFallingCloth, "cloth.toml"), 1);
  ASSERT_EQ(run.meshes().size(), 1u);
  EXPECT_NE(run.meshes()[0].find("sheet"), std::string::npos);
  const LiveFrame frame = frames_until(run, [](const LiveFrame& f) { return f.t > 0.1; });
  ASSERT_EQ(frame.mesh_points.size(), 75u);
  ASSERT_EQ(frame.mesh_values.size(), 25u);
  // It falls flat: g t (t + dt)/2 by implicit Euler.
  for (int k = 0; k < 25; ++k)
    EXPECT_NEAR(frame.mesh_points[3 * k + 2], 1 - 9.81 * frame.t * (frame.t + 5e-3) / 2, 1e-4);
}

TEST(LiveRun, RefusesWhatIsNotThere) {
  LiveRun run(loose_knot(), 1);
  EXPECT_THROW(run.drag(Drag{1, 0, Vector3d::Zero()}), InputError);
  EXPECT_THROW(run.drag(Drag{0, 121, Vector3d::Zero()}), InputError);
  EXPECT_THROW(run.drag(Drag{0, -1, Vector3d::Zero()}), InputError);
  EXPECT_THROW(run.drag(Drag{0, 0, Vector3d(NAN, 0, 0)}), InputError);
  EXPECT_THROW(run.set_friction("nobody", 0.1), InputError);
  EXPECT_THROW(run.set_friction(LiveRun::kBetweenStrands, -1), InputError);
  run.set_friction(LiveRun::kBetweenStrands, 0.7);
  EXPECT_EQ(run.friction().at(LiveRun::kBetweenStrands), 0.7);
}

}  // namespace
}  // namespace capstan
