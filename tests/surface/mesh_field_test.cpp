#include "capstan/surface/mesh_field.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "capstan/errors.hpp"
#include "capstan/random.hpp"
#include "capstan/surface/direction_mean.hpp"

namespace capstan {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

Vector2d at_angle(double angle) { return {std::cos(angle), std::sin(angle)}; }

TEST(DirectionMean, TwoDirectionsMeetHalfwayWhateverTheirSigns) {
  for (const double sign : {1.0, -1.0}) {
    DirectionMean mean;
    mean.add(at_angle(0.2), 0.5);
    mean.add(sign * 3 * at_angle(0.8), 0.5);
    EXPECT_LT((mean.direction() - at_angle(0.5)).norm(), 1e-15);
  }
}

TEST(DirectionMean, IsTheMainEigenvectorOfTheSumOfSquares) {
  Random random(2);
  for (int k = 0; k < 100; ++k) {
    DirectionMean mean;
    Eigen::Matrix2d Q = Eigen::Matrix2d::Zero();
    for (int i = 0; i < 3; ++i) {
      const Vector2d s = at_angle(random.uniform(0, 6));
      const double weight = random.uniform(0, 1);
      mean.add(s, weight);
      Q += weight * s * s.transpose();
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> axes(Q);
    const Vector2d expected = axes.eigenvectors().col(1);
    EXPECT_NEAR(std::abs(mean.direction().dot(expected)), 1, 1e-12);
  }
}

TEST(DirectionMean, DirectionsThatCancelHaveNone) {
  DirectionMean mean;
  mean.add(at_angle(0.3), 0.5);
  mean.add(at_angle(0.3 + M_PI_2), 0.5);
  EXPECT_EQ(mean.direction(), Vector2d(Vector2d::Zero()));
  DirectionMean almost;  // |z| = 4e-4 of the weight
  almost.add(at_angle(0.3), 0.5002);
  almost.add(at_angle(0.3 + M_PI_2), 0.4998);
  EXPECT_EQ(almost.direction(), Vector2d(Vector2d::Zero()));
  DirectionMean nearly;  // |z| = 0.01 of the weight: outside of the dead zone
  nearly.add(at_angle(0.3), 0.505);
  nearly.add(at_angle(0.3 + M_PI_2), 0.495);
  EXPECT_LT((nearly.direction() - at_angle(0.3)).norm(), 1e-12);
}

TEST(DirectionMean, TheMajorityDecidesWhetherThereIsStructure) {
  DirectionMean few, most;
  few.add(at_angle(0.3), 0.4);
  few.add(Vector2d::Zero(), 0.6);
  EXPECT_EQ(few.direction(), Vector2d(Vector2d::Zero()));
  most.add(at_angle(0.3), 0.6);
  most.add(Vector2d::Zero(), 0.4);
  EXPECT_LT((most.direction() - at_angle(0.3)).norm(), 1e-15);
  EXPECT_EQ(DirectionMean().direction(), Vector2d(Vector2d::Zero()));
}

MeshSurface flat_triangle() { return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}}; }

TEST(VertexField, InterpolatesAcrossASignFlip) {
  const VertexField field(flat_triangle(), {{1, 0, 0}, {-1, 0, 0}, {2, 0, 0}});
  for (const Vector3d& w : {Vector3d(0.5, 0.5, 0), Vector3d(0.3, 0.3, 0.4), Vector3d(0, 0, 1)}) {
    const Vector3d s = field.at({{w[1], w[2], 0}, Vector3d::UnitZ(), 0, w});
    EXPECT_NEAR(std::abs(s[0]), 1, 1e-15);
    EXPECT_NEAR(s.tail(2).norm(), 0, 1e-15);
  }
}

TEST(VertexField, HasUnitLengthBetweenTheVerticesOfATwelveSidedSweep) {
  // One facet of a prism about z; concentric directions 30 degrees apart. The mean of the vectors would be
  // cos(15 degrees) = 0.966 long.
  const double step = M_PI / 6;
  const auto around = [&](int k) { return Vector3d(-std::sin(k * step), std::cos(k * step), 0); };
  const auto corner = [&](int k, double z) { return Vector3d(std::cos(k * step), std::sin(k * step), z); };
  const VertexField field(MeshSurface({corner(0, 0), corner(1, 0), corner(0, 1)}, {{0, 1, 2}}),
                          {around(0), -around(1), around(0)});
  const Vector3d halfway = 0.5 * (corner(0, 0) + corner(1, 0));
  const Vector3d normal(std::cos(step / 2), std::sin(step / 2), 0);
  const Vector3d s = field.at({halfway, normal, 0, Vector3d(0.5, 0.5, 0)});
  EXPECT_NEAR(s.norm(), 1, 1e-15);
  EXPECT_NEAR(std::abs(s.dot(Vector3d(-std::sin(step / 2), std::cos(step / 2), 0))), 1, 1e-15);
}

