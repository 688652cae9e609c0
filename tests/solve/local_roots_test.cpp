#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "capstan/solve/local/positive_roots.hpp"

namespace capstan::local {
namespace {

Polynomial from_roots(const std::vector<double>& roots, double leading = 1) {
  Polynomial p;
  p.c[0] = leading;
  for (const double root : roots) {
    ++p.degree;
    for (int k = p.degree; k > 0; --k) p.c[k] = p.c[k - 1] - root * p.c[k];
    p.c[0] *= -root;
  }
  return p;
}

void expect_roots(const Polynomial& p, const std::vector<double>& expected, double relative) {
  const PositiveRoots found = positive_roots(p);
  ASSERT_EQ(found.count, static_cast<int>(expected.size()));
  for (int k = 0; k < found.count; ++k) EXPECT_NEAR(found.values[k], expected[k], relative * expected[k]);
}

TEST(PositiveRoots, OfKnownPolynomialsAreFoundInOrder) {
  expect_roots(from_roots({3, 1, 2, 4}), {1, 2, 3, 4}, 1e-12);
  expect_roots(from_roots({-1, 5}), {5}, 1e-14);
  expect_roots(from_roots({-1, -2, -3, -4}), {}, 0);
  expect_roots(from_roots({1, 2, 3, 4, 5, 6}), {1, 2, 3, 4, 5, 6}, 1e-10);
}

TEST(PositiveRoots, FarApartKeepTheirDigits) {
  expect_roots(from_roots({1e-9, 1, 1e9}), {1e-9, 1, 1e9}, 1e-13);
  expect_roots(from_roots({1e-14, 1e12, -3}, 1e-30), {1e-14, 1e12}, 1e-13);
}

TEST(PositiveRoots, ADoubleRootIsFoundOnce) {
  expect_roots(from_roots({2, 2, -1, -3}), {2}, 1e-7);
  expect_roots(from_roots({0.1, 0.1, 7}), {0.1, 7}, 1e-7);
}

TEST(PositiveRoots, ZeroCoefficientsAtEitherEndAreNoObstacle) {
  Polynomial p = from_roots({2, 5});
  p.degree = 4;  // c[3] = c[4] = 0
  expect_roots(p, {2, 5}, 1e-14);
  expect_roots(from_roots({0, 0, 3}), {3}, 1e-14);
  expect_roots(Polynomial{}, {}, 0);
}

TEST(PositiveRoots, ComplexPairsAreNotRoots) {
  Polynomial p;  // (t^2 + 1)(t - 2)(t - 3) = t^4 - 5 t^3 + 7 t^2 - 5 t + 6
  p.degree = 4;
  p.c = {6, -5, 7, -5, 1};
  expect_roots(p, {2, 3}, 1e-14);
}

TEST(PositiveRoots, OfRandomQuarticsAreAllFound) {
  std::mt19937 generator(4);
  std::uniform_real_distribution<double> exponent(-3, 3), sign(-1, 1);
  for (int k = 0; k < 2000; ++k) {
    std::vector<double> roots, positive;
    for (int i = 0; i < 4; ++i)
      roots.push_back(std::copysign(std::pow(10.0, exponent(generator)), sign(generator)));
    for (const double root : roots)
      if (root > 0) positive.push_back(root);
    std::sort(positive.begin(), positive.end());
    bool apart = true;
    for (std::size_t i = 1; i < positive.size(); ++i) apart &= positive[i] > 1.05 * positive[i - 1];
    if (apart) expect_roots(from_roots(roots), positive, 1e-8);
  }
}

}  // namespace
}  // namespace capstan::local
