#pragma once

namespace capstan {

/// What a strand is made of, as the models need it. All SI. Bending stiffness 1 is about n1 (the first
/// material normal), 2 about n2. Defaults of nothing: every number is given by a material preset or by the
/// user (scene/material).
struct RodProperties {
  double radius = 0;            ///< m, of the section (the larger semi-axis of an ellipse)
  double linear_density = 0;    ///< rho S, kg/m
  double bending_1 = 0;         ///< E I1, N m^2
  double bending_2 = 0;         ///< E I2, N m^2
  double twisting = 0;          ///< G J, N m^2
  double stretching = 0;        ///< E S, N; super-helices are inextensible and do not read it
  double inertia_1 = 0;         ///< rho I1, kg m: rotational inertia per length about n1
  double inertia_2 = 0;         ///< rho I2, kg m
  double internal_damping = 0;  ///< s; Rayleigh: force -gamma K v
  double air_drag = 0;          ///< kg/(m s): force per length and velocity relative to the air
};

/// An elliptic section of semi-axes a1 (along n1) and a2 (along n2); E and G are independent.
RodProperties elliptic_rod(double a1, double a2, double density, double young, double shear);
RodProperties round_rod(double radius, double density, double young, double shear);

}  // namespace capstan
