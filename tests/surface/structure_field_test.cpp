#include "capstan/surface/structure_field.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <functional>

#include "capstan/errors.hpp"
#include "capstan/random.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

Vector3d at(const StructureField& field, const Vector3d& position) {
  return field.at({position, Vector3d::UnitZ()});
}

std::string complaint(const std::function<void()>& act) {
  try {
    act();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ConstantField, IsTheSameEverywhereAndOfUnitLength) {
  const ConstantField field({3, 0, 4});
  EXPECT_LT((at(field, {1, 2, 3}) - Vector3d(0.6, 0, 0.8)).norm(), 1e-15);
  EXPECT_EQ(at(field, {-5, 0, 0}), at(field, {1, 2, 3}));
  EXPECT_EQ(at(ConstantField(Vector3d::Zero()), {1, 2, 3}), Vector3d(Vector3d::Zero()));
  EXPECT_EQ(complaint([] {
              ConstantField({0, NAN, 1});
            }),
            "structure: direction = (0, nan, 1), expected finite numbers");
}

TEST(SweepField, NamedDirectionsOfACylinder) {
  // About the y axis through (1, 0, 0); the place is 2 m along z from it, 5 m up.
  const Vector3d y = Vector3d::UnitY(), centre(1, 0, 0), place(1, 5, 2);
  EXPECT_LT((at(SweepField::axial(3 * y, centre), place) - y).norm(), 1e-15);
  EXPECT_LT((at(SweepField::radial(y, centre), place) - Vector3d::UnitZ()).norm(), 1e-15);
  EXPECT_LT((at(SweepField::concentric(y, centre), place) - Vector3d::UnitX()).norm(), 1e-15);  // y x z
}

TEST(SweepField, ADirectionAtAReferenceTurnsWithThePlace) {
  // Down a funnel about y: (1, 1, 0) at a reference on x, turned by the rotation that turns the places.
  Random random(1);
  const Vector3d centre(0.2, -1, 0.4);
  const SweepField field(Vector3d::UnitY(), centre, centre + Vector3d(2, 7, 0), {1, 1, 0.5});
  const Vector3d direction = Vector3d(1, 1, 0.5).normalized();
  for (int k = 0; k < 50; ++k) {
    const Eigen::AngleAxisd turn(random.uniform(-3, 3), Vector3d::UnitY());
    const Vector3d place = centre + turn * Vector3d(random.uniform(0.1, 9), random.uniform(-9, 9), 0);
    EXPECT_LT((at(field, place) - turn * direction).norm(), 1e-14);
  }
}

TEST(SweepField, OnTheAxisOnlyTheAxialFieldHasADirection) {
  const Vector3d z = Vector3d::UnitZ(), centre(1, 2, 3);
  EXPECT_EQ(at(SweepField::radial(z, centre), {1, 2, 8}), Vector3d(Vector3d::Zero()));
  EXPECT_EQ(at(SweepField::concentric(z, centre), {1, 2, 3}), Vector3d(Vector3d::Zero()));
  EXPECT_EQ(at(SweepField::axial(z, centre), {1, 2, 3}), z);
  EXPECT_EQ(at(SweepField(z, centre, {5, 2, 3}, z), {1, 2, 3}), z);
  EXPECT_EQ(at(SweepField(z, centre, {5, 2, 3}, {1, 0, 1}), {1, 2, 3}), Vector3d(Vector3d::Zero()));
}

TEST(SweepField, ComplaintsNameTheValue) {
  const Vector3d z = Vector3d::UnitZ(), zero = Vector3d::Zero();
  EXPECT_EQ(complaint([&] { SweepField::axial(zero, zero); }),
            "structure: axis = (0, 0, 0), expected a vector that is not zero");
  EXPECT_EQ(complaint([&] {
              SweepField(z, zero, {0, 0, 4}, z);
            }),
            "structure: reference = (0, 0, 4), expected a point off the axis");
  EXPECT_NE(complaint([&] { SweepField(z, zero, {1, 0, 4}, zero); }), "");
  EXPECT_NE(complaint([&] { SweepField(z, {INFINITY, 0, 0}, {1, 0, 4}, z); }), "");
}

/// Heading in the plane z = 0 with x as the way down.
double heading_at(const StructureField& field, double x, double y) {
  const Vector3d s = at(field, {x, y, 0});
  EXPECT_NEAR(s.norm(), 1, 1e-15);
  return std::atan2(s[1], s[0]);
}

TEST(SteeringField, AChannelLeadsToTheCentreLineAndASpreadAway) {
  const SteeringField channel = SteeringField::channel({}, 0.6, 0.5),
                      spread = SteeringField::spread({}, 0.6, 0.5);
  for (const double x : {-3.0, 0.0, 2.0}) {
    EXPECT_NEAR(heading_at(channel, x, 1), -0.6, 1e-15);
    EXPECT_NEAR(heading_at(channel, x, -1), 0.6, 1e-15);
    EXPECT_NEAR(heading_at(channel, x, 0.25), -0.3, 1e-15);
    EXPECT_NEAR(heading_at(channel, x, 0), 0, 1e-15);
    EXPECT_NEAR(heading_at(channel, x, 0.5), -0.6, 1e-15);
    EXPECT_NEAR(heading_at(spread, x, 1), 0.6, 1e-15);
    EXPECT_NEAR(heading_at(spread, x, -0.25), -0.3, 1e-15);
  }
  const SteeringField sharp = SteeringField::channel({}, 0.6, 0);
  EXPECT_NEAR(heading_at(sharp, 0, 1e-9), -0.6, 1e-15);
  EXPECT_NEAR(heading_at(sharp, 0, -1e-9), 0.6, 1e-15);
  EXPECT_EQ(heading_at(sharp, 0, 0), 0);
}

TEST(SteeringField, ASlalomAlternatesEveryHalfWavelength) {
  const SteeringField slalom = SteeringField::slalom({}, 0.5, 4);
  for (const double y : {-1.0, 0.0, 3.0}) {
    EXPECT_NEAR(heading_at(slalom, 0, y), 0.5, 1e-15);
    EXPECT_NEAR(heading_at(slalom, 1, y), 0, 1e-15);
    EXPECT_NEAR(heading_at(slalom, 2, y), -0.5, 1e-15);
    EXPECT_NEAR(heading_at(slalom, 4, y), 0.5, 1e-15);
    EXPECT_NEAR(heading_at(slalom, 0.5, y), 0.5 * std::sqrt(0.5), 1e-15);
  }
}

TEST(SteeringField, LiesInThePlaneOfItsAxes) {
  PlaneAxes axes;
  axes.origin = {1, 1, 1};
  axes.x = {0, 0, -2};
  axes.y = {0, 3, 1};  // made perpendicular: (0, 1, 0)
  const Vector3d s = at(SteeringField::channel(axes, 0.5, 0), {7, 1.5, -4});
  EXPECT_LT((s - Vector3d(0, -std::sin(0.5), -std::cos(0.5))).norm(), 1e-15);
}

TEST(SteeringField, ComplaintsNameTheValue) {
  EXPECT_EQ(complaint([] { SteeringField::channel({}, -0.1, 1); }),
            "structure: angle = -0.1, expected 0 to pi/2");
  EXPECT_NE(complaint([] { SteeringField::spread({}, 1.6, 1); }), "");
  EXPECT_EQ(complaint([] { SteeringField::channel({}, 0.1, -1); }),
            "structure: width = -1, expected a finite number >= 0");
  EXPECT_EQ(complaint([] { SteeringField::slalom({}, 0.1, 0); }),
            "structure: wavelength = 0, expected a finite number > 0");
  PlaneAxes axes;
  axes.y = {2, 0, 0};
  EXPECT_NE(complaint([&] { SteeringField::slalom(axes, 0.1, 1); }).find("y axis"), std::string::npos);
}

}  // namespace
}  // namespace capstan
