#pragma once
#include <algorithm>
#include <optional>
#include <random>
#include <vector>

#include "capstan/executor.hpp"
#include "capstan/solve/certificate.hpp"
#include "capstan/solve/solver.hpp"

namespace capstan {

/// Point masses in random contact with each other, moving at random. The units are those of length and mass,
/// in metres and kilograms. Separating speeds w > 0 make sure that there is an answer.
inline ContactProblem point_masses(int bodies, int contacts, double metre = 1, double kilogram = 1) {
  std::mt19937 generator(17);
  std::normal_distribution<double> normal;
  std::uniform_int_distribution<int> pick(0, bodies - 1);
  std::vector<Eigen::MatrixXd> M;
  std::vector<int> dofs{0};
  Eigen::VectorXd f(3 * bodies), w = Eigen::VectorXd::Zero(3 * contacts);
  for (int k = 0; k < bodies; ++k) {
    M.push_back(kilogram * (0.5 + (k % 3)) * Eigen::Matrix3d::Identity());
    dofs.push_back(3 * (k + 1));
    for (int a = 0; a < 3; ++a) f[3 * k + a] = kilogram * metre * (0.5 + (k % 3)) * normal(generator);
  }
  ContactJacobian H(3, dofs);
  std::vector<ContactLaw> laws;
  for (int i = 0; i < contacts; ++i) {
    const int a = i < bodies - 1 ? i : pick(generator),
              b = i < bodies - 1 ? i + 1 : (a + 1 + i % (bodies - 1)) % bodies;
    Eigen::Matrix3d frame = Eigen::Matrix3d::NullaryExpr([&] { return normal(generator); });
    frame.row(0).normalize();
    frame.row(1) -= frame.row(1).dot(frame.row(0)) * frame.row(0);
    frame.row(1).normalize();
    frame.row(2) = frame.row(0).cross(frame.row(1));
    H.add_contact();
    H.add_block(std::min(a, b), frame);
    H.add_block(std::max(a, b), -frame);
    w[3 * i] = 0.05 * metre;
    laws.push_back(i % 4 == 0 ? ContactLaw::elliptic(0.8, 0.2) : ContactLaw::coulomb(0.1 * (i % 5)));
  }
  return ContactProblem::from_mass(MassMatrix::block_diagonal(M), f, H, w, laws);
}

/// One run on the whole problem, islands not split, with the monitor at hand.
struct Bench {
  Bench(const ContactProblem& given, double tolerance)
      : problem(given, serial_executor()), x(Eigen::VectorXd::Zero(problem.size())) {
    problem.set_error_unit(error_unit(given));
    Monitor::Options options;
    options.tolerance = tolerance;
    monitor.emplace(problem, options);
  }
  SolverContext context(int max_iterations = 10000) {
    return {problem, x, *monitor, max_iterations, serial_executor()};
  }
  CanonicalProblem problem;
  Eigen::VectorXd x;
  std::optional<Monitor> monitor;
};

}  // namespace capstan
