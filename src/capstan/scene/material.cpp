#include "capstan/scene/material.hpp"

#include <cmath>
#include <numbers>

#include "capstan/errors.hpp"

namespace capstan {
namespace {

Material solid(const std::string& name, double radius, double density, double young, double friction) {
  Material material;
  material.name = name;
  material.semi_axes = Eigen::Vector2d::Constant(radius);
  material.density = density;
  material.young = young;
  material.friction = friction;
  return material;
}

Material with_poisson(Material material, double poisson) {
  material.poisson = poisson;
  return material;
}

/// Ratio of major to minor axis at a mean radius of 40 um; the curl is a helix of curvature and torsion.
Material hair(const std::string& name, double ellipticity, double curvature, double torsion) {
  Material material = solid(name, 40e-6, 1310, 3.89e9, 0.3);
  const double root = std::sqrt(ellipticity);
  material.semi_axes = Eigen::Vector2d(40e-6 * root, 40e-6 / root);
  material.shear = 0.89e9;
  material.internal_damping = 5e-3;
  // A lone hair at 1 m/s: rho U d C_D / 2 with C_D = 4 at Re = 5 gives 2e-4; hairs of a wisp shield each
  // other, and a tenth is our choice.
  material.air_drag = 2e-5;
  material.natural_curvature = Eigen::Vector3d(torsion, 0, curvature);
  return material;
}

Material rope() {
  Material material;
  material.name = "rope";
  material.semi_axes = Eigen::Vector2d::Constant(5e-3);
  material.linear_density = 0.065;
  material.bending = Eigen::Vector2d::Constant(5e-3);  // fibres slip: far below the solid section's
  material.twisting = 3e-3;
  material.stretching = 2e4;
  material.internal_damping = 1e-2;
  material.friction = 0.3;
  return material;
}

Material thread() {
  Material material = solid("cotton_thread", 0.15e-3, 900, 1e9, 0.3);
  material.bending = Eigen::Vector2d::Constant(5e-9);
  material.twisting = 3e-9;
  return material;
}

Material silk_suture() {
  Material material = solid("suture_silk", 0.11e-3, 1250, 8e9, 0.3);
  // Braided: bends at about a tenth of what the tensile modulus says.
  const double solid_bending = 8e9 * std::numbers::pi / 4 * std::pow(0.11e-3, 4);
  material.bending = Eigen::Vector2d::Constant(0.1 * solid_bending);
  material.twisting = 0.1 * solid_bending;
  return material;
}

}  // namespace

std::vector<std::string> Material::lacking() const {
  std::vector<std::string> names;
  if (!(semi_axes.minCoeff() > 0)) names.push_back("radius");
  if (!density && !linear_density) names.push_back("density");
  if (!young && !(bending && stretching)) names.push_back("young");
  if (!shear && !twisting && !(poisson && young)) names.push_back("shear");
  return names;
}

RodProperties Material::rod() const {
  if (const auto names = lacking(); !names.empty())
    throw InputError("material '" + name + "': " + names.front() + " is missing");
  const double area = std::numbers::pi * semi_axes.prod();
  const double rho = linear_density ? *linear_density / area : *density;
  const double E = young.value_or(0);
  const double G = poisson ? E / (2 * (1 + *poisson)) : shear.value_or(0);
  RodProperties result = elliptic_rod(semi_axes[0], semi_axes[1], rho, E, G);
  if (bending) result.bending_1 = (*bending)[0];
  if (bending) result.bending_2 = (*bending)[1];
  if (twisting) result.twisting = *twisting;
  if (stretching) result.stretching = *stretching;
  result.internal_damping = internal_damping;
  result.air_drag = air_drag;
  return result;
}

const std::vector<Material>& material_presets() {
  static const std::vector<Material> presets{
      hair("hair_straight", 1.2, 0, 0),
      hair("hair_wavy", 1.4, 30, 50),
      hair("hair_curly", 1.8, 150, 60),
      with_poisson(solid("spaghetti", 0.85e-3, 1500, 5e9, 0.3), 0.35),
      with_poisson(solid("nylon", 0.2e-3, 1140, 2.5e9, 0.2), 0.39),
      with_poisson(solid("suture", 0.11e-3, 905, 2.5e9, 0.2), 0.42),
      silk_suture(),
      rope(),
      with_poisson(solid("elastomer", 1.55e-3, 1180, 1.25e6, 0.4), 0.5),
      with_poisson(solid("nitinol", 0.4e-3, 6450, 67e9, 0.1), 0.33),
      thread(),
  };
  return presets;
}

const Material* find_preset(const std::string& name) {
  for (const Material& preset : material_presets())
    if (preset.name == name) return &preset;
  return nullptr;
}

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const Material& preset : material_presets()) names.push_back(preset.name);
  return names;
}

}  // namespace capstan
