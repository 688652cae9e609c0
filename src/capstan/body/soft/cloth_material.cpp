#include "capstan/body/soft/cloth_material.hpp"

#include <cmath>
#include <string>

#include "capstan/errors.hpp"

namespace capstan {
namespace {

void require_of_cloth(bool fine, const char* name, double value, const char* expected) {
  if (!fine || !std::isfinite(value))
    throw InputError(std::string("cloth: ") + name + " is " + std::to_string(value) + ", expected " +
                     expected);
}

}  // namespace

void check(const ClothMaterial& material) {
  require_of_cloth(material.stretch > 0, "stretch", material.stretch, "> 0");
  require_of_cloth(std::abs(material.poisson) < 1, "poisson", material.poisson, "> -1 and < 1");
  require_of_cloth(material.shear >= 0, "shear", material.shear, ">= 0");
  require_of_cloth(material.bending >= 0, "bending", material.bending, ">= 0");
  require_of_cloth(material.density > 0, "density", material.density, "> 0");
}

ClothMaterial sheet_of(double young, double poisson, double thickness, double volume_density) {
  ClothMaterial sheet;
  sheet.stretch = young * thickness;
  sheet.poisson = poisson;
  sheet.shear = sheet.stretch / (2 * (1 + poisson));
  sheet.bending = sheet.stretch * thickness * thickness / (12 * (1 - poisson * poisson));
  sheet.density = volume_density * thickness;
  check(sheet);
  return sheet;
}

}  // namespace capstan
