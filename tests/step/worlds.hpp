#pragma once
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <numbers>
#include <string>
#include <utility>

#include "capstan/scene/build_world.hpp"
#include "capstan/step/simulation.hpp"

namespace capstan {

constexpr double pi = std::numbers::pi;
constexpr double rod_radius = 1e-3;  // m

/// A scene of the repository: "strands/capstan.toml".
inline std::filesystem::path shipped_scene(const std::string& name) {
  return std::filesystem::path(__FILE__).parent_path().parent_path().parent_path() / "scenes" / name;
}

/// All four, by the names that scenes use.
inline const std::vector<std::string>& rod_models() {
  static const std::vector<std::string> names{"super_helix", "mass_spring", "corde", "discrete_elastic"};
  return names;
}

inline std::string name_of_model(const testing::TestParamInfo<std::string>& info) { return info.param; }

/// A nylon line of 1 mm: 0.9 g/m, B = 1.2e-4 N m^2, so that gravity bends it over L_gb = 24 cm.
inline RodProperties line_properties() {
  RodProperties rod = round_rod(5e-4, 1140, 2.5e9, 0.9e9);
  rod.stretching = 1e3;  // soft against the true 2000 N, for larger steps of the models that stretch
  rod.internal_damping = 1e-3;
  return rod;
}

/// The strand meets others as the scenes' strands do: a helical piece is three capsules.
inline WorldStrand strand_of(const std::string& model, const StrandShape& shape, const RodProperties& rod,
                             int elements, double collision_radius) {
  StrandSpec spec;
  spec.name = model;
  spec.model = model;
  spec.elements = elements;
  spec.shape = shape;
  spec.properties = rod;
  WorldStrand strand;
  strand.body = make_strand(spec);
  strand.collision.radius = collision_radius;
  strand.collision_s = equal_steps(strand.body->length(), model == "super_helix" ? 3 * elements : elements);
  return strand;
}

inline Obstacle still(std::shared_ptr<const Shape> shape, const Frame& pose = {}) {
  return {"obstacle", std::move(shape), Motion(pose)};
}

/// One family of everything, the same mu everywhere.
inline void set_friction(World& world, double mu) {
  PairFriction pair;
  pair.mu = mu;
  world.friction = PairTable(1, pair);
}

/// Free at both ends, from `start` along `direction`.
inline StrandShape straight(const Eigen::Vector3d& start, const Eigen::Vector3d& direction, double length) {
  StrandShape shape;
  shape.nodes = {start, start + length * direction.normalized()};
  return shape;
}

/// Equal steps, solved to `tolerance`.
inline StepOptions fixed_steps(double dt, double tolerance = 1e-8) {
  StepOptions options;
  options.dt = dt;
  options.adaptive = false;
  options.solve.tolerance = tolerance;
  options.solve.max_iterations = 5000;
  return options;
}

/// Steps until t; every step must be solved to its tolerance.
inline void run_until(Simulation& simulation, double t) {
  while (simulation.t() < t) {
    const StepReport report = simulation.step(t);
    ASSERT_EQ(report.status, Status::converged) << "at t = " << report.t << ", error " << report.error;
  }
}

/// Appends a row to NAME.csv in the folder that CAPSTAN_VALIDATION names, for scripts/plot_validation.py;
/// does nothing if it names none.
template <class... Values>
void keep_for_plot(const std::string& name, const Values&... values) {
  const char* folder = std::getenv("CAPSTAN_VALIDATION");
  if (!folder) return;
  std::ofstream file(std::filesystem::path(folder) / (name + ".csv"), std::ios::app);
  const char* comma = "";
  ((file << comma << values, comma = ","), ...);
  file << "\n";
}

}  // namespace capstan
