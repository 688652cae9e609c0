#pragma once
#include <Eigen/Core>
#include <memory>
#include <vector>

#include "capstan/body/strand.hpp"
#include "capstan/collide/collision_scene.hpp"
#include "capstan/collide/obstacle.hpp"

namespace capstan {

/// A strand and how it meets the others.
struct WorldStrand {
  std::unique_ptr<Strand> body;
  StrandCollision collision;        ///< its margin is set anew in every step
  std::vector<double> collision_s;  ///< arclengths of the collision polyline, rising, ends included
  int family = 0;                   ///< row and column in World::friction
};

/// Everything there is, and what acts on it.
struct World {
  std::vector<WorldStrand> strands;
  std::vector<Obstacle> obstacles;
  Eigen::MatrixXd friction;           ///< mu of family x family
  Eigen::MatrixXd obstacle_friction;  ///< mu of family x obstacle
  Eigen::Vector3d gravity = Eigen::Vector3d(0, 0, -9.81);
  Eigen::Vector3d air = Eigen::Vector3d::Zero();

  int dofs() const;
  std::vector<int> dof_starts() const;  ///< first degree of freedom of each strand, then their number
  Energy energy() const;
};

/// Equal steps along a strand, ends included.
std::vector<double> equal_steps(double length, int pieces);

}  // namespace capstan
