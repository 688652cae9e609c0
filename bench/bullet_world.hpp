#pragma once
#include <Eigen/Core>
#include <memory>
#include <vector>

#include "capstan/problem/contact_problem.hpp"
#include "capstan/step/world.hpp"

namespace capstan::bench {

/// All else is as Bullet has it by default: warm start, split impulses, margins, single precision.
struct BulletOptions {
  int iterations = 10;          ///< of sequential impulses; Bullet's default
  int friction_directions = 1;  ///< a contact. 1 is the default: along the slip; 2: a pyramid
};

/// A step as Bullet solved it: its contacts, masses and velocities as a problem of ours, and its impulses.
struct BulletStep {
  ContactProblem problem;
  Eigen::VectorXd r;  ///< N s, in the frames of the problem
  /// Largest difference between the velocities that follow from problem and r and those with which Bullet
  /// goes on, m/s and rad/s: rounding, if the problem is the one it solved.
  double mismatch;
};

/// The rigid bodies and obstacles of a world, simulated by Bullet on one thread. Bodies never sleep.
class BulletWorld {
 public:
  /// As they are at t = 0. Throws InputError for what cannot be said to Bullet: strands, hulls, meshes,
  /// friction that is not isotropic or not a product over the two bodies, restitution.
  explicit BulletWorld(const World& world);
  ~BulletWorld();

  void set_options(const BulletOptions& options);
  void step(double dt);
  BulletStep recorded_step(double dt);  ///< the same, and what was solved in it

  double t() const;
  int contacts() const;          ///< of the last step
  double seconds_solve() const;  ///< of the last step
  double kinetic_energy() const;
  std::vector<Frame> poses() const;  ///< of the rigid bodies

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace capstan::bench
