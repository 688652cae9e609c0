#include "capstan/solve/box_law.hpp"

#include <gtest/gtest.h>

#include "capstan/errors.hpp"
#include "capstan/solve/one_sided.hpp"
#include "random_problems.hpp"

namespace capstan::testing_support {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

Solution solve_boxes(const ContactProblem& problem, const std::vector<BoxContact>& boxes,
                     double tolerance = 1e-12) {
  return solve_box(problem, boxes, VectorXd::Zero(problem.b().size()), with("auto", tolerance));
}

/// A mass of 2 kg with this velocity, glued by k_N = 4 kg and k_T = 8 kg: W = 1/2, and alone a spring k bears
/// -k c/(1 + k/2) of a gap that grows at c.
struct GluedMass {
  Vector3d velocity;
  ContactLaw law = ContactLaw::coulomb(0.5);
  BoxContact box{0, 4, 8};

  Solution solved() const { return solve_boxes(problem(), {box}); }
  ContactProblem problem() const { return mass_point(2, velocity, law); }
};

TEST(BoxLaw, WhatIsPulledOffHangsOnItsSpring) {
  GluedMass mass{{3, 0, 0}};
  const Solution found = mass.solved();
  EXPECT_NEAR(found.r[0], -4 * 3 / 3.0, 1e-12);
  EXPECT_NEAR(found.u[0], 3 - 2, 1e-12);
  EXPECT_EQ(found.report.certificate.states[0], ContactState::open);
  mass.box.slip[0] = 0.6;  // a gap there already is
  EXPECT_NEAR(mass.solved().r[0], -4 * 3.6 / 3, 1e-12);
}

TEST(BoxLaw, WhatIsPressedTouches) {
  GluedMass mass{{-3, 0, 0}};
  Solution found = mass.solved();
  EXPECT_NEAR(found.r[0], 6, 1e-12);
  EXPECT_NEAR(found.u[0], 0, 1e-12);
  EXPECT_EQ(found.report.certificate.states[0], ContactState::stick);
  mass.box.slip[0] = 1;  // only the rest of a gap is closed
  found = mass.solved();
  EXPECT_NEAR(found.r[0], 4, 1e-12);
  EXPECT_NEAR(found.u[0], -1, 1e-12);
}

// Pressed by 6 N s, friction allows 3 along the surface.
TEST(BoxLaw, AlongTheSurfaceTheSpringHoldsWhereItBearsLessThanFriction) {
  GluedMass mass{{-3, 0.5, 0}};
  Solution found = mass.solved();
  EXPECT_NEAR(found.r[1], -8 * 0.5 / 5, 1e-12);
  EXPECT_NEAR(found.u[1], 0.1, 1e-12);
  EXPECT_EQ(found.report.certificate.states[0], ContactState::stick);
  mass.box.slip = {0, 0, 0.7};  // it opposes the slip there is, not only the velocity
  found = mass.solved();
  EXPECT_NEAR(found.r[1], -8 * 0.5 / 5, 1e-12);
  EXPECT_NEAR(found.r[2], -8 * 0.7 / 5, 1e-12);
}

TEST(BoxLaw, FrictionLimitsWhereItIsTighter) {
  const Solution found = GluedMass{{-3, 3.6, 4.8}}.solved();  // the spring alone would bear 8 * 6/5 = 9.6
  EXPECT_LT((found.r - Vector3d(6, -3 * 0.6, -3 * 0.8)).norm(), 1e-12);
  EXPECT_LT((found.u - Vector3d(0, 4.5 * 0.6, 4.5 * 0.8)).norm(), 1e-12);
  EXPECT_EQ(found.report.certificate.states[0], ContactState::slide);
  EXPECT_EQ(found.report.certificate.slide, 1);
  EXPECT_EQ(found.report.certificate.stick, 0);
}

TEST(BoxLaw, FrictionWithAGrainHasItsOwnAxesAndLimits) {
  GluedMass mass{{-3, 6, 6}};
  mass.law = ContactLaw::elliptic(0.5, 0.2);
  EXPECT_LT((mass.solved().r - Vector3d(6, -3, -1.2)).norm(), 1e-12);  // a rectangle: each axis apart
}

TEST(BoxLaw, WhatIsPulledIsHeldAlongTheSurfaceByItsSpringsAlone) {
  GluedMass mass{{3, 5, 0}};
  mass.box.pressed = false;
  EXPECT_LT((mass.solved().r - Vector3d(-4, -8, 0)).norm(), 1e-12);
  mass.box.pressed = true;  // to the letter: no pressure, no friction, no hold
  EXPECT_LT((mass.solved().r - Vector3d(-4, 0, 0)).norm(), 1e-12);
}

// W is diagonal, so that the residual of an axis is its distance from the answer. Without any impulse it is
// the 8 * 0.5/5 = 0.8 N s that the spring should bear.
TEST(BoxLaw, TheErrorOfATangentIsItsDistanceFromTheAnswer) {
  GluedMass held{{0, 0.3, 0.4}};
  held.box.pressed = false;
  const auto error_of = [](const GluedMass& mass, const Vector3d& r) {
    return certify_box(mass.problem(), std::vector{mass.box}, r, mass.problem().relative_velocity(r)).error;
  };
  EXPECT_NEAR(error_of(held, {0, -0.48, -0.64}), 0, 1e-14);
  EXPECT_NEAR(error_of(held, {0, -0.48, -0.54}), 0.1 / 0.8, 1e-14);
  const GluedMass sliding{{-3, 6, 0}};
  EXPECT_NEAR(error_of(sliding, {6, -3, 0}), 0, 1e-14);
  EXPECT_GT(error_of(sliding, {6, -3.1, 0}), 1e-3);
  EXPECT_NEAR(error_of(sliding, {6, -4, 0}) / error_of(sliding, {6, -3.5, 0}), 2, 1e-12);
  EXPECT_NEAR(error_of(sliding, {6, -3, 0.5}) / error_of(sliding, {6, -3.5, 0}), 1, 1e-12);
  EXPECT_EQ(error_of(held, {0, std::nan(""), 0}), std::numeric_limits<double>::infinity());
}

// Two tangents of one frame turned into each other: what moves is the same.
TEST(BoxLaw, TheTangentsOfTheFrameDoNotMatterWhereFrictionIsTheSameInAllDirections) {
  NormalRandom random(3);
  const Eigen::MatrixXd A = random.matrix(12, 12), W = A * A.transpose();
  const VectorXd b = pressing_velocity(random, 3, 4), zero = VectorXd::Zero(12);
  std::vector<BoxContact> boxes, turned_boxes;
  Eigen::MatrixXd Q = Eigen::MatrixXd::Identity(12, 12);
  for (int i = 0; i < 4; ++i) {
    const double angle = 0.3 + i;
    Q.block<2, 2>(3 * i + 1, 3 * i + 1) << std::cos(angle), -std::sin(angle), std::sin(angle),
        std::cos(angle);
    boxes.push_back({i, 0.2, 0.4, Vector3d(0, 0.1, 0.2)});
    turned_boxes.push_back(boxes.back());
    turned_boxes.back().slip = Q.block<3, 3>(3 * i, 3 * i).transpose() * boxes.back().slip;
  }
  const auto make = [&](const Eigen::MatrixXd& matrix, const VectorXd& velocity) {
    return ContactProblem::from_delassus(BlockMatrix::from_dense(matrix, 3), velocity, coulomb_laws(4, 0.3));
  };
  const Solution found = solve_boxes(make(W, b), boxes),
                 turned = solve_boxes(make(Q.transpose() * W * Q, Q.transpose() * b), turned_boxes);
  EXPECT_GT(found.report.certificate.slide, 0);
  EXPECT_LT((Q * turned.r - found.r).norm(), 1e-9 * found.r.norm());
}

/// Springs from weak to stiff at all contacts but every third.
std::vector<BoxContact> random_boxes(unsigned seed, int contacts, bool pressed) {
  NormalRandom random(seed);
  std::vector<BoxContact> boxes;
  for (int i = 0; i < contacts; ++i) {
    const double k = std::exp(random.normal());
    const Vector3d slip = 0.1 * random.vector(3);
    if (i % 3 != 0) boxes.push_back({i, k, 0.5 * k, slip, pressed || i % 3 == 1});
  }
  return boxes;
}

/// The same springs as tractions of the exact law, with this friction.
ContactProblem with_springs(const ContactProblem& problem, const std::vector<BoxContact>& boxes) {
  std::vector<ContactLaw> laws = problem.laws();
  for (const BoxContact& box : boxes) {
    laws[box.contact] = ContactLaw::frictionless();
    laws[box.contact].traction.head<3>() << box.k_N, box.k_T, box.k_T;
    laws[box.contact].shift.head<3>() = box.slip;
  }
  return problem.with_laws(laws);
}

// At full intensity the coupling of Raous, Cangemi and Cocou has no friction: springs alone, as what is
// pulled.
TEST(BoxLaw, SpringsAloneAreThoseOfTheExactLaw) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const ContactProblem problem = bodies_problem(seed, 3, 8, 10, coulomb_laws(10, 0.4));
    std::vector<BoxContact> boxes = random_boxes(seed, 10, false);
    for (BoxContact& box : boxes) box.pressed = false;
    const Solution box = solve_boxes(problem, boxes, 1e-11),
                   exact = solve_with("gs", with_springs(problem, boxes), 1e-11);
    ASSERT_EQ(box.report.status, Status::converged) << seed;
    ASSERT_EQ(exact.report.status, Status::converged) << seed;
    EXPECT_LT((box.v - exact.v).norm(), 1e-7 * exact.v.norm()) << seed;
    EXPECT_LT((box.r - exact.r).norm(), 1e-7 * exact.r.norm()) << seed;
  }
}

