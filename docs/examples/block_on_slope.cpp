// A block of 2 kg slides down a slope: one body, one contact, one step of 10 ms.
#include <cmath>
#include <cstdio>

#include "capstan/solve/solver.hpp"

int main() {
  using namespace capstan;
  const double mass = 2, mu = 0.3, slope = 0.5, dt = 0.01, g = 9.81;
  const Eigen::Vector3d gravity(-g * std::cos(slope), g * std::sin(slope),
                                0);  // normal first, then the tangents

  ContactJacobian H(3, {0, 3});  // contacts of dimension 3; one body, whose dofs are 0, 1, 2
  H.add_contact();
  H.add_block(0, Eigen::Matrix3d::Identity());
  const ContactProblem problem =
      ContactProblem::from_mass(MassMatrix::block_diagonal({mass * Eigen::Matrix3d::Identity()}),
                                mass * dt * gravity, H, Eigen::Vector3d::Zero(), {ContactLaw::coulomb(mu)});

  SolveOptions options;
  options.tolerance = 1e-10;
  const Solution solution = solve(problem, options);
  std::printf("%s: slides at %.6f m/s, error %.1e\n", to_string(solution.report.status), solution.v[1],
              solution.report.certificate.error);
  const double expected = dt * g * (std::sin(slope) - mu * std::cos(slope));
  return std::abs(solution.v[1] - expected) < 1e-10 ? 0 : 1;
}
