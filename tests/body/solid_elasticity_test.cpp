#include "capstan/body/soft/solid_elasticity.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "body/solid_support.hpp"
#include "body/tet_support.hpp"
#include "capstan/body/rotation.hpp"
#include "capstan/errors.hpp"

namespace capstan {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using std::numbers::pi;

constexpr double kSolidYoung = 1e5, kSolidPoisson = 0.35;

Matrix3Xd turned_solid(const Matrix3Xd& x, const Vector3d& rotation) {
  return (rotation_exp(rotation) * x).colwise() + Vector3d(3, -2, 1);
}

/// The unit tet: F has the edges from node 0 as its columns.
TetMesh unit_tet() {
  TetMesh mesh;
  mesh.x = Matrix3Xd::Zero(3, 4);
  mesh.x.rightCols<3>().setIdentity();
  mesh.tets = {{0, 1, 2, 3}};
  return mesh;
}

TEST(SolidMaterial, SaysWhatIsWrong) {
  const TetMesh mesh = unit_tet();
  const auto refusal = [&](double young, double poisson) -> std::string {
    for (const SolidKind kind : kSolidKinds) try {
        make_solid(kind, mesh, young, poisson);
      } catch (const InputError& error) {
        if (kind == kSolidKinds.back()) return error.what();
      }
    return "accepted";
  };
  EXPECT_EQ(refusal(1, 0.499), "accepted");
  EXPECT_EQ(refusal(1, -0.99), "accepted");
  EXPECT_EQ(refusal(0, 0.3), "solid: young is 0.000000, expected > 0");
  EXPECT_EQ(refusal(std::numeric_limits<double>::infinity(), 0.3), "solid: young is inf, expected > 0");
  EXPECT_EQ(refusal(1, 0.5), "solid: poisson is 0.500000, expected above -1 and below 0.5");
  EXPECT_EQ(refusal(1, -1), "solid: poisson is -1.000000, expected above -1 and below 0.5");
  EXPECT_EQ(refusal(1, std::nan("")), "solid: poisson is nan, expected above -1 and below 0.5");
  TetMesh flat = mesh;
  flat.x(2, 3) = 0;
  EXPECT_THROW(CorotationalSolid(flat, {1, 0.3}), InputError);
}

// Elongation without change of width: stress E (1 - nu)/((1 + nu)(1 - 2 nu)) strain; shear: G = E/(2 (1 +
// nu)).
TEST(SolidMaterial, HasLamesConstants) {
  const LameConstants lame = lame_constants({100, 0.25});
  EXPECT_DOUBLE_EQ(lame.lambda + 2 * lame.mu, 120);
  EXPECT_DOUBLE_EQ(lame.mu, 40);
}

TEST(SolidElasticity, FeelsNothingOfRigidMotion) {
  const TetMesh mesh = irregular_cube(2);
  for (const SolidKind kind : kSolidKinds) {
    const auto solid = make_solid(kind, mesh, kSolidYoung, kSolidPoisson);
    for (const Vector3d& rotation :
         {Vector3d(0, 0, 0), Vector3d(0.1, 0.2, -0.3), Vector3d(0, pi, 0), Vector3d(2, 1, -1)}) {
      const Matrix3Xd x = turned_solid(mesh.x, rotation);
      EXPECT_LT(solid_forces(*solid, x).cwiseAbs().maxCoeff(), 1e-13 * kSolidYoung);
      EXPECT_NEAR(solid->energy(x), 0, 1e-13 * kSolidYoung);
      EXPECT_LT(solid->strain(x).maxCoeff(), 1e-13);
    }
    EXPECT_NEAR(solid->rest_volume(), volume(mesh), 1e-15);
    EXPECT_EQ(solid->tets(), 40);
  }
}

TEST(SolidElasticity, ForcesAreTheSlopeOfTheEnergy) {
  const TetMesh mesh = irregular_cube(2);
  for (const SolidKind kind : kSolidKinds)
    for (const double size : {0.05, 0.2, 1.0}) {  // the last one turns many tets inside out
      const auto solid = make_solid(kind, mesh, kSolidYoung, kSolidPoisson);
      const Matrix3Xd x =
          turned_solid(mesh.x, Vector3d(1, 2, -1)) + random_solid_moves(mesh.nodes(), size, 5);
      const Matrix3Xd f = solid_forces(*solid, x), direction = random_solid_moves(mesh.nodes(), 1, 6);
      const double h = 1e-6;
      for (int i = 0; i < f.size(); ++i) {
        Matrix3Xd plus = x, minus = x;
        plus.data()[i] += h;
        minus.data()[i] -= h;
        EXPECT_NEAR(f.data()[i], (solid->energy(minus) - solid->energy(plus)) / (2 * h), 1e-8 * f.norm())
            << i;
      }
      EXPECT_LT(f.rowwise().sum().norm(), 1e-13 * f.norm());  // no net force,
      Vector3d torque = Vector3d::Zero();                     // no net torque
      for (int i = 0; i < mesh.nodes(); ++i) torque += Vector3d(x.col(i)).cross(Vector3d(f.col(i)));
      EXPECT_LT(torque.norm(), 1e-12 * f.norm());
    }
}

TEST(SolidElasticity, StiffnessAtRestIsThatOfLinearElasticity) {
  const TetMesh mesh = irregular_cube(1);
  const MatrixXd linear =
      dense_solid_stiffness(CorotationalSolid(mesh, {kSolidYoung, kSolidPoisson}), mesh.x);
  for (const SolidKind kind : kSolidKinds) {
    const auto solid = make_solid(kind, mesh, kSolidYoung, kSolidPoisson);
    const MatrixXd K = dense_solid_stiffness(*solid, mesh.x);
    EXPECT_LT((K - differenced_solid_stiffness(*solid, mesh.x)).norm(), 1e-8 * K.norm());
    EXPECT_LT((K - linear).norm(), 1e-12 * K.norm());
    const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<MatrixXd>(K).eigenvalues();
    EXPECT_LT(values[5], 1e-12 * values[23]);  // rigid motions cost nothing,
    EXPECT_GT(values[6], 1e-3 * values[23]);   // all others do
  }
}

TEST(SolidElasticity, StiffnessIsSymmetricAndNeverNegative) {
  const TetMesh mesh = irregular_cube(1);
  for (const SolidKind kind : kSolidKinds)
    for (const double size : {0.0, 0.1, 0.5, 2.0})
      for (const double poisson : {-0.5, 0.0, 0.3, 0.49}) {
        const auto solid = make_solid(kind, mesh, kSolidYoung, poisson);
        const MatrixXd K = dense_solid_stiffness(
            *solid, 0.8 * mesh.x + random_solid_moves(mesh.nodes(), size, unsigned(10 * size)));
        EXPECT_LT((K - K.transpose()).norm(), 1e-14 * K.norm());
        const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<MatrixXd>(K).eigenvalues();
        EXPECT_GT(values[0], -1e-13 * values[23]) << size;
      }
}

TEST(SolidElasticity, StiffnessTurnsWithTheBody) {
  const TetMesh mesh = irregular_cube(1);
  const Matrix3Xd x = mesh.x + random_solid_moves(mesh.nodes(), 0.1, 3);
  const Matrix3d R = rotation_exp(Vector3d(1, -2, 2));
  const MatrixXd Rs = MatrixXd::NullaryExpr(
      24, 24, [&](Eigen::Index i, Eigen::Index j) { return i / 3 == j / 3 ? R(i % 3, j % 3) : 0.0; });
  for (const SolidKind kind : kSolidKinds) {
    const auto solid = make_solid(kind, mesh, kSolidYoung, kSolidPoisson);
    const MatrixXd K = dense_solid_stiffness(*solid, x);
    EXPECT_LT((dense_solid_stiffness(*solid, R * x) - Rs * K * Rs.transpose()).norm(), 1e-12 * K.norm());
  }
}

// Under tension nothing is projected away.
TEST(NeoHookeanSolid, StiffnessUnderTensionIsTheSecondDerivative) {
  const TetMesh mesh = irregular_cube(1);
  const NeoHookeanSolid solid(mesh, {kSolidYoung, kSolidPoisson});
  const Matrix3Xd x =
      turned_solid(1.05 * mesh.x + random_solid_moves(mesh.nodes(), 0.01, 4), Vector3d(1, 1, 0));
  const MatrixXd K = dense_solid_stiffness(solid, x);
  EXPECT_LT((K - differenced_solid_stiffness(solid, x)).norm(), 1e-8 * K.norm());
}

// Of the unit tet the blocks of nodes 1 to 3 are the second derivative by F: its negative eigenvalues are
// cut.
TEST(NeoHookeanSolid, StiffnessElsewhereIsItsPositivePart) {
  const TetMesh mesh = unit_tet();
  const NeoHookeanSolid solid(mesh, {kSolidYoung, 0.4});
  int negative = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    const Matrix3Xd x = 0.7 * mesh.x + random_solid_moves(4, 0.2 + 0.02 * seed, seed);
    const MatrixXd exact = differenced_solid_stiffness(solid, x).bottomRightCorner(9, 9);
    const Eigen::SelfAdjointEigenSolver<MatrixXd> solver((exact + exact.transpose()) / 2);
    negative += solver.eigenvalues()[0] < -1e-3 * exact.norm();
    const MatrixXd& Q = solver.eigenvectors();
    const MatrixXd positive = Q * solver.eigenvalues().cwiseMax(0).asDiagonal() * Q.transpose();
    EXPECT_LT((dense_solid_stiffness(solid, x).bottomRightCorner(9, 9) - positive).norm(),
              1e-7 * exact.norm())
        << seed;
  }
  EXPECT_GT(negative, 30);
}

