#pragma once
#include "step/worlds.hpp"

namespace capstan {

/// A scene, run to time t on one thread. Of the steps at most one in a hundred may miss the tolerance, if the
/// test does not say otherwise.
class SceneAt {
 public:
  explicit SceneAt(const std::string& name, const std::vector<Override>& changes = {})
      : scene_(read_scene(shipped_scene(name), changes)),
        simulation_(build_world(scene_), step_options(scene_.simulation, serial_executor())) {}

  void run(double t, double most_missed = 0.01) {
    int missed = 0, before = simulation_.steps();
    while (simulation_.t() < t) missed += simulation_.step(t).status != Status::converged;
    EXPECT_LE(missed, most_missed * (simulation_.steps() - before));
  }
  void run_whatever_the_error(double t) {
    while (simulation_.t() < t) simulation_.step(t);
  }
  const RigidBody& body(const std::string& name) const {
    for (const WorldRigid& rigid : simulation_.world().rigid)
      if (rigid.name == name) return *rigid.body;
    throw std::logic_error("no body " + name);
  }
  const std::vector<WorldRigid>& bodies() const { return simulation_.world().rigid; }
  const Simulation& simulation() const { return simulation_; }
  double t() const { return simulation_.t(); }

 private:
  Scene scene_;
  Simulation simulation_;
};

/// What a test of the scenes of [Erleben20] found, for docs/benchmarks/matchstick.md.
template <class... Values>
void measured(const std::string& what, const Values&... values) {
  keep_for_plot("matchstick", what, values...);
}

}  // namespace capstan
