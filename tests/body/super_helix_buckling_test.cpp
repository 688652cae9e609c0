#include <gtest/gtest.h>

#include <cmath>

#include "body/settle.hpp"
#include "body/super_helix_statics.hpp"

namespace capstan {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
const Vector3d up = -down;

/// The smallest eigenvalue of the second variation of the energy in these components of k.
double softest(SuperHelix& strand, std::initializer_list<int> components) {
  Statics statics{strand, down};
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> K(statics.stiffness(statics.dofs_of(components)),
                                                         Eigen::EigenvaluesOnly);
  return K.eigenvalues()[0];
}

/// Where a function that is positive at `low` and negative at `high` changes sign.
template <class Function>
double zero_between(double low, double high, Function&& function) {
  EXPECT_GT(function(low), 0);
  EXPECT_LT(function(high), 0);
  while (high - low > 1e-4 * high) {
    const double middle = (low + high) / 2;
    (function(middle) > 0 ? low : high) = middle;
  }
  return (low + high) / 2;
}

TEST(SuperHelix, ColumnBucklesUnderItsWeightAtGreenhillsLoad) {
  // Gamma_c = (9/4) j^2, j the first zero of J_(-1/3): 7.8373.
  const double critical = zero_between(4, 12, [](double gamma) {
    SuperHelix column(clamped_shape(axes(up, Vector3d::UnitX())), unit_rod(gamma), 16);
    return softest(column, {0, 1, 2});
  });
  EXPECT_NEAR(critical, 7.8373, 0.01 * 7.8373);
}

/// Tip deflection after some time over that at the start, of a column seeded with a small bend.
double growth(double gamma) {
  RodProperties rod = unit_rod(gamma);
  rod.internal_damping = 0.05;
  SuperHelix column(clamped_shape(axes(up, Vector3d::UnitX())), rod, 8);
  std::vector<Vector3d> bend;
  for (int i = 0; i < 8; ++i) bend.push_back({0, 1e-3 * std::cos(1.57 * (i + 0.5) / 8), 0});
  column.set_curvatures(bend);
  const double start = column.position(1).head<2>().norm();
  step_for(column, {.t = 0, .dt = 0.1, .theta = 1, .gravity = down, .air = Vector3d::Zero()}, 600);
  return column.position(1).head<2>().norm() / start;
}

TEST(SuperHelix, ColumnReturnsBelowAndFallsAboveTheCriticalLoad) {
  // N = 8 buckles 0.6 % above the continuous column.
  EXPECT_LT(growth(0.98 * 7.8373), 0.5);
  EXPECT_GT(growth(1.03 * 7.8373), 20);
}

TEST(SuperHelix, ColumnBucklesUnderATipLoadAtEulersLoad) {
  // Clamped-free: P L^2/B = pi^2/4.
  const double critical = zero_between(1, 4, [](double load) {
    SuperHelix column(clamped_shape(axes(up, Vector3d::UnitX())), unit_rod(1e-9), 16);
    column.loads = {{1, load * down}};
    return softest(column, {0, 1, 2});
  });
  EXPECT_NEAR(critical, 2.4674, 0.01 * 2.4674);
}

/// A strip on edge: stiff about n1 = y, which gravity bends it about.
RodProperties strip(double weight, double stiff, double twisting) {
  RodProperties rod = unit_rod(weight, twisting);
  rod.bending_1 = stiff;
  return rod;
}

/// Lateral buckling load of a horizontal strip of B2 = 1: the plane equilibrium, then its second variation in
/// twist and lateral bending.
double lateral_buckling(double stiff, double twisting, bool tip_load) {
  return zero_between(0.3, 60, [&](double load) {
    SuperHelix beam(clamped_shape(Matrix3d::Identity()), strip(tip_load ? 1e-9 : load, stiff, twisting), 16);
    if (tip_load) beam.loads = {{1, load * down}};
    Statics statics{beam, down};
    statics.equilibrate(statics.dofs_of({1}));
    return softest(beam, {0, 2});
  });
}

TEST(SuperHelix, StripOnEdgeBucklesLaterally) {
  // EI_strong >> EI_weak = B2, C = GJ: own weight w L^3/sqrt(B2 C) = 12.8538, tip load P L^2/sqrt(B2 C)
  // = 4.0126; a finite B1 divides by sqrt((1 - B2/B1)(1 - C/B1)).
  for (const double twisting : {0.5, 0.7}) {
    EXPECT_NEAR(lateral_buckling(1e4, twisting, false) / (12.8538 * std::sqrt(twisting)), 1, 0.03);
    EXPECT_NEAR(lateral_buckling(1e4, twisting, true) / (4.0126 * std::sqrt(twisting)), 1, 0.03);
  }
  const double correction = std::sqrt((1 - 1 / 10.0) * (1 - 0.5 / 10.0));
  EXPECT_NEAR(lateral_buckling(10, 0.5, true) * correction / (4.0126 * std::sqrt(0.5)), 1, 0.03);
}

TEST(SuperHelix, BuckledStripLeansOutOfThePlane) {
  // Out of plane tip displacement above the critical weight, none below.
  double aside[2];
  for (const int above : {0, 1}) {
    const double weight = (above ? 1.1 : 0.9) * 12.8538 * std::sqrt(0.5);
    SuperHelix beam(clamped_shape(Matrix3d::Identity()), strip(weight, 1e3, 0.5), 8);
    std::vector<Vector3d> seed(8, Vector3d(0, 0, 1e-3));
    beam.set_curvatures(seed);
    Statics statics{beam, down};
    statics.equilibrate(statics.all(), 300);
    aside[above] = std::abs(beam.position(1)[1]);
  }
  EXPECT_LT(aside[0], 1e-6);
  EXPECT_GT(aside[1], 0.1);
}

/// A naturally curved rod of nu = 0.5, clamped with the tangent down; its plane equilibrium is followed from
/// no weight on.
class HangingCurvedRod {
 public:
  HangingCurvedRod(double kn, int segments)
      : rod_(clamped_shape(axes(down, Vector3d::UnitX()), 1, {0, 0, kn}), unit_rod(1, 1 / 1.5), segments) {}

