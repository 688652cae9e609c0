#pragma once
#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "capstan/body/rod_properties.hpp"

namespace capstan {

/// What a strand is made of, as a person describes it. Stiffness and mass follow from section, density and
/// moduli unless they are given; fibres that slip on each other (a rope) are far softer in bending than their
/// section says, so all can be given.
struct Material {
  std::string name;
  Eigen::Vector2d semi_axes = Eigen::Vector2d::Zero();  ///< m, along n1 and n2; > 0
  std::optional<double> density;                        ///< kg/m^3, > 0
  std::optional<double> young;                          ///< Pa, > 0
  std::optional<double> shear;                          ///< Pa, > 0; independent of young
  std::optional<double> poisson;                        ///< shear = young / (2 (1 + poisson)), if given
  std::optional<double> linear_density;                 ///< kg/m, > 0
  std::optional<Eigen::Vector2d> bending;               ///< N m^2, about n1 and n2; > 0
  std::optional<double> twisting;                       ///< N m^2, > 0
  std::optional<double> stretching;                     ///< N, > 0
  double internal_damping = 1e-3;                       ///< s, >= 0
  double air_drag = 0;                                  ///< kg/(m s), >= 0
  double friction = 0.3;                                ///< Coulomb's mu against itself, >= 0
  std::optional<double> collision_radius;               ///< m, > 0; the larger semi-axis if not given
  Eigen::Vector3d natural_curvature = Eigen::Vector3d::Zero();  ///< 1/m: tau, kappa_1, kappa_2

  /// Names of the numbers that rod() cannot do without and that neither are given nor follow; empty: none.
  std::vector<std::string> lacking() const;
  /// Throws InputError if something is lacking.
  RodProperties rod() const;
  double contact_radius() const { return collision_radius.value_or(semi_axes.maxCoeff()); }
};

/// The built-in materials. Hair: measured moduli E 3.9 GPa and G 0.9 GPa (hair is transversely isotropic, so
/// they are not tied by a Poisson number), 80 um thick. The others are orders of magnitude to start from.
const std::vector<Material>& material_presets();
const Material* find_preset(const std::string& name);
std::vector<std::string> preset_names();

}  // namespace capstan
