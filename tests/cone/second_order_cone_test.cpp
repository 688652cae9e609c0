#include "capstan/cone/second_order_cone.hpp"

#include <gtest/gtest.h>

#include <random>

namespace capstan::cone {
namespace {

template <int D>
class ConeTest : public testing::Test {
 protected:
  Vector<D> random() {
    Vector<D> x;
    for (int a = 0; a < D; ++a) x[a] = normal_(generator_);
    return x;
  }
  std::mt19937 generator_{7};
  std::normal_distribution<double> normal_;
};

using Cone2 = ConeTest<2>;
using Cone3 = ConeTest<3>;
using Cone4 = ConeTest<4>;

TEST_F(Cone3, ProjectionSatisfiesMoreausDecomposition) {
  // x = P_K(x) + P_-K(x), the two orthogonal: the projection is characterised by it.
  for (int k = 0; k < 1000; ++k) {
    const Vector<3> x = random(), p = project<3>(x), q = x - p;
    EXPECT_LE(tangent<3>(p).norm(), p[0] * (1 + 1e-14));
    EXPECT_LE(tangent<3>(q).norm(), -q[0] + 1e-14);
    EXPECT_NEAR(p.dot(q), 0, 1e-14);
  }
}

TEST_F(Cone3, FischerBurmeisterVanishesExactlyOnComplementaryPairs) {
  for (int k = 0; k < 1000; ++k) {
    const Vector<3> z = random(), x = project<3>(z), y = x - z;  // K contains x and y, orthogonal
    EXPECT_LT(fischer_burmeister<3>(x, y).norm(), 1e-14);
    if (x.norm() < 0.1) continue;
    EXPECT_GT(fischer_burmeister<3>(x, y + Vector<3>(0.1, 0, 0)).norm(), 1e-4);
  }
}

TEST_F(Cone3, FischerBurmeisterKeepsAllDigitsOnTheBoundary) {
  // A contact about to slip: x on the boundary up to 1e-12, y = 0. The textbook formula loses half the
  // digits.
  const double gap = 1e-12;
  const Vector<3> x(1 + gap, 0.6, 0.8);
  EXPECT_LT(fischer_burmeister<3>(x, Vector<3>::Zero()).norm(), 1e-15);
  // Just outside of the cone by the same: f = (gap, ...) to first order, not 1e-8.
  const Vector<3> outside(1 - gap, 0.6, 0.8);
  EXPECT_NEAR(fischer_burmeister<3>(outside, Vector<3>::Zero()).norm(), std::sqrt(2.0) * gap, 1e-3 * gap);
}

TEST_F(Cone3, FischerBurmeisterIsNotFooledByAHugeImpulse) {
  // x + y - sqrt(x^2 + y^2) goes to y = -1 for x to infinity; in floating point the plain formula gives 0.
  EXPECT_NEAR(fischer_burmeister<3>(Vector<3>(1e20, 0, 0), Vector<3>(-1, 0, 0)).norm(), 1, 1e-12);
}

TEST_F(Cone3, FischerBurmeisterSeesAnImpulseThatPulls) {
  // x.y is tiny, yet x is far outside: |f| = 2 |x_N|.
  for (const double y : {0.0, 1e-20, 1e-16})
    EXPECT_NEAR(fischer_burmeister<3>(Vector<3>(-1, 0, 0), Vector<3>(y, 0, 0)).norm(), 2, 1e-12);
}

template <int D, class Test>
void expect_fischer_burmeister_derivative(const Vector<D>& x, const Vector<D>& y) {
  const auto [f, dx, dy] = fischer_burmeister_jacobian<D>(x, y);
  EXPECT_LT((f - fischer_burmeister<D>(x, y)).norm(), 1e-12);
  const double h = 1e-6;
  for (int a = 0; a < D; ++a) {
    const Vector<D> e = h * Vector<D>::Unit(a);
    const Vector<D> numeric_x = (fischer_burmeister<D>(x + e, y) - fischer_burmeister<D>(x - e, y)) / (2 * h);
    const Vector<D> numeric_y = (fischer_burmeister<D>(x, y + e) - fischer_burmeister<D>(x, y - e)) / (2 * h);
    EXPECT_LT((dx.col(a) - numeric_x).norm(), 1e-6) << "x " << x.transpose() << " y " << y.transpose();
    EXPECT_LT((dy.col(a) - numeric_y).norm(), 1e-6) << "x " << x.transpose() << " y " << y.transpose();
  }
}

TEST_F(Cone2, FischerBurmeisterJacobianMatchesFiniteDifferences) {
  for (int k = 0; k < 200; ++k) expect_fischer_burmeister_derivative<2, void>(random(), random());
}
TEST_F(Cone3, FischerBurmeisterJacobianMatchesFiniteDifferences) {
  for (int k = 0; k < 200; ++k) expect_fischer_burmeister_derivative<3, void>(random(), random());
}
TEST_F(Cone4, FischerBurmeisterJacobianMatchesFiniteDifferences) {
  for (int k = 0; k < 200; ++k) expect_fischer_burmeister_derivative<4, void>(random(), random());
}

TEST_F(Cone3, FischerBurmeisterJacobianIsFiniteAtDegeneratePoints) {
  const Vector<3> zero = Vector<3>::Zero(), boundary(1, 1, 0), opposite(1, -1, 0), axis(1, 0, 0);
  for (const Vector<3>& x : {zero, boundary, opposite, axis})
    for (const Vector<3>& y : {zero, boundary, opposite, axis}) {
      const auto [f, dx, dy] = fischer_burmeister_jacobian<3>(x, y);
      EXPECT_TRUE(f.allFinite() && dx.allFinite() && dy.allFinite());
    }
  EXPECT_LT(fischer_burmeister<3>(boundary, opposite).norm(), 1e-15);  // orthogonal boundary rays
}

TEST_F(Cone3, AlartCurnierJacobianMatchesFiniteDifferences) {
  const double h = 1e-7;
  for (int k = 0; k < 500; ++k) {
    const Vector<3> x = random(), y = random();
    const auto [f, dx, dy] = alart_curnier<3>(x, y, 0.7, 1.3);
    for (int a = 0; a < 3; ++a) {
      const Vector<3> e = h * Vector<3>::Unit(a);
      const Vector<3> numeric_x =
          (alart_curnier<3>(x + e, y, 0.7, 1.3).f - alart_curnier<3>(x - e, y, 0.7, 1.3).f) / (2 * h);
      const Vector<3> numeric_y =
          (alart_curnier<3>(x, y + e, 0.7, 1.3).f - alart_curnier<3>(x, y - e, 0.7, 1.3).f) / (2 * h);
      EXPECT_LT((dx.col(a) - numeric_x).norm(), 1e-5);
      EXPECT_LT((dy.col(a) - numeric_y).norm(), 1e-5);
    }
  }
}

TEST_F(Cone3, DeSaxceJacobianMatchesFiniteDifferences) {
  const double h = 1e-7;
  for (int k = 0; k < 100; ++k) {
    const Vector<3> y = random();
    for (int a = 0; a < 3; ++a) {
      const Vector<3> e = h * Vector<3>::Unit(a);
      const Vector<3> numeric = (de_saxce<3>(y + e) - de_saxce<3>(y - e)) / (2 * h);
      EXPECT_LT((de_saxce_jacobian<3>(y).col(a) - numeric).norm(), 1e-7);
    }
  }
}

TEST_F(Cone3, TheZerosOfBothFunctionsAreCoulombsLaw) {
  // Sliding: x on the boundary, y_N = 0, y_T opposite to x_T. Both functions vanish, and not for a wrong
  // direction.
  const Vector<3> x(2, 1.2, 1.6), slide(0, -0.6, -0.8), wrong(0, 0.6, 0.8);
  EXPECT_LT(fischer_burmeister<3>(x, de_saxce<3>(slide)).norm(), 1e-14);
  EXPECT_LT(alart_curnier<3>(x, slide).f.norm(), 1e-14);
  EXPECT_GT(fischer_burmeister<3>(x, de_saxce<3>(wrong)).norm(), 0.1);
  EXPECT_GT(alart_curnier<3>(x, wrong).f.norm(), 0.1);
}

}  // namespace
}  // namespace capstan::cone
