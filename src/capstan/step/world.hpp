#pragma once
#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "capstan/body/rigid_body.hpp"
#include "capstan/body/soft/soft_body.hpp"
#include "capstan/body/strand.hpp"
#include "capstan/collide/collision_scene.hpp"
#include "capstan/collide/contact.hpp"
#include "capstan/collide/obstacle.hpp"
#include "capstan/collide/soft_surface.hpp"
#include "capstan/collide/solid.hpp"
#include "capstan/law/pair_table.hpp"
#include "capstan/surface/structure_field.hpp"

namespace capstan {

/// A strand and how it meets the others.
struct WorldStrand {
  std::unique_ptr<Strand> body;
  StrandCollision collision;        ///< its margin is set anew in every step
  std::vector<double> collision_s;  ///< arclengths of the collision polyline, rising, ends included
  int family = 0;                   ///< in World::friction
  std::string name = {};
  End root = {}, tip = {};  ///< what holds its ends, to steer them
};

/// A rigid body and how it meets the others.
struct WorldRigid {
  std::string name;
  std::unique_ptr<RigidBody> body;
  Solid solid;  ///< in the body's frame
  int family = 0;
  std::shared_ptr<const StructureField> structure = nullptr;  ///< of its surface; nullptr: none
};

/// Cloth or a soft solid, and how it meets the others.
struct WorldSoft {
  std::string name;
  std::unique_ptr<SoftBody> body;
  SoftSurface surface;  ///< its places, velocities and margin are set anew in every step
  int family = 0;
  std::shared_ptr<const StructureField> structure = nullptr;  ///< nullptr: none
  Frame rest_pose = {};                                       ///< that the structure is given in
};

/// A body whose motion is given.
struct WorldObstacle : Obstacle {
  WorldObstacle(Obstacle obstacle, int its_family = 0)  // NOLINT: an obstacle of the only family
      : Obstacle(std::move(obstacle)), family(its_family) {}
  int family = 0;
  std::shared_ptr<const StructureField> structure = nullptr;
};

/// Everything there is, and what acts on it.
struct World {
  std::vector<WorldStrand> strands;
  std::vector<WorldRigid> rigid;
  std::vector<WorldSoft> soft;
  std::vector<WorldObstacle> obstacles;
  PairTable friction;
  Eigen::Vector3d gravity = Eigen::Vector3d(0, 0, -9.81);
  Eigen::Vector3d air = Eigen::Vector3d::Zero();

  /// All that moves: strands, rigid bodies, soft bodies. It is in this order that the contact problem knows
  /// them.
  int bodies() const { return static_cast<int>(strands.size() + rigid.size() + soft.size()); }
  Body& body(int index) const;
  int body_of(const ContactSide& side) const;  ///< -1: an obstacle
  int family_of(const ContactSide& side) const;

  /// All that goes where it is told: obstacles, roots, tips, held nodes; those of free ends too.
  std::vector<const Motion*> scripted() const;

  int dofs() const;                     ///< of all that moves, touched or not
  std::vector<int> dof_starts() const;  ///< first degree of freedom of each body, then their number
  Energy energy() const;
};

/// Equal steps along a strand, ends included.
std::vector<double> equal_steps(double length, int pieces);

}  // namespace capstan
