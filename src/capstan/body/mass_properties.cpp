#include "capstan/body/mass_properties.hpp"

#include <cmath>
#include <numbers>
#include <string>

#include "capstan/errors.hpp"

namespace capstan {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using std::numbers::pi;

void require_positive(const char* name, double value) {
  if (!(value > 0) || !std::isfinite(value))
    throw InputError(std::string("mass: ") + name + " is " + std::to_string(value) + ", expected > 0");
}

MassProperties around_z(double mass, double across, double along) {
  return {mass, Vector3d::Zero(), Vector3d(across, across, along).asDiagonal()};
}

/// What moving the centre by d adds to the inertia (Steiner).
Matrix3d inertia_of_point(double mass, const Vector3d& d) {
  return mass * (d.squaredNorm() * Matrix3d::Identity() - d * d.transpose());
}

}  // namespace

MassProperties mass_of_sphere(double radius, double density) {
  require_positive("radius", radius);
  require_positive("density", density);
  const double mass = density * 4.0 / 3.0 * pi * std::pow(radius, 3);
  const double moment = 0.4 * mass * radius * radius;
  return around_z(mass, moment, moment);
}

MassProperties mass_of_box(const Vector3d& half_size, double density) {
  require_positive("half size", half_size.minCoeff());
  require_positive("density", density);
  const double mass = density * 8 * half_size.prod();
  const Vector3d squared = half_size.cwiseAbs2();
  return {mass, Vector3d::Zero(),
          (mass / 3 * (Vector3d::Constant(squared.sum()) - squared)).eval().asDiagonal()};
}

MassProperties mass_of_cylinder(double radius, double half_height, double density) {
  require_positive("radius", radius);
  require_positive("half height", half_height);
  require_positive("density", density);
  const double mass = density * 2 * pi * radius * radius * half_height;
  return around_z(mass, mass * (radius * radius / 4 + half_height * half_height / 3),
                  mass * radius * radius / 2);
}

MassProperties mass_of_capsule(double radius, double half_length, double density) {
  const MassProperties rod = mass_of_cylinder(radius, half_length, density);
  const MassProperties ends = mass_of_sphere(radius, density);
  // The two half spheres were pulled apart by half_length each; the centre of one is 3/8 radius from its
  // face.
  const double apart = ends.mass * half_length * (half_length + 0.75 * radius);
  return around_z(rod.mass + ends.mass, rod.inertia(0, 0) + ends.inertia(0, 0) + apart,
                  rod.inertia(2, 2) + ends.inertia(2, 2));
}

MassProperties mass_of_mesh(std::span<const Vector3d> vertices, std::span<const std::array<int, 3>> triangles,
                            double density) {
  require_positive("density", density);
  double volume = 0;
  Vector3d first = Vector3d::Zero();   // integral of x
  Matrix3d second = Matrix3d::Zero();  // integral of x x^T
  for (const auto& [i, j, k] : triangles) {
    const Vector3d &a = vertices[i], &b = vertices[j], &c = vertices[k], sum = a + b + c;
    const double det = a.dot(b.cross(c));
    volume += det / 6;
    first += det / 24 * sum;
    second += det / 120 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
  }
  require_positive("volume of the mesh", volume);
  MassProperties result;
  result.mass = density * volume;
  result.centre = first / volume;
  const Matrix3d about_origin = density * (second.trace() * Matrix3d::Identity() - second);
  result.inertia = about_origin - inertia_of_point(result.mass, result.centre);
  return result;
}

MassProperties operator+(const MassProperties& a, const MassProperties& b) {
  MassProperties sum;
  sum.mass = a.mass + b.mass;
  sum.centre = (a.mass * a.centre + b.mass * b.centre) / sum.mass;
  sum.inertia = a.inertia + inertia_of_point(a.mass, a.centre - sum.centre) + b.inertia +
                inertia_of_point(b.mass, b.centre - sum.centre);
  return sum;
}

}  // namespace capstan
