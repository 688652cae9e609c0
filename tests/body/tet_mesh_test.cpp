#include "capstan/body/soft/tet_mesh.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <set>

#include "body/tet_support.hpp"
#include "capstan/body/soft/lattice_mesh.hpp"
#include "capstan/errors.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;
using SurfaceTriangles = std::vector<std::array<int, 3>>;

TetMesh one_tet() {
  TetMesh mesh;
  mesh.x.resize(3, 4);
  mesh.x << 0, 1, 0, 0,  //
      0, 0, 1, 0,        //
      0, 0, 0, 1;
  mesh.tets = {{0, 1, 2, 3}};
  return mesh;
}

std::string mesh_refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(TetMesh, OneTetHasFourFacesThatLookOut) {
  const TetMesh mesh = one_tet();
  const SurfaceTriangles faces = surface_triangles(mesh);
  EXPECT_DOUBLE_EQ(volume(mesh), 1.0 / 6);
  ASSERT_EQ(faces.size(), 4u);
  expect_closed(faces);
  for (const std::array<int, 3>& face : faces) {
    const Vector3d out = mesh.x.col(face[0]) - Vector3d::Constant(0.25);
    EXPECT_GT(area_vector(mesh.x, face).dot(out), 0);
  }
}

TEST(TetMesh, FacesBetweenTetsAreNotSurface) {
  TetMesh mesh = one_tet();
  mesh.x.conservativeResize(3, 5);
  mesh.x.col(4) = Vector3d(1, 1, 1);
  mesh.tets.push_back({1, 2, 3, 4});
  check_mesh(mesh);
  const SurfaceTriangles faces = surface_triangles(mesh);
  EXPECT_EQ(faces.size(), 6u);
  expect_closed(faces);
  EXPECT_DOUBLE_EQ(enclosed_volume(mesh.x, faces), volume(mesh));
}

TEST(TetMesh, GivesEachNodeAQuarterOfItsTets) {
  TetMesh mesh = one_tet();
  mesh.x.conservativeResize(3, 6);
  mesh.x.col(4) = Vector3d(1, 1, 1);
  mesh.x.col(5) = Vector3d(7, 7, 7);  // of no tet
  mesh.tets.push_back({1, 2, 3, 4});  // twice as large as the first
  const Eigen::VectorXd mass = lumped_masses(mesh, 24);
  EXPECT_LT((mass - (Eigen::VectorXd(6) << 1, 3, 3, 3, 2, 0).finished()).norm(), 1e-14);
  EXPECT_EQ(mesh_refusal([&] { lumped_masses(mesh, 0); }), "solid: density is 0.000000, expected > 0");
}

TEST(TetMesh, NamesTheFirstBadTet) {
  const auto refusal = [](const std::array<int, 4>& tet) {
    TetMesh mesh = one_tet();
    mesh.tets.push_back(tet);
    return mesh_refusal([&] { check_mesh(mesh); });
  };
  EXPECT_EQ(refusal({3, 0, 2, 1}), "accepted");
  EXPECT_EQ(refusal({0, 1, 2, 4}), "solid: tet 1: node is 4, expected 0 to 3");
  EXPECT_EQ(refusal({-1, 1, 2, 3}), "solid: tet 1: node is -1, expected 0 to 3");
  EXPECT_EQ(refusal({0, 1, 2, 1}), "solid: tet 1: node 1 is there twice, expected four different nodes");
  EXPECT_EQ(refusal({0, 2, 1, 3}), "solid: tet 1: volume is -0.166667, expected > 0");
  TetMesh flat = one_tet();
  flat.x(2, 3) = 1e-13;  // positive, but no more than rounding
  EXPECT_EQ(mesh_refusal([&] { check_mesh(flat, "jelly"); }),
            "jelly: tet 0: volume is 1.66667e-14, expected > 0");
  flat.x(2, 3) = std::nan("");
  EXPECT_EQ(mesh_refusal([&] { check_mesh(flat); }), "solid: node 3 is not finite");
  EXPECT_EQ(mesh_refusal([] { check_mesh({}); }), "solid: has no tets, expected 1 or more");
}

