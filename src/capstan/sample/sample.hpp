#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "capstan/problem/contact_problem.hpp"

/// Problems made from nothing, for the first run, the tests and the benchmarks. Each is one time step of a
/// scene that can be pictured, in SI units, in the form M v - f = H^T r, and the same on every call: numbers
/// that look random come from a seed. Every one has a solution, because v = 0 violates no contact.
namespace capstan {

/// A problem, or a family of problems, that make_sample knows.
struct Sample {
  std::string name;     ///< as make_sample takes it
  std::string pattern;  ///< the family it belongs to, such as `spheres_COUNT`; the name itself if it has none
  std::string summary;  ///< one line
};

/// The built-in set, in the order in which to show it.
const std::vector<Sample>& samples();
std::vector<std::string> sample_names();

/// The sample of this name: one of sample_names(), or a member of a family with another number, such as
/// spheres_50 or fibers_nu1.5. Throws InputError with the known names if there is none.
ContactProblem make_sample(const std::string& name);

/// A box of 1 kg on four corners, on a plane inclined by `angle` (rad). It sticks if tan(angle) <= mu, and
/// gains g dt (sin angle - mu cos angle) otherwise.
ContactProblem make_slope(double angle, double mu);

/// `levels` cubes on top of each other, four contacts an interface: 12 equations for 6 unknowns a cube.
ContactProblem make_stack(int levels, double mu);

/// A brick wall in running bond: each brick rests on two, four contacts an interface.
ContactProblem make_wall(int rows, int bricks, double mu);

/// The same with one brick less a row.
ContactProblem make_pyramid(int rows, double mu);

/// A semicircular arch of `stones` voussoirs between two fixed abutments, four contacts a joint.
ContactProblem make_arch(int stones, double mu);

/// A house of cards with `levels` storeys.
ContactProblem make_card_house(int levels, double mu);

/// Spheres of different sizes, settled at the bottom of a box.
ContactProblem make_spheres(int count, double mu, std::uint64_t seed);

/// A tangle of thin rigid rods that is being compressed.
ContactProblem make_rods(int count, double mu, std::uint64_t seed);

/// A wisp of hair: clamped chains of rigid links with elastic joints, two bending angles a joint.
struct FiberOptions {
  int fibers = 60;
  int links = 8;           ///< a fiber has 2 x links degrees of freedom
  double nu = 1;           ///< contacts x 3 / degrees of freedom, as [Daviet11]; the closest pairs touch
  double mu_along = 0.3;   ///< friction along the fiber
  double mu_across = 0.3;  ///< and across it
  std::uint64_t seed = 1;
};
ContactProblem make_fibers(const FiberOptions& options);

}  // namespace capstan