TEST(BoxLaw, WithoutSpringsAndFrictionItIsPlainContact) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const ContactProblem problem =
        bodies_problem(seed, 3, 8, 10, std::vector<ContactLaw>(10, ContactLaw::frictionless()));
    std::vector<BoxContact> boxes;
    for (int i = 0; i < 10; ++i) boxes.push_back({i, 0, 0});
    const Solution box = solve_boxes(problem, boxes, 1e-11), plain = solve_with("gs", problem, 1e-11);
    EXPECT_LT((box.r - plain.r).norm(), 1e-7 * plain.r.norm()) << seed;
  }
}

TEST(BoxLaw, ManyCoupledContactsAreSolvedAndAnythingElseIsNot) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const ContactProblem problem = bodies_problem(seed, 3, 60, 100, mixed_laws(3, 100));
    std::vector<ContactLaw> laws = problem.laws();
    const std::vector<BoxContact> boxes = random_boxes(seed, 100, seed % 2 == 0);
    for (const BoxContact& box : boxes) laws[box.contact] = ContactLaw::coulomb(0.4);
    const ContactProblem mixed = problem.with_laws(laws);
    const Solution found = solve_boxes(mixed, boxes, 1e-9);
    EXPECT_EQ(found.report.status, Status::converged) << seed;
    EXPECT_LE(found.report.certificate.error, 1e-9) << seed;
    for (const BoxContact& box : {boxes[5], boxes[40]})
      for (int a = 0; a < 3; ++a) {
        VectorXd r = found.r;
        r[3 * box.contact + a] += 1e-3 * found.r.cwiseAbs().maxCoeff();
        EXPECT_GT(certify_box(mixed, boxes, r, mixed.relative_velocity(r)).error, 1e-5) << seed << ' ' << a;
      }
    EXPECT_GE(certify_box(mixed, boxes, VectorXd::Zero(300), mixed.b()).error, 1 - 1e-12);
  }
}