TEST(BoxMesh, FillsTheBoxExactly) {
  for (const std::array<int, 3>& cells : {std::array{1, 1, 1}, std::array{2, 3, 4}, std::array{5, 1, 2}}) {
    const TetMesh mesh = box_mesh(Vector3d(0.5, 2, 3), cells);
    check_mesh(mesh);
    EXPECT_EQ(mesh.nodes(), (cells[0] + 1) * (cells[1] + 1) * (cells[2] + 1));
    EXPECT_EQ(mesh.tets.size(), 5u * cells[0] * cells[1] * cells[2]);
    EXPECT_NEAR(volume(mesh), 3, 1e-13);
    EXPECT_LT((mesh.x.rowwise().maxCoeff() - Vector3d(0.25, 1, 1.5)).norm(), 1e-15);
    EXPECT_LT((mesh.x.rowwise().minCoeff() + Vector3d(0.25, 1, 1.5)).norm(), 1e-15);
    // A face between cells that did not fit would be surface.
    const SurfaceTriangles faces = surface_triangles(mesh);
    expect_closed(faces);
    double area = 0;
    for (const std::array<int, 3>& face : faces) area += area_vector(mesh.x, face).norm();
    EXPECT_NEAR(area, 2 * (0.5 * 2 + 2 * 3 + 3 * 0.5), 1e-13);
    EXPECT_NEAR(enclosed_volume(mesh.x, faces), 3, 1e-13);
  }
}

TEST(BoxMesh, HasTheSymmetryOfTheBoxWithEvenCells) {
  const TetMesh mesh = box_mesh(Vector3d(1, 1, 1), {4, 2, 6});
  const auto tets_of = [&](const Eigen::Vector3d& mirror) {
    std::multiset<std::array<int, 3>> centres;  // of tets, in 1/48 of the edges: none are alike
    for (const std::array<int, 4>& tet : mesh.tets) {
      Vector3d c = Vector3d::Zero();
      for (const int node : tet) c += mirror.cwiseProduct(mesh.x.col(node));
      centres.insert({int(std::lround(c[0] * 48)), int(std::lround(c[1] * 48)), int(std::lround(c[2] * 48))});
    }
    return centres;
  };
  const auto as_is = tets_of(Vector3d(1, 1, 1));
  EXPECT_EQ(as_is, tets_of(Vector3d(-1, 1, 1)));
  EXPECT_EQ(as_is, tets_of(Vector3d(1, -1, 1)));
  EXPECT_EQ(as_is, tets_of(Vector3d(1, 1, -1)));
}

TEST(BallMesh, HasItsSurfaceOnTheSphere) {
  for (const int cells : {1, 2, 3, 5}) {
    const TetMesh mesh = ball_mesh(0.2, cells);
    check_mesh(mesh);
    EXPECT_EQ(mesh.nodes(), std::pow(2 * cells + 1, 3));
    const SurfaceTriangles faces = surface_triangles(mesh);
    EXPECT_EQ(int(faces.size()), 48 * cells * cells);
    expect_closed(faces);
    EXPECT_EQ(euler_characteristic(faces), 2);
    for (const std::array<int, 3>& face : faces)
      for (const int node : face) EXPECT_NEAR(mesh.x.col(node).norm(), 0.2, 1e-16);
  }
}

TEST(BallMesh, KeepsTetsInShapeHoweverFine) {
  for (const int cells : {2, 4, 8}) {
    const AngleRange angles = dihedral_angles(ball_mesh(1, cells));
    EXPECT_GT(angles.low, 29) << cells;
    EXPECT_LT(angles.high, 114) << cells;
  }
}

// Chords cut off h^2: the missing volume falls by four when cells are halved.
TEST(BallMesh, VolumeConvergesInSecondOrder) {
  const double V = 4 * pi / 3;
  const double coarse = V - volume(ball_mesh(1, 4)), fine = V - volume(ball_mesh(1, 8));
  EXPECT_NEAR(coarse / fine, 4, 0.05);
  EXPECT_LT(fine / V, 0.004);
}

double torus_distance(const Vector3d& p) { return std::hypot(std::hypot(p[0], p[1]) - 1, p[2]) - 0.4; }
const Eigen::AlignedBox3d kTorusBox(Vector3d(-1.4, -1.4, -0.4), Vector3d(1.4, 1.4, 0.4));

TEST(LatticeMesh, FillsATorus) {
  const double V = 2 * pi * pi * 0.16;
  double missing[2];
  for (int k = 0; k < 2; ++k) {
    const TetMesh mesh = lattice_mesh(torus_distance, kTorusBox, k == 0 ? 0.2 : 0.1);
    check_mesh(mesh);
    const SurfaceTriangles faces = surface_triangles(mesh);
    expect_closed(faces);
    EXPECT_EQ(euler_characteristic(faces), 0);
    EXPECT_NEAR(enclosed_volume(mesh.x, faces), volume(mesh), 1e-11);
    for (const std::array<int, 3>& face : faces)
      for (const int node : face) EXPECT_LT(std::abs(torus_distance(mesh.x.col(node))), 1e-10);
    missing[k] = V - volume(mesh);
  }
  EXPECT_LT(missing[1] / V, 0.006);
  EXPECT_NEAR(missing[0] / missing[1], 4, 0.5);  // chords again
}

