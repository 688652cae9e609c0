#include "bench/scenarios/judge/crossing_judge.hpp"

#include <gtest/gtest.h>

namespace capstan::scenarios {
namespace {

using Eigen::Vector3d;

/// Two things, the first moved by a displacement: 1 if the judge says that they passed through each other.
struct Stage {
  JudgedThings things;
  Moment before, now;

  void add_curve(const Points& from, const Vector3d& shift, bool passes_itself = false) {
    const int last = static_cast<int>(from.size()) - 1;
    things.curves.push_back({"curve", 0, last, -1, passes_itself});
    before.curves.push_back(from), now.curves.push_back(moved(from, shift));
  }
  void add_sheet(const Points& from, const Vector3d& shift, std::vector<Corners> triangles) {
    things.surfaces.push_back({"sheet", std::move(triangles), false, false, {}});
    before.surfaces.push_back(from), now.surfaces.push_back(moved(from, shift));
  }
  void add_soft_ball(const Vector3d& at, const Vector3d& shift) {
    const JudgedSolid ball = JudgedSolid::rod(0.1, 0);
    Points points = moved(ball.vertices(), at);
    points.push_back(at);  // its inner node
    things.surfaces.push_back({"soft", ball.triangles(), true, true, {int(points.size()) - 1}});
    before.surfaces.push_back(points), now.surfaces.push_back(moved(points, shift));
  }
  void add_body(const JudgedSolid& solid, const Vector3d& at, const Vector3d& shift, bool obstacle = false) {
    things.bodies.push_back({"body", solid, obstacle});
    before.bodies.push_back({at, Eigen::Matrix3d::Identity()});
    now.bodies.push_back({at + shift, Eigen::Matrix3d::Identity()});
  }
  int crossings() const {
    CrossingJudge judge(things, before);
    EXPECT_EQ(judge.at_start(), 0);
    judge.look(now);
    return judge.crossings();
  }
  static Points moved(Points points, const Vector3d& shift) {
    for (Vector3d& x : points) x += shift;
    return points;
  }
};

const Points kLine{{-1, 0, 1}, {0, 0, 1}, {1, 0, 1}};
const Points kAcross{{0.3, -1, 0}, {0.3, 0, 0}, {0.3, 1, 0}};
const Points kSheet{{-2, -2, 0}, {2, -2, 0}, {0, 3, 0}};
const Vector3d kRest = Vector3d::Zero();

TEST(CrossingJudge, SeesAStrandPassAStrand) {
  for (const double fall : {-0.9, -1.1, -5.0}) {
    Stage stage;
    stage.add_curve(kLine, {0, 0, fall});
    stage.add_curve(kAcross, kRest);
    EXPECT_EQ(stage.crossings(), fall < -1 ? 1 : 0) << fall;
  }
}

TEST(CrossingJudge, SeesAStrandPassItself) {
  const Points loop{{-1, 0, 1}, {1, 0, 1}, {1, 1, 0}, {0, 1, 0}, {0, -1, 0}};
  for (const bool allowed : {false, true}) {
    Stage stage;
    stage.add_curve(loop, kRest, allowed);
    stage.now.curves[0][0][2] = stage.now.curves[0][1][2] = -1;  // the first segment falls through the last
    EXPECT_EQ(stage.crossings(), allowed ? 0 : 1);
  }
}

TEST(CrossingJudge, SeesAStrandPassASheet) {
  for (const double fall : {-0.9, -1.1}) {
    Stage stage;
    stage.add_curve(kLine, {0, 0, fall});
    stage.add_sheet(kSheet, kRest, {{0, 1, 2}});
    EXPECT_EQ(stage.crossings(), fall < -1 ? 1 : 0) << fall;
  }
}

TEST(CrossingJudge, SeesTheEdgeOfASheetCutThroughAStrand) {
  Stage stage;
  stage.add_sheet({{-3, 0, -1}, {-3, 0, 1}, {-5, 0, 0}}, {8, 0, 0}, {{0, 1, 2}});
  stage.add_curve(kAcross, kRest);
  EXPECT_EQ(stage.crossings(), 1);
}

TEST(CrossingJudge, SeesAStrandEnterAndPassEverySolid) {
  const std::vector<JudgedSolid> solids{JudgedSolid::rod(0.2, 0), JudgedSolid::rod(0.1, 0.2),
                                        JudgedSolid::drum(0.2, 0.2), JudgedSolid::box({0.2, 0.2, 0.05})};
  std::vector<JudgedSolid> all = solids;
  all.push_back(JudgedSolid::mesh(solids[0].vertices(), solids[0].triangles()));
  for (const JudgedSolid& solid : all)
    for (const double fall : {-0.5, -1.0, -2.5}) {  // short of it, into it, through it in one step
      Stage stage;
      stage.add_curve({{-1, 0.03, 1}, {1, 0.03, 1}}, {0.013, 0, fall});
      stage.add_body(solid, kRest, kRest, true);
      EXPECT_EQ(stage.crossings(), fall < -0.6 ? 1 : 0) << fall;
    }
}

TEST(CrossingJudge, SeesAStrandBelowAFloor) {
  Stage stage;
  stage.add_curve(kLine, {0, 0, -1.01});
  stage.add_body(JudgedSolid::half_space(), kRest, kRest, true);
  EXPECT_EQ(stage.crossings(), 1);
}

TEST(CrossingJudge, SeesASheetPassASheetAndItself) {
  Stage two;
  two.add_sheet({{-2, -2, 1}, {2, -2, 1}, {0, 0, 0.2}}, {0, 0, -0.5}, {{0, 1, 2}});
  two.add_sheet(kSheet, kRest, {{0, 1, 2}});
  EXPECT_EQ(two.crossings(), 1);
  Stage one;
  Points points = kSheet;
  for (const Vector3d& x : {Vector3d(-1, -1, 1), Vector3d(1, -1, 1), Vector3d(0, 1, 1)}) points.push_back(x);
  one.add_sheet(points, kRest, {{0, 1, 2}, {3, 4, 5}});
  one.now.surfaces[0][5][2] = -1;
  EXPECT_EQ(one.crossings(), 1);
}

TEST(CrossingJudge, SeesASheetOverACornerThatPokesThrough) {
  for (const double fall : {-0.8, -0.95}) {
    Stage stage;  // the tip of a tall block in the middle of a wide triangle
    stage.add_sheet(Stage::moved(kSheet, {0, 0, 1}), {0, 0, fall}, {{0, 1, 2}});
    stage.add_body(JudgedSolid::box({0.1, 0.1, 0.1}), kRest, kRest, true);
    EXPECT_EQ(stage.crossings(), fall < -0.9 ? 1 : 0) << fall;
  }
}

// A held edge goes where the scene leads it, also through a floor.
TEST(CrossingJudge, LetsASheetBeLedIntoAnObstacle) {
  for (const bool led : {true, false})
    for (const bool obstacle : {true, false}) {
      Stage stage;
      stage.add_sheet(Stage::moved(kSheet, {0, 0, 1}), {0, 0, -2}, {{0, 1, 2}});
      stage.things.surfaces[0].led = {led, led, false};
      stage.add_body(JudgedSolid::box({0.1, 0.1, 0.1}), kRest, kRest, obstacle);
      EXPECT_EQ(stage.crossings(), led && obstacle ? 0 : 1);
    }
}

TEST(CrossingJudge, SeesABallThroughASheetInOneStep) {
  Stage stage;
  stage.add_sheet(kSheet, kRest, {{0, 1, 2}});
  stage.add_body(JudgedSolid::rod(0.05, 0), {0, 0, 1}, {0, 0, -2});
  EXPECT_EQ(stage.crossings(), 1);
}

TEST(CrossingJudge, SeesSolidsHalfWayInEachOther) {
  const JudgedSolid brick = JudgedSolid::box({0.1, 0.06, 0.03});
  for (const double fall : {-0.44, -0.52, -1.0}) {  // touching, half way in, through in one step
    Stage stage;
    stage.add_body(brick, {0, 0, 0.5}, {0.02, 0.01, fall});
    stage.add_body(brick, kRest, kRest);
    EXPECT_EQ(stage.crossings(), fall < -0.5 ? 1 : 0) << fall;
  }
}

TEST(CrossingJudge, SeesABallThroughTheWallOfAMesh) {
  const JudgedSolid plate = JudgedSolid::box({1, 1, 0.01});
  Stage stage;
  stage.add_body(JudgedSolid::mesh(plate.vertices(), plate.triangles()), kRest, kRest, true);
  stage.add_body(JudgedSolid::rod(0.05, 0), {0.3, 0.2, 0.5}, {0, 0, -1});
  EXPECT_EQ(stage.crossings(), 1);
}

TEST(CrossingJudge, SeesASoftSolidPassASolidAndASolidPassIt) {
  Stage stage;
  stage.add_soft_ball({0, 0, 0.5}, {0, 0, -1});
  stage.add_body(JudgedSolid::box({1, 1, 0.01}), kRest, kRest, true);
  EXPECT_EQ(stage.crossings(), 1);
  Stage other;
  other.add_soft_ball(kRest, kRest);
  other.add_body(JudgedSolid::rod(0.02, 0), {0.05, 0.01, 1}, {0, 0, -2});
  EXPECT_EQ(other.crossings(), 1);
}

TEST(CrossingJudge, SeesASoftSolidPassASoftSolid) {
  Stage stage;
  stage.add_soft_ball({0, 0.013, 0.5}, {0, 0, -0.35});
  stage.add_soft_ball({0.011, 0, 0}, kRest);
  EXPECT_EQ(stage.crossings(), 1);
}

TEST(CrossingJudge, CountsOverlapsOfTheStartApartAndEachPairOnce) {
  JudgedThings things;
  things.curves.push_back({"curve", 0, 2, -1, false});
  things.bodies.push_back({"floor", JudgedSolid::half_space(), true});
  Moment moment;
  moment.curves.push_back(Stage::moved(kLine, {0, 0, -2}));
  moment.bodies.push_back({});
  CrossingJudge judge(things, moment);
  EXPECT_EQ(judge.at_start(), 1);
  judge.look(moment);
  EXPECT_EQ(judge.crossings(), 0);
}

TEST(CrossingJudge, LetsObstaclesBeInEachOther) {
  Stage stage;
  stage.add_body(JudgedSolid::rod(0.1, 0), {1, 0, 0}, {-1, 0, 0}, true);
  stage.add_body(JudgedSolid::rod(0.1, 0), kRest, kRest, true);
  EXPECT_EQ(stage.crossings(), 0);
}

}  // namespace
}  // namespace capstan::scenarios