// The same F in all tets, however irregular: the same stress, and no force on nodes inside.
TEST(SolidElasticity, PassesThePatchTest) {
  TetMesh mesh = box_mesh(Vector3d(1, 1, 1), {4, 4, 4});
  const auto inside = [&](int i) { return mesh.x.col(i).cwiseAbs().maxCoeff() < 0.49; };
  std::vector<int> inner;
  for (int i = 0; i < mesh.nodes(); ++i)
    if (inside(i)) inner.push_back(i);
  ASSERT_EQ(inner.size(), 27u);
  const Matrix3Xd moves = random_solid_moves(mesh.nodes(), 0.05, 8);
  for (const int i : inner) mesh.x.col(i) += moves.col(i);
  Matrix3d F;
  F << 1.2, 0.3, 0.1, -0.2, 0.9, 0.05, 0.1, 0.2, 1.1;
  for (const SolidKind kind : kSolidKinds) {
    const auto solid = make_solid(kind, mesh, kSolidYoung, kSolidPoisson);
    const Matrix3Xd f = solid_forces(*solid, F * mesh.x);
    for (const int i : inner) EXPECT_LT(f.col(i).norm(), 1e-13 * f.norm());
    EXPECT_GT(f.norm(), 0.01 * kSolidYoung);
    const Eigen::VectorXd strain = solid->strain(F * mesh.x);
    EXPECT_LT(strain.maxCoeff() - strain.minCoeff(), 1e-13);
  }
}