TEST(VertexField, FindsTheTriangleAndTheCoordinatesThatAreNotGiven) {
  const MeshSurface square({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 3}});
  Random random(4);
  for (int k = 0; k < 200; ++k) {
    const Vector3d p(random.uniform(-0.5, 1.5), random.uniform(-0.5, 1.5), random.uniform(-1, 1));
    const SurfacePlace place = square.located({p, Vector3d::UnitZ()});
    Vector3d found = Vector3d::Zero();
    for (int i = 0; i < 3; ++i) found += (*place.barycentric)[i] * square.corner(place.triangle, i);
    const Vector3d closest(std::clamp(p[0], 0.0, 1.0), std::clamp(p[1], 0.0, 1.0), 0);
    EXPECT_LT((found - closest).norm(), 1e-14);
    EXPECT_GE(place.barycentric->minCoeff(), 0);
    EXPECT_NEAR(place.barycentric->sum(), 1, 1e-14);
  }
  const SurfacePlace known = square.located({{0.25, 0.5, 0}, Vector3d::UnitZ(), 1});
  EXPECT_EQ(known.triangle, 1);
  EXPECT_LT((*known.barycentric - Vector3d(0.5, 0.25, 0.25)).norm(), 1e-15);
  // Who knows a faster way is asked, and only where the triangle is not given.
  const MeshSurface searched(square.vertices(), square.triangles(), [](const Vector3d&) { return 1; });
  EXPECT_EQ(searched.located({{0.75, 0.25, 0}, Vector3d::UnitZ()}).triangle, 1);
  EXPECT_EQ(searched.located({{0.75, 0.25, 0}, Vector3d::UnitZ(), 0}).triangle, 0);
}

TEST(VertexField, VerticesWithoutStructureAndDirectionsAlongTheNormalCountAsNone) {
  const VertexField field(flat_triangle(), {{1, 0, 0}, {0, 0, 0}, {1e-8, 1e-8, 1}});
  EXPECT_NEAR(std::abs(field.at({{0, 0, 0}, Vector3d::UnitZ(), 0, Vector3d(0.6, 0.2, 0.2)})[0]), 1, 1e-15);
  EXPECT_EQ(field.at({{0, 0, 0}, Vector3d::UnitZ(), 0, Vector3d(0.4, 0.3, 0.3)}), Vector3d(Vector3d::Zero()));
}

template <class Act>
std::string mesh_complaint(Act act) {
  try {
    act();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(VertexField, ComplaintsNameTheOffender) {
  EXPECT_EQ(mesh_complaint([] {
              MeshSurface({{0, 0, 0}}, {{0, 1, 2}});
            }),
            "structure: triangle 0 has vertex 1, expected 0 to 0");
  EXPECT_EQ(mesh_complaint([] {
              MeshSurface({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {{0, 1, 2}});
            }),
            "structure: triangle 0 has no area, expected three corners off a line");
  EXPECT_NE(mesh_complaint([] {
              MeshSurface({{0, 0, NAN}}, {{0, 0, 0}});
            }).find("vertex 0"),
            std::string::npos);
  EXPECT_NE(mesh_complaint([] { MeshSurface({}, {}); }), "");
  EXPECT_EQ(mesh_complaint([] {
              VertexField(flat_triangle(), {{1, 0, 0}});
            }),
            "structure: 1 directions, expected one for each of 3 vertices");
  EXPECT_NE(mesh_complaint([] {
              VertexField(flat_triangle(), {{1, 0, 0}, {0, 0, 0}, {INFINITY, 0, 0}});
            }),
            "");
  EXPECT_EQ(mesh_complaint([] {
              flat_triangle().located({{0, 0, 0}, {0, 0, 1}, 3});
            }),
            "structure: triangle 3, expected 0 to 0 or -1");
}

}  // namespace
}  // namespace capstan