  /// Smallest eigenvalue of the second variation out of the plane at this weight, larger than the last one.
  double softest_out_of_plane(double gamma) {
    while (gamma_ < gamma) {
      gamma_ = std::min(gamma, gamma_ + std::max(1.0, 0.15 * gamma_));
      Statics statics{rod_, gamma_ * down};
      statics.equilibrate(statics.dofs_of({2}));
    }
    Statics statics{rod_, gamma * down};
    const Eigen::MatrixXd K = statics.stiffness(statics.dofs_of({0, 1}));
    return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(K, Eigen::EigenvaluesOnly).eigenvalues()[0];
  }

 private:
  SuperHelix rod_;
  double gamma_ = 0;
};

TEST(SuperHelix, HangingCurvedRodLosesItsPlane) {
  // kn L, Gamma_c, by a second variation of a chain of rotations of 40 edges, computed apart, +- 2 %.
  const double table[][2] = {{6, 11.9}, {7, 14.6}, {8, 19.2}, {10, 28.5}};
  for (const auto& [kn, critical] : table) {
    HangingCurvedRod rod(kn, 16);
    EXPECT_GT(rod.softest_out_of_plane(0.98 * critical), 0) << "kn L = " << kn;
    EXPECT_LT(rod.softest_out_of_plane(1.02 * critical), 0) << "kn L = " << kn;
  }
}

TEST(SuperHelix, HangingCurvedRodRegainsItsPlane) {
  HangingCurvedRod rod(6, 24);  // between 11.9 and 37.6
  EXPECT_LT(rod.softest_out_of_plane(0.97 * 37.6), 0);
  EXPECT_GT(rod.softest_out_of_plane(1.03 * 37.6), 0);
}

TEST(SuperHelix, LittleCurvedRodKeepsItsPlane) {
  for (const double kn : {3.0, 5.0}) {
    HangingCurvedRod rod(kn, 16);
    for (const double gamma : {1, 3, 6, 9, 12, 15, 20, 30, 50, 100, 200, 400})
      EXPECT_GT(rod.softest_out_of_plane(gamma), 0) << "kn L = " << kn << ", Gamma = " << gamma;
  }
}

/// A long rod of natural curvature 1, B = 1, C = 2/3, pulled down at its tip by F. It starts as the helix (k,
/// t) about the vertical.
struct Pulled {
  double k, t, extension;  // means over the middle third
};
Pulled pull(double force, double k, double t, int segments) {
  const double size = std::hypot(k, t);
  Matrix3d R;  // takes the axis (t, 0, k) of the helix to the vertical
  R.row(2) = -Vector3d(t, 0, k) / size;
  R.row(1) = Vector3d::UnitY();
  R.row(0) = R.row(1).cross(R.row(2));
  SuperHelix rod(clamped_shape(R, segments, {0, 0, 1}), unit_rod(1e-9), segments);
  rod.set_curvatures(std::vector<Vector3d>(segments, Vector3d(t, 0, k)));
  rod.loads = {{rod.length(), force * down}};
  Statics statics{rod, Vector3d::Zero()};
  statics.equilibrate(statics.all(), 300);
  Pulled mean{0, 0, 0};
  const int first = segments / 3, count = segments / 3;
  for (int i = first; i < first + count; ++i) {
    mean.k += rod.curvature(i).tail<2>().norm() / count;
    mean.t += rod.curvature(i)[0] / count;
  }
  const double l = rod.length() / segments;
  mean.extension = (rod.position(first * l) - rod.position((first + count) * l))[2] / (count * l);
  return mean;
}

TEST(SuperHelix, CurvedRodUnderPullIsTheHelixOfLeastEnergy) {
  // min over (k, t) of B (k - kn)^2/2 + C t^2/2 - F t/sqrt(k^2 + t^2), C = B/1.5: Fhat = F/(B kn^2), k/kn,
  // t/kn, extension. Ends disturb the helix over a length that grows as the pull fades: long rods for weak
  // pulls.
  const double table[][4] = {{.2, .9447, .2799, .2841}, {.4, .8158, .4748, .5031},
                             {.6, .6620, .5794, .6586}, {.8, .5053, .6123, .7713},
                             {1., .3530, .5853, .8563}, {1.2, .2069, .4962, .9229}};
  for (const auto& [force, k, t, extension] : table) {
    const Pulled mean = pull(force, 0.85 * k, 1.15 * t, force < 0.3 ? 36 : 24);
    EXPECT_NEAR(mean.k, k, 0.02 * k) << "Fhat = " << force;
    EXPECT_NEAR(mean.t, t, 0.02 * t) << "Fhat = " << force;
    EXPECT_NEAR(mean.extension, extension, 0.02 * extension) << "Fhat = " << force;
  }
}

TEST(SuperHelix, StrongPullStraightensACurvedRod) {
  // Straight iff F >= (1 + nu) B kn^2 = 1.5.
  const Pulled mean = pull(1.7, 0.1, 0.2, 24);
  EXPECT_LT(mean.k, 0.02);
  EXPECT_GT(mean.extension, 0.999);
}

}  // namespace
}  // namespace capstan