// x = (1 + e) X, y = (1 - nu e) Y, z = (1 - nu e) Z: no force on the sides, E e A through each section.
TEST(SolidElasticity, StretchesByYoungAndPoisson) {
  const TetMesh mesh = box_mesh(Vector3d(2, 0.5, 0.4), {8, 2, 2});
  const double e = 1e-5, A = 0.2;
  for (const SolidKind kind : kSolidKinds)
    for (const double nu : {-0.4, 0.0, 0.3, 0.48}) {
      const auto solid = make_solid(kind, mesh, kSolidYoung, nu);
      const Matrix3Xd x = Vector3d(1 + e, 1 - nu * e, 1 - nu * e).asDiagonal() * mesh.x;
      const Matrix3Xd f = solid_forces(*solid, x);
      double pull = 0;
      for (int i = 0; i < mesh.nodes(); ++i) {
        if (mesh.x(0, i) > 0.99) pull -= f(0, i);
        EXPECT_LT(f.col(i).tail<2>().norm(),
                  1e-4 * kSolidYoung * e * A);  // what is left is of second order in e
      }
      EXPECT_NEAR(pull, kSolidYoung * e * A, 1e-4 * kSolidYoung * e * A) << nu;
      EXPECT_NEAR(solid->energy(x), 0.5 * kSolidYoung * e * e * A * 2, 1e-4 * kSolidYoung * e * e * A);
      EXPECT_LT((solid->strain(x).array() - e).abs().maxCoeff(), 1e-12);
    }
}

TEST(SolidElasticity, StrainIsTheLargestStretchAveragedByVolume) {
  TetMesh mesh = unit_tet();
  mesh.x.conservativeResize(3, 5);
  mesh.x.col(4) = Vector3d(1, 1, 1);
  mesh.tets.push_back({1, 2, 3, 4});  // twice as large as the first
  const CorotationalSolid solid(mesh, {kSolidYoung, kSolidPoisson});
  Matrix3Xd x = mesh.x;
  EXPECT_NEAR(solid.strain(0.7 * x).minCoeff(), 0.3, 1e-14);
  EXPECT_NEAR(solid.strain(Vector3d(1.2, 0.9, 1).asDiagonal() * x).maxCoeff(), 0.2, 1e-14);
  x.col(0) -= 0.3 * Vector3d(1, 1, 1);  // stretches the first tet along (1, 1, 1): heights 1/sqrt(3) -> * 1.9
  const Eigen::VectorXd strain = solid.strain(x);
  EXPECT_NEAR(strain[0], 0.9, 1e-14);
  EXPECT_NEAR(strain[4], 0, 1e-14);
  EXPECT_NEAR(strain[2], 0.9 / 3, 1e-14);
}

