#pragma once
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <vector>

#include "capstan/collide/collision_scene.hpp"
#include "capstan/random.hpp"

namespace capstan::test {

using Eigen::Vector3d;

inline Vector3d random_point(Random& random, double size = 1) {
  const double x = random.uniform(-size, size), y = random.uniform(-size, size);
  return {x, y, random.uniform(-size, size)};
}

inline Eigen::Matrix3d random_rotation(Random& random) {
  // One after the other: compilers differ in which argument of a call they evaluate first.
  const Vector3d axis = random_point(random).normalized();
  return Eigen::AngleAxisd(random.uniform(0.5, 3), axis).toRotationMatrix();
}

/// Arclengths along the chords.
inline int add_polyline(CollisionScene& scene, const StrandCollision& how,
                        const std::vector<Vector3d>& nodes) {
  std::vector<double> s = {0};
  for (std::size_t i = 1; i < nodes.size(); ++i) s.push_back(s.back() + (nodes[i] - nodes[i - 1]).norm());
  return scene.add_strand(how, nodes, s);
}

/// `count` capsules of equal length from a to b.
inline std::vector<Vector3d> straight(const Vector3d& a, const Vector3d& b, int count) {
  std::vector<Vector3d> nodes;
  for (int i = 0; i <= count; ++i) nodes.push_back(a + (b - a) * i / count);
  return nodes;
}

/// Random walks of `capsules` steps of length 0.1 in a cube.
inline CollisionScene random_walks(std::uint64_t seed, int strands, int capsules, double cube,
                                   const StrandCollision& how) {
  Random random(seed);
  CollisionScene scene;
  for (int k = 0; k < strands; ++k) {
    std::vector<Vector3d> nodes = {random_point(random, cube)};
    Vector3d direction = random_point(random).normalized();
    for (int i = 0; i < capsules; ++i) {
      direction = (direction + 0.4 * random_point(random)).normalized();
      nodes.push_back(nodes.back() + 0.1 * direction);
    }
    add_polyline(scene, how, nodes);
  }
  return scene;
}

}  // namespace capstan::test
