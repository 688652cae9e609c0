#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "capstan/record/run_directory.hpp"
#include "capstan/scene/build_world.hpp"

namespace capstan {

struct RunOptions {
  std::filesystem::path folder;
  int threads = 0;  ///< 0: what the scene says, and if it says nothing, one a core
  bool overwrite = false;
  int dump_every = 0;  ///< every so many steps the contact problem and its answer go to folder/problems
  std::vector<Override> overrides;
};

/// A scene, simulated and recorded frame by frame. What is recorded does not depend on the number of threads,
/// nor on how often the run was stopped and resumed.
class SceneRun {
 public:
  static SceneRun start(const std::filesystem::path& scene, const RunOptions& options);
  /// Goes on from the last checkpoint.
  static SceneRun resume(const RunOptions& options);
  ~SceneRun();
  SceneRun(SceneRun&&) noexcept;

  /// Simulates and records the next frame. `on_step` hears of every step and returns false to stop; then the
  /// frame in progress is given up. Returns whether a frame was added.
  bool next_frame(const std::function<bool(const StepReport&)>& on_step);
  int frames_done() const;
  int frames_wanted() const;
  /// Warnings about the start: overlaps and their depth. Empty: none.
  std::vector<std::string> warnings() const;
  const record::RunDirectory& directory() const;
  const Simulation& simulation() const;
  void checkpoint();  ///< so that a later resume starts here
  void finish();

 private:
  struct Parts;
  explicit SceneRun(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace capstan
