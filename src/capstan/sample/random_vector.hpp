#pragma once
#include <Eigen/Core>

#include "capstan/random.hpp"

namespace capstan::sample {

/// Returns a vector with each coordinate evenly in [-size, size). Compilers differ in which argument of a
/// call they evaluate first; here z is drawn first, as it was with GCC, so that a sample is the same with all
/// of them.
inline Eigen::Vector3d random_vector(Random& random, double size) {
  const double z = random.uniform(-size, size), y = random.uniform(-size, size);
  return {random.uniform(-size, size), y, z};
}

}  // namespace capstan::sample
