#include "capstan/body/soft/polar.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <random>

#include "capstan/body/rotation.hpp"

namespace capstan {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// R is the best rotation if and only if S = R^T F is symmetric and tr(S) I - S has no negative eigenvalue:
/// tr(R^T F) then has its largest value, not just a stationary one.
void expect_nearest_rotation(const Matrix3d& F, double tolerance = 1e-12) {
  const Matrix3d R = nearest_rotation(F), S = R.transpose() * F / std::max(F.norm(), 1e-300);
  EXPECT_LT((R.transpose() * R - Matrix3d::Identity()).norm(), 1e-14) << F;
  EXPECT_GT(R.determinant(), 0.5) << F;
  EXPECT_LT((S - S.transpose()).norm(), tolerance) << F;
  const Matrix3d curvature = S.trace() * Matrix3d::Identity() - (S + S.transpose()) / 2;
  EXPECT_GT(Eigen::SelfAdjointEigenSolver<Matrix3d>(curvature).eigenvalues()[0], -tolerance) << F;
}

TEST(NearestRotation, IsTheBestForAnyMatrix) {
  std::mt19937 engine(7);
  std::normal_distribution<double> normal;
  const auto random = [&] { return normal(engine); };
  for (int k = 0; k < 3000; ++k) {
    Matrix3d F = Matrix3d::NullaryExpr(random);
    if (k % 4 == 1) F.col(k % 3) = F.col((k + 1) % 3) * random();          // flat
    if (k % 4 == 2) F = Vector3d::NullaryExpr(random) * F.row(0);          // a line
    if (k % 4 == 3) F = Matrix3d::Identity() + std::pow(0.1, k % 16) * F;  // nearly at rest
    expect_nearest_rotation(F);
  }
}

TEST(NearestRotation, HoldsWhereSeveralAreAsNear) {
  expect_nearest_rotation(Matrix3d::Zero());
  EXPECT_EQ(nearest_rotation(Matrix3d::Zero()), Matrix3d::Identity());
  expect_nearest_rotation(-Matrix3d::Identity());
  for (const double d : {0.0, 1e-3, 1e-6, 1e-9, 1e-12, 1e-15}) {
    expect_nearest_rotation(Vector3d(1, 1, -1 + d).asDiagonal());
    expect_nearest_rotation(Vector3d(2, 1 + d, -1).asDiagonal());
    expect_nearest_rotation(rotation_exp(Vector3d(1, 2, 3)) * Vector3d(1, d, -d * d).asDiagonal());
  }
}

TEST(NearestRotation, DoesNotDependOnSize) {
  const Matrix3d F = rotation_exp(Vector3d(0.3, -2, 1)) * Vector3d(2, 0.5, -0.2).asDiagonal();
  for (const double size : {1e-150, 1e-40, 1e-3, 1e40, 1e150}) {
    EXPECT_LT((nearest_rotation(size * F) - nearest_rotation(F)).norm(), 1e-12) << size;
  }
}

// F = R S: any rotation, also by 180 degrees, comes back if the stretches are positive.
TEST(NearestRotation, FindsTheRotationOfAStretchedBody) {
  Matrix3d S;
  S << 1.3, 0.2, -0.1, 0.2, 0.8, 0.05, -0.1, 0.05, 1.1;
  for (const double angle : {0.0, 1e-8, 0.5, 2.0, 3.0, 3.14159265358979})
    for (const Vector3d& axis :
         {Vector3d(1, 0, 0), Vector3d(0, -0.6, 0.8), Vector3d(1, 1, 1).normalized().eval()}) {
      const Matrix3d R = rotation_exp(angle * axis);
      EXPECT_LT((nearest_rotation(R * S) - R).norm(), 1e-14) << angle;
    }
}

TEST(Cofactors, AreTheDerivativeOfTheDeterminant) {
  Matrix3d F;
  F << 1, 2, 3, -1, 0.5, 2, 0.3, -2, 1;
  EXPECT_LT((cofactors(F) - F.determinant() * F.inverse().transpose()).norm(), 1e-13);
  F.col(2) = F.col(0) + F.col(1);  // no inverse; the determinant is linear in each entry
  for (int i = 0; i < 9; ++i) {
    Matrix3d moved = F;
    moved(i) += 1;
    EXPECT_NEAR(cofactors(F)(i), moved.determinant() - F.determinant(), 1e-13);
  }
}

}  // namespace
}  // namespace capstan
