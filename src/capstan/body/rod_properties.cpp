#include "capstan/body/rod_properties.hpp"

#include <algorithm>
#include <numbers>

namespace capstan {

RodProperties elliptic_rod(double a1, double a2, double density, double young, double shear) {
  constexpr double pi = std::numbers::pi;
  const double area = pi * a1 * a2, I1 = pi * a1 * a2 * a2 * a2 / 4, I2 = pi * a1 * a1 * a1 * a2 / 4;
  RodProperties rod;
  rod.radius = std::max(a1, a2);
  rod.linear_density = density * area;
  rod.bending_1 = young * I1;
  rod.bending_2 = young * I2;
  rod.twisting = shear * pi * a1 * a1 * a1 * a2 * a2 * a2 / (a1 * a1 + a2 * a2);
  rod.stretching = young * area;
  rod.inertia_1 = density * I1;
  rod.inertia_2 = density * I2;
  return rod;
}

RodProperties round_rod(double radius, double density, double young, double shear) {
  return elliptic_rod(radius, radius, density, young, shear);
}

}  // namespace capstan