struct TetBeam {
  double length = 1, height = 0.2;
  TetMesh mesh;
  FreeSolidNodes free;

  explicit TetBeam(int n)
      : mesh(box_mesh(Vector3d(length, height, height), {5 * n, n, n})),
        free(mesh.x, [&](const Vector3d& p) { return p[0] < -length / 2 + 1e-9; }) {}

  /// `force` on the end, evenly.
  Matrix3Xd load(const Vector3d& force) const {
    Matrix3Xd f = Matrix3Xd::Zero(3, mesh.nodes());
    for (const std::array<int, 3>& face : surface_triangles(mesh)) {
      const Vector3d area = area_vector(mesh.x, face);
      if (area.normalized()[0] < 0.99) continue;
      for (const int node : face) f.col(node) += area[0] / (3 * height * height) * force;
    }
    return f;
  }
  double sag(const Matrix3Xd& x) const {  ///< of the end
    double sum = 0;
    int count = 0;
    for (int i = 0; i < mesh.nodes(); ++i)
      if (mesh.x(0, i) > length / 2 - 1e-9) sum += mesh.x(2, i) - x(2, i), ++count;
    return sum / count;
  }
  /// Timoshenko: P L^3/(3 E I) + P L/(k G A), with Cowper's k = 10 (1 + nu)/(12 + 11 nu) of a rectangle.
  double theory(double P, double nu) const {
    const double A = height * height, I = A * A / 12, G = kSolidYoung / (2 * (1 + nu));
    return P * std::pow(length, 3) / (3 * kSolidYoung * I) +
           P * length / (10 * (1 + nu) / (12 + 11 * nu) * G * A);
  }
};

/// How much a beam of n cells across bends, relative to theory.
double beam_bending(int n, double nu) {
  const TetBeam beam(n);
  const double P = 1e-9 * kSolidYoung;  // bends by 2.5e-6 of its length
  Matrix3Xd x = beam.mesh.x;
  const CorotationalSolid solid(beam.mesh, {kSolidYoung, nu});
  // One solve: at rest the stiffness is exact, and the load is small.
  EXPECT_LT(settle_solid(solid, beam.free, beam.load(Vector3d(0, 0, -P)), x, 2), 0.01);
  return beam.sag(x) / beam.theory(P, nu);
}

// Linear tets are too stiff: 2, 4, 8 cells across bend by 0.64, 0.88, 0.97 of what they should, an error that
// falls with the square of their size.
TEST(SolidElasticity, CantileverConvergesToBeamTheory) {
  const double coarse = 1 - beam_bending(2, 0), middle = 1 - beam_bending(4, 0),
               fine = 1 - beam_bending(8, 0);
  EXPECT_LT(fine, 0.04);
  EXPECT_GT(fine, 0);
  EXPECT_NEAR(middle, 0.123, 0.005);
  EXPECT_GT(std::log2(coarse / middle), 1.4);
  EXPECT_GT(std::log2(middle / fine), 1.8);
  // 1.5 % of what is missing here is no error: the clamp holds the section, beam theory lets it contract.
  EXPECT_NEAR(beam_bending(8, 0.3), 0.955, 0.005);
}

// Bends by a third of its length.
TEST(SolidElasticity, BendsTheSameHoweverTheBeamIsTurned) {
  const TetBeam beam(2);
  const Matrix3Xd load = beam.load(Vector3d(0, 0, -1e-3 * kSolidYoung));
  for (const SolidKind kind : kSolidKinds) {
    const auto solid = make_solid(kind, beam.mesh, kSolidYoung, 0.3);
    Matrix3Xd straight = beam.mesh.x;
    EXPECT_LT(settle_solid(*solid, beam.free, load, straight), 1e-10);
    EXPECT_GT(beam.sag(straight), 0.25);
    for (const Vector3d& turn : {Vector3d(0, pi / 2, 0), Vector3d(0, 0, pi), Vector3d(2, -1, 0.5)}) {
      const Matrix3d R = rotation_exp(turn);
      Matrix3Xd x = R * beam.mesh.x;
      EXPECT_LT(settle_solid(*solid, beam.free, R * load, x), 1e-10);
      EXPECT_LT((x - R * straight).cwiseAbs().maxCoeff(), 1e-9);
    }
  }
}

