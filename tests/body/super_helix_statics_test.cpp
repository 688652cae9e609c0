#include <gtest/gtest.h>

#include <cmath>

#include "body/settle.hpp"
#include "body/super_helix_statics.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;
const Eigen::Matrix3d level = Eigen::Matrix3d::Identity();

/// Reach and drop of the tip of a horizontal cantilever.
struct Tip {
  double reach, drop;
};
Tip tip_of(SuperHelix& strand, const Vector3d& gravity) {
  Statics statics{strand, gravity};
  statics.equilibrate(statics.all());
  const Vector3d x = strand.position(strand.length());
  EXPECT_LT(std::abs(x[1]), 1e-7);  // it sags in its plane
  return {x[0], -x[2]};
}
Tip sagging_tip(double gamma, int segments) {
  SuperHelix strand(clamped_shape(level), unit_rod(gamma), segments);
  return tip_of(strand, down);
}

TEST(SuperHelix, SagsLikeTheElastica) {
  // theta'' = -Gamma (1 - s) cos theta, theta(0) = 0, theta'(1) = 0, solved to 1e-9: Gamma, W/L, H/L.
  const double table[][3] = {{0.1, .99991, .01250}, {1, .99125, .12347},  {2, .96689, .23851},
                             {3, .93151, .33965},   {5, .84666, .49591},  {10, .65635, .70020},
                             {20, .44523, .82988},  {50, .24501, .90792}, {100, .15922, .93752}};
  for (const auto& [gamma, reach, drop] : table) {
    const Tip tip = sagging_tip(gamma, 16);
    EXPECT_NEAR((tip.drop / tip.reach) / (drop / reach), 1, 0.01) << "Gamma = " << gamma;
  }
}

TEST(SuperHelix, BendsUnderATipLoadLikeTheElastica) {
  // theta'' = -alpha cos theta, theta(0) = 0, theta'(1) = 0: alpha = P L^2/B, reach, drop.
  const double table[][3] = {{.2, .99735, .06636}, {.5, .98408, .16214}, {1, .94357, .30172},
                             {2, .83936, .49346},  {3, .74558, .60325},  {5, .61237, .71379},
                             {10, .44500, .81061}};
  for (const auto& [alpha, reach, drop] : table) {
    SuperHelix strand(clamped_shape(level), unit_rod(1), 16);
    strand.loads = {{1, alpha * down}};
    const Tip tip = tip_of(strand, Vector3d::Zero());
    EXPECT_NEAR(tip.reach, reach, 0.001) << "alpha = " << alpha;
    EXPECT_NEAR(tip.drop, drop, 0.001) << "alpha = " << alpha;
  }
}

TEST(SuperHelix, TipDropConvergesWithSecondOrder) {
  // Known errors of the drop: Gamma = 5: 3.4e-2, 8.4e-3, 2.1e-3, 5.2e-4 for N = 2, 4, 8, 16;
  // Gamma = 100: 9.9e-2, 3.2e-2, 8.6e-3, 2.1e-3. Twice the segments, a quarter of the error.
  const double exact[] = {.49591, .93752};
  const double known[2][4] = {{3.4e-2, 8.4e-3, 2.1e-3, 5.2e-4}, {9.9e-2, 3.2e-2, 8.6e-3, 2.1e-3}};
  for (const int row : {0, 1})
    for (const int i : {0, 1, 2, 3}) {
      const double error = std::abs(sagging_tip(row == 0 ? 5 : 100, 2 << i).drop - exact[row]);
      EXPECT_NEAR(error / known[row][i], 1, 0.06) << "N = " << (2 << i);
    }
}

TEST(SuperHelix, SettlesWhereStaticsSays) {
  // The same state by stepping: drag and internal damping take the energy out.
  RodProperties rod = unit_rod(10);
  rod.internal_damping = 0.2;
  rod.air_drag = 20;
  SuperHelix strand(clamped_shape(level), rod, 6);
  const Settled settled =
      settle(strand, {.t = 0, .dt = 0.05, .theta = 1, .gravity = down, .air = Vector3d::Zero()}, 1e-10, 5000);
  ASSERT_TRUE(settled.still);
  const Vector3d x = strand.position(1);
  const Tip tip = sagging_tip(10, 6);
  EXPECT_NEAR(x[0], tip.reach, 1e-7);
  EXPECT_NEAR(-x[2], tip.drop, 1e-7);
}

TEST(SuperHelix, BendsMoreInItsWeakDirection) {
  // Small sag w L^4/8B of an elliptic section, once on the flat side and once on edge.
  RodProperties rod = unit_rod(0.1);
  rod.bending_2 = 4;
  const Vector3d y(0, -1, 0);
  SuperHelix flat(clamped_shape(level), rod, 16), edge(clamped_shape(level), rod, 16);
  Statics on_flat{flat, down}, on_edge{edge, y};
  on_flat.equilibrate(on_flat.all());  // bends about n1 = y
  on_edge.equilibrate(on_edge.all());  // bends about n2 = z
  EXPECT_NEAR(-flat.position(1)[2], 0.1 / 8, 1e-4);
  EXPECT_NEAR(-edge.position(1)[1], 0.1 / 8 / 4, 3e-5);
}

TEST(SuperHelix, WindBendsIt) {
  // Drag c per length and velocity in a steady wind u is a dead load c u: sag c u L^4/8B.
  RodProperties rod = unit_rod(1);
  rod.air_drag = 5;
  rod.internal_damping = 0.1;
  SuperHelix strand(clamped_shape(level), rod, 8);
  const StepConditions windy{
      .t = 0, .dt = 0.1, .theta = 1, .gravity = Vector3d::Zero(), .air = Vector3d(0, 0.02, 0)};
  ASSERT_TRUE(settle(strand, windy, 1e-10, 2000).still);
  EXPECT_NEAR(strand.position(1)[1], 5 * 0.02 / 8, 2e-4);
}

}  // namespace
}  // namespace capstan
