#pragma once
#include <Eigen/Cholesky>
#include <algorithm>
#include <numbers>
#include <stdexcept>
#include <variant>

#include "capstan/body/strand.hpp"

namespace capstan {

constexpr double pi = std::numbers::pi;
inline const Eigen::Vector3d down(0, 0, -1);

/// v = A^-1 f of the step that has begun: what the contact solver returns when nothing touches.
inline Eigen::VectorXd velocity_without_contacts(const Strand& strand) {
  if (const auto* dense = std::get_if<Eigen::MatrixXd>(&strand.matrix())) {
    const Eigen::LLT<Eigen::MatrixXd> cholesky(*dense);
    if (cholesky.info() != Eigen::Success)
      throw std::runtime_error("A of the strand is not positive definite");
    return cholesky.solve(strand.force());
  }
  const BandedCholesky cholesky(std::get<BandedMatrix>(strand.matrix()));
  if (!cholesky.is_positive()) throw std::runtime_error("A of the strand is not positive definite");
  return cholesky.solve(strand.force());
}

/// One step in which the strand touches nothing.
inline void step_without_contacts(Strand& strand, const StepConditions& step) {
  strand.begin_step(step);
  strand.end_step(velocity_without_contacts(strand));
}

/// Of nine points from root to tip, m/s.
inline double largest_speed(const Strand& strand) {
  double speed = 0;
  for (int i = 0; i <= 8; ++i) speed = std::max(speed, strand.velocity(strand.length() * i / 8).norm());
  return speed;
}

struct Settled {
  bool still;  ///< false: still moved after the last step allowed
  int steps;
  double t;  ///< s, at the end
};

/// Steps until no point is faster than `speed` (m/s). A swinging strand is still for an instant when it turns
/// back: damp it (internal_damping, air_drag), or ask for a speed that it cannot have by chance. Large dt is
/// the quickest damper while gravity, which is explicit in every model, is weak against the stiffness.
inline Settled settle(Strand& strand, StepConditions step, double speed, int max_steps) {
  for (int i = 0; i < max_steps; ++i) {
    step_without_contacts(strand, step);
    step.t += step.dt;
    if (largest_speed(strand) <= speed) return {true, i + 1, step.t};
  }
  return {false, max_steps, step.t};
}

/// Steps through a given time.
inline void step_for(Strand& strand, StepConditions step, int steps) {
  for (int i = 0; i < steps; ++i, step.t += step.dt) step_without_contacts(strand, step);
}

}  // namespace capstan
