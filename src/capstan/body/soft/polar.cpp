#include "capstan/body/soft/polar.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <cmath>

namespace capstan {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix4d;
using Eigen::Vector3d;

/// The largest root of l^4 - 2 |F|^2 l^2 - 8 det F l + |F|^4 - 4 |cof F|^2, whose roots are s1 + s2 + s3 and
/// those with two signs changed: all are real, and Newton's method comes down to the largest from above.
/// l <= sqrt(3) |F| (Cauchy and Schwarz).
double trace_of_stretch(double F2, double det, double cof2) {
  const double c = F2 * F2 - 4 * cof2;
  double l = std::sqrt(3 * F2);
  for (int i = 0; i < 30; ++i) {
    const double p = ((l * l - 2 * F2) * l - 8 * det) * l + c, slope = 4 * (l * l - F2) * l - 8 * det;
    const double next = l - p / slope;
    if (!(next < l * (1 - 1e-15))) break;
    l = next;
  }
  return l;
}

/// tr(R^T F) = q^T K q for the unit quaternion q = (x, y, z, w) of R: its largest eigenvector [Davenport
/// 1968].
Matrix3d rotation_by_eigenvector(const Matrix3d& F) {
  Matrix4d K;
  K.topLeftCorner<3, 3>() = F + F.transpose() - F.trace() * Matrix3d::Identity();
  const Vector3d a(F(2, 1) - F(1, 2), F(0, 2) - F(2, 0), F(1, 0) - F(0, 1));
  K.topRightCorner<3, 1>() = a;
  K.bottomLeftCorner<1, 3>() = a.transpose();
  K(3, 3) = F.trace();
  const Eigen::SelfAdjointEigenSolver<Matrix4d> solver(K);
  return Eigen::Quaterniond(solver.eigenvectors().col(3)).normalized().toRotationMatrix();
}

}  // namespace

Matrix3d cofactors(const Matrix3d& F) {
  Matrix3d C;
  C << F.col(1).cross(F.col(2)), F.col(2).cross(F.col(0)), F.col(0).cross(F.col(1));
  return C;
}

// With the invariants I = tr S, II, III of S, whose eigenvalues s obey Cayley and Hamilton,
//   (I^2 - II) s_i - s_i^3 + I s_j s_k = I II - III = (s1 + s2)(s2 + s3)(s3 + s1)   for each i,
// hence R = ((I^2 - II) F - F F^T F + I cof F) / (I II - III), which holds for flat and inverted F as well
// and divides by what vanishes only where R is not unique.
Matrix3d nearest_rotation(const Matrix3d& F) {
  const Matrix3d C = cofactors(F);
  const double F2 = F.squaredNorm(), det = F.col(0).dot(C.col(0));
  const double I = trace_of_stretch(F2, det, C.squaredNorm()), II = (I * I - F2) / 2;
  const double unique = I * II - det;
  if (!(unique > 1e-3 * F2 * std::sqrt(F2)) || !std::isfinite(unique)) return rotation_by_eigenvector(F);
  const Matrix3d G = F.transpose() * F;
  const Matrix3d R = (F * ((I * I - II) * Matrix3d::Identity() - G) + I * C) / unique;
  return R * (1.5 * Matrix3d::Identity() - 0.5 * (R.transpose() * R));  // rounding, orthonormal again
}

}  // namespace capstan
