#include "capstan/law/adhesion.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "capstan/errors.hpp"

namespace capstan {
namespace {

void check_number(const char* name, double value, double low, double high, const char* expected) {
  if (value >= low && value <= high && std::isfinite(value)) return;
  throw InputError(std::string("adhesion ") + name + ": is " + std::to_string(value) + ", expected " +
                   expected);
}

constexpr double kTiny = 1e-300, kHuge = 1e300;

}  // namespace

void check(const Adhesion& adhesion) {
  check_number("stiffness", adhesion.stiffness, kTiny, kHuge, "> 0");
  check_number("tangential", adhesion.tangential, 0, kHuge, ">= 0");
  check_number("energy", adhesion.energy, 0, kHuge, ">= 0");
  check_number("viscosity", adhesion.viscosity, kTiny, kHuge, "> 0");
  check_number("bonding_rate", adhesion.bonding_rate, 0, kHuge, ">= 0");
  check_number("saturation", adhesion.saturation, 0, kHuge, ">= 0");
  check_number("debond_gap", adhesion.debond_gap, kTiny, kHuge, "> 0");
  check_number("initial", adhesion.initial, 0, 1, "0 to 1");
}

double bonded(const Adhesion& adhesion, double beta, double pressure, double dt) {
  const double p0 = adhesion.saturation, excess = pressure - beta * p0, rate = adhesion.bonding_rate;
  if (!(excess > 0) || rate == 0) return beta;
  const bool linear = p0 == 0 || adhesion.steps == BondSteps::euler;
  const double grown = linear ? rate * excess * dt : -excess / p0 * std::expm1(-rate * p0 * dt);
  return std::min(beta + grown, 1.0);
}

double debonded(const Adhesion& adhesion, double beta, double squared_distance, double dt) {
  const double pull = adhesion.stiffness * squared_distance, excess = pull * beta - adhesion.energy;
  if (!(excess > 0)) return beta;
  const bool euler = adhesion.steps == BondSteps::euler;
  const double lost =
      euler ? excess / adhesion.viscosity * dt : -excess / pull * std::expm1(-pull / adhesion.viscosity * dt);
  return std::max(beta - lost, 0.0);
}

double bond_traction(const Adhesion& adhesion, double beta, double area, double dt) {
  return dt * dt * area * adhesion.stiffness * beta * beta;
}

}  // namespace capstan