TEST(SolidElasticity, TetsTurnedInsideOutRecover) {
  const TetMesh mesh = irregular_cube(2);
  for (const SolidKind kind : kSolidKinds) {
    const auto solid = make_solid(kind, mesh, kSolidYoung, kSolidPoisson);
    TetMesh moved = mesh;
    moved.x.col(0) += Vector3d(0.8, 0.8, 0.8);  // a corner, through the centre of the cube
    moved.x.col(13) += Vector3d(0, 0, 0.9);     // the centre, out of the top
    int inverted = 0;
    for (int t = 0; t < solid->tets(); ++t) inverted += tet_volume(moved, t) < 0;
    EXPECT_GT(inverted, 5);
    const double before = solid->energy(moved.x);
    creep_solid(*solid, 0.01 * kSolidYoung, 100, moved.x);
    check_mesh(moved);
    EXPECT_LT(solid->energy(moved.x), 1e-12 * before);
    EXPECT_LT(solid->strain(moved.x).maxCoeff(), 1e-6);
  }
}

TEST(SolidElasticity, IsFiniteWhereABodyIsFlatOrAPoint) {
  const TetMesh mesh = irregular_cube(1);
  for (const SolidKind kind : kSolidKinds) {
    const auto solid = make_solid(kind, mesh, kSolidYoung, kSolidPoisson);
    for (const Vector3d& squeezed :
         {Vector3d(1, 1, 0), Vector3d(1, 0, 0), Vector3d(0, 0, 0), Vector3d(1, 1, -1)}) {
      const Matrix3Xd x = squeezed.asDiagonal() * mesh.x;
      EXPECT_TRUE(std::isfinite(solid->energy(x)));
      EXPECT_GT(solid->energy(x), 0.1 * kSolidYoung);
      EXPECT_TRUE(solid_forces(*solid, x).allFinite());
      EXPECT_TRUE(dense_solid_stiffness(*solid, x).allFinite());
      EXPECT_TRUE(solid->strain(x).allFinite());
      EXPECT_GE(solid->strain(x).minCoeff(), 0.99);
    }
  }
}

TEST(CorotationalSolid, StiffnessChangesByTheAngleOfTheTetsThatTurn) {
  const TetMesh mesh = irregular_cube(2);
  const CorotationalSolid solid(mesh, {kSolidYoung, kSolidPoisson});
  const Matrix3Xd x = mesh.x + random_solid_moves(mesh.nodes(), 0.05, 2);
  for (const double angle : {0.0, 1e-7, 0.02, 1.0, 3.0}) {
    const Matrix3Xd moved = turned_solid(x, angle * Vector3d(0.6, 0, -0.8));
    EXPECT_NEAR(solid.stiffness_change(moved, x), angle, 1e-13);
    EXPECT_NEAR(solid.stiffness_change(x, moved), angle, 1e-13);
  }
  EXPECT_LT(solid.stiffness_change(Vector3d(1.1, 0.9, 1.2).asDiagonal() * mesh.x, mesh.x), 1e-13);
  // The stiffness itself changes by about as much, as a part of itself.
  const Matrix3Xd bent = turned_solid(x, Vector3d(0, 0.02, 0));
  const MatrixXd K = dense_solid_stiffness(solid, x);
  EXPECT_NEAR((dense_solid_stiffness(solid, bent) - K).norm() / K.norm(), 0.02, 0.01);
  EXPECT_EQ(NeoHookeanSolid(mesh, {kSolidYoung, kSolidPoisson}).stiffness_change(x, x),
            std::numeric_limits<double>::infinity());
}

TEST(CorotationalSolid, OneTetThatTurnsIsEnough) {
  TetMesh mesh = unit_tet();
  mesh.x.conservativeResize(3, 8);
  mesh.x.rightCols<4>() = mesh.x.leftCols<4>().colwise() + Vector3d(5, 0, 0);
  mesh.tets.push_back({4, 5, 6, 7});
  const CorotationalSolid solid(mesh, {kSolidYoung, kSolidPoisson});
  Matrix3Xd x = mesh.x;
  x.rightCols<4>() = rotation_exp(Vector3d(0, 0.3, 0)) * mesh.x.rightCols<4>();
  EXPECT_NEAR(solid.stiffness_change(x, mesh.x), 0.3, 1e-14);
}

}  // namespace
}  // namespace capstan
