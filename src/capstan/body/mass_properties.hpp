#pragma once
#include <Eigen/Core>
#include <array>
#include <span>

namespace capstan {

/// What a rigid body weighs and how it resists turning.
struct MassProperties {
  double mass = 0;                                    ///< kg
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();   ///< of mass, in the body's frame, m
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  ///< about the centre, axes of the body's frame, kg m^2
};

// Of uniform density (kg/m^3) about the origin of the solid's own frame; lengths in m. Each throws InputError
// unless its sizes and the density are positive.
MassProperties mass_of_sphere(double radius, double density);
MassProperties mass_of_box(const Eigen::Vector3d& half_size, double density);
MassProperties mass_of_cylinder(double radius, double half_height, double density);  ///< along z
/// Points up to `radius` from a segment of 2 half_length along z.
MassProperties mass_of_capsule(double radius, double half_length, double density);
/// A closed surface of triangles that run counterclockwise seen from outside: sums over the tetrahedra
/// between them and the origin, exact. Throws InputError unless the volume is positive.
MassProperties mass_of_mesh(std::span<const Eigen::Vector3d> vertices,
                            std::span<const std::array<int, 3>> triangles, double density);

/// One body out of two.
MassProperties operator+(const MassProperties& a, const MassProperties& b);

}  // namespace capstan