// With the impulses of the boxes in b the others are a problem of their own.
TEST(BoxLaw, ContactsBesideThemObeyTheirOwnLaw) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const int n = 12;
    std::vector<ContactLaw> laws = mixed_laws(3, n);
    const std::vector<BoxContact> boxes = random_boxes(seed, n, true);
    for (const BoxContact& box : boxes) laws[box.contact] = ContactLaw::coulomb(0.3);
    laws[3] = laws[3].with_traction({0.5, 0.3, 0.3, 0}, {0.01, 0.02, 0.03, 0});  // exact adhesion among them
    const ContactProblem problem = delassus_problem(seed, 3, n, 40, laws);
    const Solution found = solve_boxes(problem, boxes, 1e-10);
    ASSERT_EQ(found.report.status, Status::converged) << seed;
    EXPECT_GT(found.report.local.solves, 0);
    VectorXd of_boxes = VectorXd::Zero(3 * n);
    for (const BoxContact& box : boxes)
      of_boxes.segment<3>(3 * box.contact) = found.r.segment<3>(3 * box.contact);
    const VectorXd b = problem.relative_velocity(of_boxes);
    std::vector<int> others;
    for (int i = 0; i < n; i += 3) others.push_back(i);
    VectorXd b_others(12), r_others(12);
    std::vector<ContactLaw> laws_others;
    for (int k = 0; k < 4; ++k) {
      b_others.segment<3>(3 * k) = b.segment<3>(3 * others[k]);
      r_others.segment<3>(3 * k) = found.r.segment<3>(3 * others[k]);
      laws_others.push_back(laws[others[k]]);
    }
    const auto rest = ContactProblem::from_delassus(problem.W().restricted(others), b_others, laws_others);
    EXPECT_LT(certify(rest, r_others).error, 1e-8) << seed;
  }
}

