#include "capstan/surface/surface_checks.hpp"

#include <cmath>
#include <sstream>

#include "capstan/errors.hpp"

namespace capstan::surface {

std::string text(const Eigen::Vector3d& value) {
  std::ostringstream out;
  out << "(" << value[0] << ", " << value[1] << ", " << value[2] << ")";
  return out.str();
}

void check_finite(const std::string& name, const Eigen::Vector3d& value) {
  if (!value.allFinite()) throw InputError(name + " = " + text(value) + ", expected finite numbers");
}

Eigen::Vector3d checked_direction(const std::string& name, const Eigen::Vector3d& value) {
  check_finite(name, value);
  if (!(value.norm() > 0))
    throw InputError(name + " = " + text(value) + ", expected a vector that is not zero");
  return value.normalized();
}

void check_range(const std::string& name, double value, double low, double high,
                 const std::string& expected) {
  if (std::isfinite(value) && low <= value && value <= high) return;
  std::ostringstream out;
  out << name << " = " << value << ", expected " << expected;
  throw InputError(out.str());
}

}  // namespace capstan::surface
