#pragma once
#include <Eigen/Core>
#include <string>

namespace capstan::surface {

/// Both throw InputError with the name, the value and what was expected.
void check_finite(const std::string& name, const Eigen::Vector3d& value);
/// The unit vector along `value`, which must be finite and not zero.
Eigen::Vector3d checked_direction(const std::string& name, const Eigen::Vector3d& value);
/// Throws unless low <= value <= high; `expected` is the end of the message.
void check_range(const std::string& name, double value, double low, double high, const std::string& expected);

std::string text(const Eigen::Vector3d& value);

}  // namespace capstan::surface