TEST(LatticeMesh, FillsABoxThatFitsTheLatticeExactly) {
  const Vector3d half(1, 0.5, 0.25);
  const auto box = [&](const Vector3d& p) {
    const Vector3d q = p.cwiseAbs() - half;
    return q.cwiseMax(0).norm() + std::min(q.maxCoeff(), 0.0);
  };
  const TetMesh mesh = lattice_mesh(box, {-half, half}, 0.125);
  EXPECT_NEAR(volume(mesh), 8 * half.prod(), 1e-12);
  EXPECT_NEAR(dihedral_angles(mesh).low, 45, 1e-9);  // those of the lattice
  EXPECT_NEAR(dihedral_angles(mesh).high, 90, 1e-9);
}

// Waves of about the length of a cell: a surface as bad as can be, with parts thinner than a cell.
TEST(LatticeMesh, HasNoFlatTetsWhateverTheSolid) {
  std::mt19937 engine(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int seed = 0; seed < 3; ++seed) {
    Eigen::Matrix<double, 12, 3> k;
    Eigen::Matrix<double, 12, 1> phase;
    for (double& value : k.reshaped()) value = 60 * uniform(engine);
    for (double& value : phase) value = 4 * uniform(engine);
    const auto noise = [&](const Vector3d& p) {
      return std::max(0.05 * (k * p + phase).array().sin().sum(), p.cwiseAbs().maxCoeff() - 0.5);
    };
    const TetMesh mesh = lattice_mesh(noise, {Vector3d::Constant(-0.5), Vector3d::Constant(0.5)}, 0.06);
    check_mesh(mesh);
    const AngleRange angles = dihedral_angles(mesh);
    EXPECT_GT(angles.low, 9);
    EXPECT_LT(angles.high, 161);
    EXPECT_LT(angles.low, 20);  // it was bad indeed
    const SurfaceTriangles faces = surface_triangles(mesh);
    const auto edges = directed_edges(faces);
    for (const auto& [edge, count] : edges) EXPECT_EQ(edges.at({edge.second, edge.first}), count);
    EXPECT_NEAR(enclosed_volume(mesh.x, faces), volume(mesh), 1e-10);
  }
}

TEST(LatticeMesh, SaysWhatIsWrong) {
  const auto refusal = [](const SignedDistance& distance, const Eigen::AlignedBox3d& box, double cell) {
    return mesh_refusal([&] { lattice_mesh(distance, box, cell); });
  };
  EXPECT_EQ(refusal(torus_distance, kTorusBox, 0), "lattice: cell is 0.000000, expected > 0");
  EXPECT_EQ(refusal(torus_distance, kTorusBox, std::nan("")), "lattice: cell is nan, expected > 0");
  EXPECT_EQ(refusal(torus_distance, {Vector3d(0, 0, 0), Vector3d(1, 1, 0)}, 0.1),
            "lattice: box has an edge of 0.000000, expected > 0");
  EXPECT_EQ(refusal(torus_distance, kTorusBox, 1e-3),
            "lattice: cells is 6296665608.000000 in all, expected 1e7 or fewer");
  EXPECT_NE(refusal(torus_distance, kTorusBox, 1e-300).find("expected 1e7 or fewer"), std::string::npos);
  EXPECT_EQ(refusal([](const Vector3d&) { return 1.0; }, kTorusBox, 0.1),
            "lattice: nothing lies inside at a cell of 0.100000, expected a solid thicker than that");
}

TEST(MeshGenerators, SayWhatIsWrong) {
  EXPECT_EQ(mesh_refusal([] {
              box_mesh(Vector3d(1, -1, 1), {1, 1, 1});
            }),
            "box: size is -1.000000, expected > 0");
  EXPECT_EQ(mesh_refusal([] {
              box_mesh(Vector3d(1, 1, 1), {1, 0, 1});
            }),
            "box: cells is 0, expected 1 or more");
  EXPECT_EQ(mesh_refusal([] {
              box_mesh(Vector3d(1, 1, 1), {1000, 1000, 1000});
            }),
            "box: cells is 1000000000.000000 in all, expected 1e7 or fewer");
  EXPECT_EQ(mesh_refusal([] { ball_mesh(0, 1); }), "ball: radius is 0.000000, expected > 0");
  EXPECT_EQ(mesh_refusal([] { ball_mesh(1, 0); }), "ball: cells is 0, expected 1 or more");
  EXPECT_NE(mesh_refusal([] { ball_mesh(1, 2000000000); }), "accepted");
}

}  // namespace
}  // namespace capstan
