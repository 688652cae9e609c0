#pragma once
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "bindings/arrays.hpp"
#include "capstan/problem/contact_problem.hpp"
#include "capstan/run/scene_run.hpp"

namespace capstan::python {

/// A scene that Python holds. Its numbers are for one thread at a time: whoever comes while another one makes
/// a step is refused, since waiting would keep Python's lock.
class HeldRun {
 public:
  explicit HeldRun(SceneRun run);
  HeldRun(const HeldRun&) = delete;

  SceneRun& run();  ///< with Python's lock
  const World& world() { return run().simulation().world(); }

  /// Does it without Python's lock.
  template <class Work>
  auto work(const Work& work) {
    SceneRun& mine = run();
    busy_ = true;
    const Done done{busy_};
    const nb::gil_scoped_release released;
    return work(mine);
  }

  /// Whether the contact problem of every step is kept.
  void keep_problem(bool keep);
  const std::optional<ContactProblem>& problem() const { return problem_; }

  /// Beside the loads of the scene, at the points of all strands.
  void set_strand_forces(const Matrix& forces);
  void set_rigid_forces(const Matrix& forces, const Matrix& torques);
  void set_soft_forces(int body, const Matrix& forces);

  /// What is steered: the kind of thing, its number, and of soft bodies the number of the hold.
  using Driven = std::tuple<std::string, int, int>;
  Frame pose(const Driven& what);
  void drive_to(const Driven& what, const Frame& target, double end);
  void drive_at(const Driven& what, const Twist& twist, double end);
  void let_go(const Driven& what);  ///< back to the script

 private:
  struct Done {
    bool& busy;
    ~Done() { busy = false; }
  };
  const Motion& motion_of(const Driven& what);

  SceneRun run_;
  bool busy_ = false;
  std::optional<ContactProblem> problem_;
  std::vector<std::vector<PointForce>> loads_;  // of the scene, on each strand
};

}  // namespace capstan::python
