#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "capstan/body/rod/strand_shape.hpp"
#include "capstan/scene/curves.hpp"
#include "capstan/scene/drape.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;
constexpr double kPi = std::numbers::pi;

/// Where and how a polyline crosses itself, seen along z.
struct CurveCrossing {
  double u, v;  ///< places along the line, u < v
  bool u_above;
  int sign;  ///< of the crossing, by the right-hand rule
};

std::vector<CurveCrossing> curve_crossings(const Polyline& line) {
  std::vector<CurveCrossing> found;
  for (std::size_t i = 0; i + 1 < line.size(); ++i)
    for (std::size_t j = i + 2; j + 1 < line.size(); ++j) {
      const Vector3d a = line[i + 1] - line[i], b = line[j + 1] - line[j], d = line[j] - line[i];
      const double det = a[0] * b[1] - a[1] * b[0];
      if (std::abs(det) < 1e-30) continue;
      const double s = (d[0] * b[1] - d[1] * b[0]) / det, t = (d[0] * a[1] - d[1] * a[0]) / det;
      if (s < 0 || s >= 1 || t < 0 || t >= 1) continue;
      const bool above = line[i][2] + s * a[2] > line[j][2] + t * b[2];
      found.push_back({double(i) + s, double(j) + t, above, (det > 0) == above ? 1 : -1});
    }
  return found;
}

TEST(Curves, AnArcEndsWhereTheCircleSays) {
  // A quarter of a circle of radius 2 from the origin along x, turning towards y, ends at (2, 2, 0).
  const Polyline arc = arc_curve({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, 2, kPi, 200);
  EXPECT_LT((arc.back() - Vector3d(2, 2, 0)).norm(), 1e-14);
  EXPECT_NEAR(length_of(arc), kPi, 1e-4 * kPi);
}

TEST(Curves, AHelixIsRightHandedAndAsLongAsAsked) {
  // One turn: length^2 = (2 pi r)^2 + pitch^2; torsion > 0 means det[x', x'', x'''] > 0.
  const double length = std::hypot(2 * kPi * 0.1, 0.3);
  const Polyline helix = helix_curve({0, 0, 0}, {0, 0, 1}, {1, 0, 0}, 0.1, 0.3, length, 400);
  EXPECT_LT((helix.back() - Vector3d(0, 0, 0.3)).norm(), 1e-14);
  EXPECT_NEAR(length_of(helix), length, 1e-4 * length);
  for (const Vector3d& x : helix) EXPECT_NEAR(std::hypot(x[0] - 0.1, x[1]), 0.1, 1e-14);
  const Vector3d d1 = helix[1] - helix[0], d2 = helix[2] - helix[1], d3 = helix[3] - helix[2];
  EXPECT_GT(d1.cross(d2).dot(d3), 0);
}

TEST(Curves, AWrapTouchesTheCylinderAndLeavesAlongItsTangents) {
  // Half a turn around y: up on one side, over the top, down on the other.
  const Polyline wrap = wrap_curve({0, 0, 1}, {0, 0, 1}, {0, 1, 0}, 0.1, kPi, 0, {0.5, 0.25}, 100);
  EXPECT_LT((wrap.front() - Vector3d(-0.1, 0, 0.5)).norm(), 1e-14);
  EXPECT_LT((wrap.back() - Vector3d(0.1, 0, 0.75)).norm(), 1e-14);
  EXPECT_NEAR(length_of(wrap), 0.75 + 0.1 * kPi, 1e-4);
  for (std::size_t i = 1; i + 1 < wrap.size(); ++i)
    EXPECT_NEAR(std::hypot(wrap[i][0], wrap[i][2] - 1), 0.1, 1e-14);
}

TEST(Curves, TheOverhandKnotIsATrefoil) {
  // Three crossings of one sign, over and under in turn: a trefoil, which nothing short of cutting undoes.
  Polyline knot = overhand_knot_curve({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, 0.04, 1, 600);
  EXPECT_NEAR(length_of(knot), 1, 1e-3);
  EXPECT_LT(knot.front().norm(), 1e-15);
  EXPECT_GT((knot.back() - knot.front()).normalized()[0], 0.99);
  const std::vector<CurveCrossing> found = curve_crossings(knot);
  ASSERT_EQ(found.size(), 3u);
  std::vector<std::pair<double, bool>> passes;
  for (const CurveCrossing& c : found) {
    EXPECT_EQ(c.sign, found[0].sign);
    passes.push_back({c.u, c.u_above});
    passes.push_back({c.v, !c.u_above});
  }
  std::sort(passes.begin(), passes.end());
  for (std::size_t i = 1; i < passes.size(); ++i) EXPECT_NE(passes[i].second, passes[i - 1].second);
}

TEST(Curves, TheOverhandKnotKeepsItsStrandsApart) {
  // A rod of a tenth of the loop's radius fits: all that is not near along the line is 0.2 radii away.
  const double radius = 0.04;
  const Polyline knot = overhand_knot_curve({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, radius, 1, 400);
  const double step = 1.0 / 400;
  double least = 1;
  for (std::size_t i = 0; i < knot.size(); ++i)
    for (std::size_t j = i + std::size_t(2 * radius / step); j < knot.size(); ++j)
      least = std::min(least, (knot[i] - knot[j]).norm());
  EXPECT_GT(least, 0.2 * radius);
}

TEST(Curves, ACurledLineIsTheNaturalHelix) {
  // With the normal towards the axis and the twist of the torsion, the start has no stress: rotation from
  // frame to frame per length is the natural curvature (tau, 0, kappa).
  const double kappa = 40, tau = 25, length = 0.2, wave = std::hypot(kappa, tau);
  const Drape straight{{0, 0, 0}, {0, 0, -1}, {0, 0, -1}, 1, 0, length * tau / wave};
  const Polyline line = draped(straight, Surroundings({}), 400);
  StrandShape shape;
  shape.nodes = curled(line, {1, 0, 0}, kappa, tau);
  shape.normal = Vector3d(1, 0, 0);
  shape.twist = tau * length;
  const FramedCurve curve = sample_curve(shape, 50);
  EXPECT_NEAR(curve.length, length, 1e-3 * length);
  for (int i = 2; i < 48; ++i) {
    const Vector3d k = rotation_log(curve.R[i].transpose() * curve.R[i + 1]) / (length / 50);
    EXPECT_LT((k - Vector3d(tau, 0, kappa)).norm(), 0.03 * wave) << i << ": " << k.transpose();
  }
}

}  // namespace
}  // namespace capstan
