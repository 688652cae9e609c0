#pragma once
#include <vector>

#include "capstan/record/picture/picture.hpp"
#include "capstan/record/picture/shading.hpp"

namespace capstan::record {

/// What the lamp sees: how near the first strand and the first obstacle are, on a grid.
class ShadowMap {
 public:
  ShadowMap(const PictureScene& scene, const Lamp& lamp);

  /// Part of the lamp's light that reaches p. Obstacles stop it; hair weakens it with the depth below the
  /// first strand, exp(-d / fade), as if the hair between were evenly dense. `skin` is how far below a
  /// surface p may lie without being in its shadow.
  double open(const Eigen::Vector3d& p, double skin) const;

 private:
  void add_solid(const Solid& solid);
  void add_strand(const Eigen::Matrix3Xd& strand, double radius);

  double size_;  // radius of a ball around the scene, m
  Camera camera_;
  double fade_;
  std::vector<float> strands_, solids_;  // nearness
};

}  // namespace capstan::record