TEST(BoxLaw, MassesAndWGiveTheSame) {
  const ContactProblem problem = bodies_problem(5, 3, 8, 10, coulomb_laws(10, 0.4));
  const auto reduced = ContactProblem::from_delassus(
      assemble_delassus(problem.mass(), problem.H(), serial_executor()), problem.b(), problem.laws());
  const auto sparse = ContactProblem::from_sparse(3, problem.mass().matrix(), problem.f(),
                                                  problem.H().sparse(), problem.w(), problem.laws());
  const std::vector<BoxContact> boxes = random_boxes(5, 10, true);
  const Solution found = solve_boxes(problem, boxes);
  for (const ContactProblem& other : {reduced, sparse})
    EXPECT_LT((solve_boxes(other, boxes).r - found.r).norm(), 1e-9 * found.r.norm());
}

TEST(BoxLaw, UnitsChangeNeitherErrorNorSweeps) {
  const auto solved = [](double metre, double kilogram) {
    const ContactProblem problem = bodies_problem(7, 3, 20, 30, coulomb_laws(30, 0.4));
    std::vector<Eigen::MatrixXd> M;
    const Eigen::MatrixXd whole = problem.mass().matrix();
    for (int k = 0; k < 20; ++k) M.push_back(kilogram * whole.block(6 * k, 6 * k, 6, 6));
    const auto scaled =
        ContactProblem::from_mass(MassMatrix::block_diagonal(M), metre * kilogram * problem.f(), problem.H(),
                                  metre * problem.w(), problem.laws());
    std::vector<BoxContact> boxes = random_boxes(7, 30, true);
    for (BoxContact& box : boxes) {
      box.k_N *= kilogram;
      box.k_T *= kilogram;
      box.slip *= metre;
    }
    return solve_boxes(scaled, boxes, 1e-6).report;
  };
  const SolveReport report = solved(1, 1), other = solved(1000, 1e-3);
  ASSERT_EQ(report.status, Status::converged);
  EXPECT_GT(report.iterations, 0);
  EXPECT_EQ(report.iterations, other.iterations);
  EXPECT_NEAR(report.certificate.error, other.certificate.error, 1e-5 * report.certificate.error);
}

TEST(BoxLaw, AnExactGuessCostsNoSweepAndTooFewSweepsAreSaid) {
  const ContactProblem problem = bodies_problem(2, 3, 20, 30, coulomb_laws(30, 0.4));
  const std::vector<BoxContact> boxes = random_boxes(2, 30, true);
  const Solution found = solve_boxes(problem, boxes, 1e-8);
  EXPECT_GT(found.report.iterations, 0);
  EXPECT_EQ(solve_box(problem, boxes, found.r, with("auto", 1e-8)).report.iterations, 0);
  SolveOptions options = with("auto", 1e-8);
  options.max_iterations = 1;
  const Solution cut = solve_box(problem, boxes, VectorXd::Zero(90), options);
  EXPECT_EQ(cut.report.status, Status::iteration_limit);
  EXPECT_GT(cut.report.certificate.error, 1e-8);
}

