// A block slides down a plank whose grain lies 30 degrees off the slope: one body, one contact, one step of 1
// s.
#include <cmath>
#include <cstdio>

#include "capstan/law/pair_friction.hpp"
#include "capstan/solve/solver.hpp"
#include "capstan/surface/structure_field.hpp"

int main() {
  using namespace capstan;
  const double slope = M_PI / 6, grain = M_PI / 6, g = 9.81, mass = 2;
  const Eigen::Vector3d n(0, 0, 1), gravity(g * std::sin(slope), 0, -g * std::cos(slope));  // x is downhill

  PairFriction wood;
  wood.model = FrictionModel::matchstick;
  wood.mu = 0.4, wood.mu_along = 0.2, wood.mu_across = 0.5;
  const ConstantField plank({std::cos(grain), std::sin(grain), 0});
  const OrientedFriction friction =
      orient(wood, n, Eigen::Vector3d::Zero(), plank.at({}));  // the block has none

  ContactJacobian H(3, {0, 3});
  H.add_contact();
  H.add_block(0, contact_frame_of(friction, n).transpose());
  const Solution solution =
      solve(ContactProblem::from_mass(MassMatrix::block_diagonal({mass * Eigen::Matrix3d::Identity()}),
                                      mass * gravity, H, Eigen::Vector3d::Zero(), {contact_law(friction)}));
  std::printf("%.5f m/s down, %.5f m/s sideways\n", solution.v[0], solution.v[1]);
  return std::hypot(solution.v[0] - 2.63733, solution.v[1] - 0.89027) < 1e-4 ? 0 : 1;
}
