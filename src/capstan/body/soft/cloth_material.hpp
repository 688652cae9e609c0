#pragma once

namespace capstan {

/// What cloth is made of: forces per width, so that no thickness is needed. MembraneCloth reads stretch,
/// poisson and bending; MassSpringCloth reads stretch, shear and bending. `density` is for node_masses().
struct ClothMaterial {
  double stretch = 0;  ///< N/m, > 0: Young's modulus times thickness. A strip of width w takes stretch w eps
  double poisson = 0;  ///< > -1, < 1: how much narrower a strip gets per strain
  double shear = 0;    ///< N/m, >= 0: shear modulus times thickness
  double bending = 0;  ///< D, N m, >= 0: a cylinder of curvature k stores D k^2/2 per area
  double density = 0;  ///< kg/m^2, > 0
};

/// Throws InputError naming the number that is out of range.
void check(const ClothMaterial& material);

/// A sheet of isotropic material (Pa, 1, m, kg/m^3): stretch E h, shear E h/(2 (1 + nu)),
/// bending E h^3/(12 (1 - nu^2)), density rho h. Woven cloth shears and bends more easily than this.
ClothMaterial sheet_of(double young, double poisson, double thickness, double volume_density);

}  // namespace capstan