TEST(BoxLaw, WhatNothingCanMoveIsNotSolvedAndNotNaN) {
  const auto problem = ContactProblem::from_delassus(BlockMatrix::from_dense(Eigen::Matrix3d::Zero(), 3),
                                                     Vector3d(-1, 2, 0), {ContactLaw::coulomb(0.5)});
  const Solution found = solve_boxes(problem, {{0, 1, 1}});
  EXPECT_EQ(found.report.status, Status::stalled);
  EXPECT_TRUE(found.r.allFinite());
}

TEST(BoxLaw, InDimensionFourItBearsNoTorque) {
  std::vector<ContactLaw> laws(10, ContactLaw::drilling(0.4, 0.4, 0.1));
  const ContactProblem problem = bodies_problem(4, 4, 8, 10, laws);
  const std::vector<BoxContact> boxes = random_boxes(4, 10, true);
  const Solution found = solve_boxes(problem, boxes, 1e-10);
  EXPECT_EQ(found.report.status, Status::converged);
  for (const BoxContact& box : boxes) EXPECT_EQ(found.r[4 * box.contact + 3], 0);
  VectorXd r = found.r;
  r[4 * boxes[0].contact + 3] = 0.1 * r.cwiseAbs().maxCoeff();
  EXPECT_GT(certify_box(problem, boxes, r, problem.relative_velocity(r)).error, 1e-3);
}

TEST(BoxLaw, GoesTogetherWithOneSidedFriction) {
  const ContactProblem problem = bodies_problem(6, 3, 8, 10, coulomb_laws(10, 0.4));
  const std::vector<BoxContact> boxes = random_boxes(6, 10, true);
  OrientedFriction scales;
  scales.mu_t = 0.1;
  scales.mu_t_back = 0.6;
  scales.mu_b = 0.3;
  const OneSidedSolution found =
      solve_one_sided(problem, {{0, scales}, {3, scales}, {6, scales}, {9, scales}}, VectorXd::Zero(30),
                      with("auto", 1e-9), boxes);
  EXPECT_TRUE(found.inconsistent.empty());
  EXPECT_EQ(found.solution.report.solver, "box_gs");
  const VectorXd& r = found.solution.r;
  EXPECT_LE(certify_box(found.problem, boxes, r, found.problem.relative_velocity(r)).error, 2e-9);
}

TEST(BoxLaw, WithoutBoxesItIsTheOrdinarySolve) {
  const ContactProblem problem = bodies_problem(8, 3, 8, 10, coulomb_laws(10, 0.4));
  EXPECT_EQ(solve_boxes(problem, {}, 1e-8).r, solve_with("auto", problem, 1e-8).r);
}

TEST(BoxLaw, RefusesBadInput) {
  const ContactProblem problem = bodies_problem(1, 3, 4, 5, coulomb_laws(5, 0.4));
  const auto refused = [&](const std::vector<BoxContact>& boxes) {
    EXPECT_THROW(solve_boxes(problem, boxes), InputError);
    EXPECT_THROW(certify_box(problem, boxes, VectorXd::Zero(15), problem.b()), InputError);
  };
  refused({{5, 1, 1}});
  refused({{-1, 1, 1}});
  refused({{0, -1, 1}});
  refused({{0, 1, std::nan("")}});
  refused({{0, 1, 1, Vector3d(0, INFINITY, 0)}});
  refused({{0, 1, 1}, {0, 1, 1}});
  const ContactProblem springs = with_springs(problem, {{0, 1, 1}});
  EXPECT_THROW(solve_boxes(springs, {{0, 1, 1}}), InputError);
  EXPECT_THROW(solve_boxes(bodies_problem(1, 2, 4, 5, coulomb_laws(5, 0.4)), {{0, 1, 1}}), InputError);
  EXPECT_THROW(solve_box(problem, std::vector<BoxContact>{{0, 1, 1}}, VectorXd::Zero(14)), InputError);
  SolveOptions options;
  options.measure = Measure::natural_map;
  EXPECT_THROW(solve_box(problem, std::vector<BoxContact>{{0, 1, 1}}, VectorXd::Zero(15), options),
               InputError);
}

}  // namespace
}  // namespace capstan::testing_support
