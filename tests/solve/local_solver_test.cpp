#include "capstan/solve/local/local_solver.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "capstan/errors.hpp"
#include "local_contacts.hpp"

namespace capstan::local {
namespace {

constexpr double kTolerance = 1e-10;
const LocalMethod kEnumerate{Method::enumerate, false};
const LocalMethod kHybrid{Method::mfb, true};

/// Coulomb's law in words, with friction coefficient 1, independent of any complementarity function.
template <int D>
bool obeys_coulomb(const Contact<D>& contact, const Vector<D>& x, double tolerance) {
  const Vector<D> y = contact.W * x + contact.b;
  const double x_T = x.template tail<D - 1>().norm(), y_T = y.template tail<D - 1>().norm();
  const bool open = x.norm() <= tolerance && y[0] >= -tolerance;
  const bool stick = x_T <= x[0] + tolerance && y.norm() <= tolerance;
  const bool opposed =
      (x_T * y.template tail<D - 1>() + y_T * x.template tail<D - 1>()).norm() <= tolerance * (1 + x_T + y_T);
  const bool slide = std::abs(y[0]) <= tolerance && std::abs(x_T - x[0]) <= tolerance && opposed;
  return open || stick || slide;
}

/// Fraction of random contacts solved by a method, each answer checked against the law.
template <int D>
double solved_fraction(LocalMethod method, int contacts) {
  ContactSource<D> source(100 + D);
  int solved = 0;
  for (int k = 0; k < contacts; ++k) {
    const Contact<D> contact = k % 4 == 3 ? source.draw_asymmetric(2e-3) : source.draw();
    Vector<D> x = contact.guess;
    const LocalResult result = solve_local<D>(method, contact.W, contact.b, x, kTolerance);
    if (!result.converged) continue;
    ++solved;
    EXPECT_TRUE(obeys_coulomb<D>(contact, x, 1e-6 * (1 + x.norm()))) << "contact " << k;
  }
  return double(solved) / contacts;
}

template <int D>
void expect_documented_fractions() {
  // From cold, with friction up to 10 and ellipses up to ratio 100; the numbers are those of
  // docs/local-solvers.md.
  const std::map<std::string, double> least{{"mfb", 0.96},      {"pac", 0.94},  {"dac", 0.96},  {"enum", 1},
                                            {"duriez08", 0.74}, {"prox", 0.74}, {"mfb+enum", 1}};
  for (const LocalMethodEntry& entry : local_methods()) {
    const double fraction = solved_fraction<D>(entry.method, 2300);
    SCOPED_TRACE(entry.name);
    if (entry.method.fail_safe) {
      EXPECT_EQ(fraction, 1.0);
    }
    if (const auto found = least.find(entry.name); found != least.end()) {
      EXPECT_GE(fraction, found->second);
    }
    if (D > 2 && !entry.exact) {
      EXPECT_LT(fraction, 0.3);
    }
  }
}

TEST(LocalSolver, EveryMethodReachesItsDocumentedFractionInDimension2) { expect_documented_fractions<2>(); }
TEST(LocalSolver, EveryMethodReachesItsDocumentedFractionInDimension3) { expect_documented_fractions<3>(); }
TEST(LocalSolver, EveryMethodReachesItsDocumentedFractionInDimension4) { expect_documented_fractions<4>(); }

/// No method may find what the enumeration says does not exist.
template <int D>
void expect_enumeration_is_complete(int rank, bool consistent) {
  ContactSource<D> source(200 + D);
  int none = 0;
  for (int k = 0; k < 1500; ++k) {
    const Contact<D> contact = consistent ? source.draw_consistent(rank) : source.draw(rank);
    Vector<D> x = contact.guess, other = contact.guess;
    const LocalResult result = solve_local<D>(kEnumerate, contact.W, contact.b, x, kTolerance);
    EXPECT_NE(result.converged, result.no_solution);
    none += result.no_solution;
    if (result.converged) {
      EXPECT_TRUE(obeys_coulomb<D>(contact, x, 1e-6 * (1 + x.norm()))) << "contact " << k;
    }
    for (const Method method : {Method::mfb, Method::pac, Method::duriez08}) {
      other = contact.guess;
      const bool solved = solve_local<D>({method, false}, contact.W, contact.b, other, kTolerance).converged;
      EXPECT_TRUE(result.converged || !solved) << "contact " << k << ", |x| = " << other.norm();
    }
  }
  EXPECT_LT(none, 0.3 * 1500);
}

TEST(LocalSolver, EnumerationMissesNoAnswerWhereWIsSingular) {
  expect_enumeration_is_complete<2>(1, false);
  expect_enumeration_is_complete<3>(2, false);
  expect_enumeration_is_complete<3>(1, false);
  expect_enumeration_is_complete<4>(3, false);
}

TEST(LocalSolver, EnumerationMissesNoAnswerWhereWIsSingularAndStickIsPossible) {
  expect_enumeration_is_complete<2>(1, true);
  expect_enumeration_is_complete<3>(2, true);
  expect_enumeration_is_complete<3>(1, true);
  expect_enumeration_is_complete<4>(2, true);
}

TEST(LocalSolver, EnumerationAndNewtonAgreeWhereTheAnswerIsUnique) {
  // W = diag plus a weak coupling: no two answers.
  ContactSource<3> source(5);
  for (int k = 0; k < 2000; ++k) {
    Contact<3> contact = source.draw();
    contact.W = Matrix<3>(contact.W.diagonal().asDiagonal()) * 0.9 + 0.1 * contact.W;
    Vector<3> x = contact.guess, newton = contact.guess;
    ASSERT_TRUE(solve_local<3>(kEnumerate, contact.W, contact.b, x, 1e-13).converged);
    if (!solve_local<3>({Method::mfb, false}, contact.W, contact.b, newton, 1e-13).converged) continue;
    EXPECT_LT((x - newton).norm(), 1e-7 * (1 + x.norm()));
  }
}

TEST(LocalSolver, ADecoupledContactSlidesAsComputedByHand) {
  // W = I, b = (-1, 3, 4): x_N = 1, the tangent wants (-3, -4) and gets length 1; y_T = 4/5 (3, 4).
  const Matrix<3> W = Matrix<3>::Identity();
  const Vector<3> b(-1, 3, 4);
  for (const LocalMethodEntry& entry : local_methods()) {
    if (!entry.exact) continue;
    Vector<3> x = Vector<3>::Zero();
    EXPECT_TRUE(solve_local<3>(entry.method, W, b, x, 1e-12).converged) << entry.name;
    EXPECT_LT((x - Vector<3>(1, -0.6, -0.8)).norm(), 1e-11) << entry.name;
  }
}

TEST(LocalSolver, ThePyramidClampsEachAxisByItself) {
  // The same contact on a square: both tangents at their bound, which is longer than the cone allows.
  Vector<3> x = Vector<3>::Zero();
  const LocalResult result =
      solve_local<3>({Method::four_sides, false}, Matrix<3>::Identity(), Vector<3>(-1, 3, 4), x, 1e-12);
  EXPECT_LT((x - Vector<3>(1, -1, -1)).norm(), 1e-14);
  EXPECT_FALSE(result.converged);
  EXPECT_GT(result.residual, 0.1);
}

TEST(LocalSolver, AContactAboutToOpenHasNoImpulse) {
  for (const double normal : {0.0, 1e-300, 1.0})
    for (const LocalMethodEntry& entry : local_methods()) {
      Vector<3> x = Vector<3>::Zero();
      EXPECT_TRUE(solve_local<3>(entry.method, Matrix<3>::Identity(), Vector<3>(normal, 1, 0), x, kTolerance)
                      .converged);
      EXPECT_EQ(x.norm(), 0) << entry.name;
    }
}

TEST(LocalSolver, ANormalThatNoImpulseMovesHasNoAnswer) {
  Matrix<3> W = Matrix<3>::Identity();
  W(0, 0) = 0;
  for (const LocalMethodEntry& entry : local_methods()) {
    Vector<3> x = Vector<3>::Zero();
    const LocalResult result = solve_local<3>(entry.method, W, Vector<3>(-1, 0.5, 0), x, kTolerance);
    EXPECT_FALSE(result.converged) << entry.name;
    EXPECT_TRUE(x.allFinite()) << entry.name;
    if (entry.method.fail_safe) {
      EXPECT_TRUE(result.no_solution) << entry.name;
    }
  }
}

TEST(LocalSolver, AJammedContactHasNoAnswer) {
  // W = a a^T with a = (1, 2): y = a (a.x) + b stays on a line of slope 2 through b = (-1, -1), which passes
  // the normal at y_T = 1 > 0; there x_T = -x_N, but a.x = x_N + 2 x_T = -x_N < 0 while y_N = 0 asks for a.x
  // = 1.
  Matrix<2> W;
  W << 1, 2, 2, 4;
  W *= 0.4;
  Vector<2> x = Vector<2>::Zero();
  const LocalResult result = solve_local<2>(kEnumerate, W, Vector<2>(-1, -1), x, kTolerance);
  EXPECT_FALSE(result.converged);
  EXPECT_TRUE(result.no_solution);
}

TEST(LocalSolver, AmongManySticksTheOneNearTheGuessIsTaken) {
  // Frictional axes that nothing moves: every x = (1, t) with |t| <= 1 sticks.
  Matrix<2> W = Matrix<2>::Zero();
  W(0, 0) = 2;
  W(1, 1) = 1e-300;  // not a dropped axis
  for (const double t : {-0.7, 0.0, 0.3}) {
    Vector<2> x(5, t);
    EXPECT_TRUE(solve_local<2>(kEnumerate, W, Vector<2>(-2, 0), x, kTolerance).converged);
    EXPECT_LT((x - Vector<2>(1, t)).norm(), 1e-14);
  }
}

TEST(LocalSolver, OfThreeSlidesTheOneNearestToTheGuessIsTaken) {
  // w_N = 1, Wb = diag(1, 0.01), w = 0.85 (1, 1), c = (1, 0.1): x_T(alpha) = -c/(Wb + alpha) turns from one
  // tangent to the other as alpha grows, and w.x_T passes |x_T| twice on the way; b_N = -0.003 adds the third
  // root.
  Contact<3> contact;
  contact.W << 1, 0.85, 0.85, 0.85, 1.7225, 0.7225, 0.85, 0.7225, 0.7325;
  contact.b << -0.003, 1 - 0.85 * 0.003, 0.1 - 0.85 * 0.003;
  std::vector<Vector<3>> answers;
  for (double alpha = 1e-3; alpha < 1e4; alpha *= 1.2) {
    const Vector<2> tangential(-1 / (1 + alpha), -0.1 / (0.01 + alpha));
    Vector<3> x(tangential.norm(), tangential[0], tangential[1]), again;
    ASSERT_TRUE(solve_local<3>(kEnumerate, contact.W, contact.b, x, 1e-12).converged);
    EXPECT_TRUE(obeys_coulomb<3>(contact, x, 1e-9));
    again = x;
    solve_local<3>(kEnumerate, contact.W, contact.b, again, 1e-12);
    EXPECT_LT((again - x).norm(), 1e-12);
    if (answers.empty() || (answers.back() - x).norm() > 1e-6) answers.push_back(x);
  }
  EXPECT_EQ(answers.size(), 3u);
}

template <int D>
void expect_frictionless(int dropped) {
  ContactSource<D> source(9);
  for (const LocalMethodEntry& entry : local_methods()) {
    Contact<D> contact = source.draw();
    contact.b[0] = -1;
    for (int a = D - dropped; a < D; ++a) {
      contact.W.row(a).setZero();
      contact.W.col(a).setZero();
      contact.b[a] = 0;
    }
    Vector<D> x = Vector<D>::Ones();
    const LocalResult result = solve_local<D>(entry.method, contact.W, contact.b, x, kTolerance);
    EXPECT_EQ(x.tail(dropped).norm(), 0) << entry.name;
    if (entry.method.fail_safe) {
      EXPECT_TRUE(result.converged && obeys_coulomb<D>(contact, x, 1e-7)) << entry.name;
    }
    if (dropped < D - 1) continue;
    EXPECT_TRUE(result.converged) << entry.name;
    EXPECT_NEAR(x[0], 1 / contact.W(0, 0), 1e-14 / contact.W(0, 0)) << entry.name;
  }
}

TEST(LocalSolver, DroppedAxesCarryNoImpulseAndTheRestIsSolved) {
  expect_frictionless<2>(1);
  expect_frictionless<3>(1);
  expect_frictionless<3>(2);
  expect_frictionless<4>(2);
  expect_frictionless<4>(3);
}

TEST(LocalSolver, AnUnknownNameIsRefusedWithTheNamesThereAre) {
  EXPECT_EQ(find_local_method("mfb+enum").method.first, Method::mfb);
  EXPECT_EQ(local_methods().size(), 15u);
  try {
    find_local_method("newton");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("mfb+enum"), std::string::npos);
  }
}

}  // namespace
}  // namespace capstan::local
