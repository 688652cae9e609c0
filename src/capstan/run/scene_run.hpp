#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "capstan/record/picture/picture.hpp"
#include "capstan/record/run_directory.hpp"
#include "capstan/record/summary.hpp"
#include "capstan/scene/build_world.hpp"

namespace capstan {

struct RunOptions {
  std::filesystem::path folder;  ///< empty: nothing is recorded until record()
  int threads = 0;               ///< 0: what the scene says, and if it says nothing, one a core
  bool overwrite = false;
  int dump_every = 0;  ///< every so many steps the contact problem and its answer go to folder/problems
  std::vector<Override> overrides;
  /// Called while the run is being opened, perhaps very often, with what is going on in words.
  std::function<void(const std::string&)> on_progress;
  /// Asked while a step is being solved. If it returns true the solver gives up: the step that is being made
  /// is worth nothing, and next_frame must be stopped after it.
  std::function<bool()> is_cancelled;
};

/// A scene that need not be in a file.
struct SceneText {
  std::string text;              ///< TOML
  std::string name;              ///< of the copy in the run's folder, and in errors
  std::filesystem::path folder;  ///< absolute: what its paths are relative to
};

/// A scene, simulated and recorded frame by frame. What is recorded does not depend on the number of threads,
/// nor on how often the run was stopped and resumed.
class SceneRun {
 public:
  static SceneRun start(const std::filesystem::path& scene, const RunOptions& options);
  static SceneRun start(const SceneText& scene, const RunOptions& options);
  /// Goes on from the last checkpoint.
  static SceneRun resume(const RunOptions& options);
  ~SceneRun();
  SceneRun(SceneRun&&) noexcept;

  /// Simulates and records the next frame. `on_step` hears of every step and returns false to stop; then the
  /// frame is left unfinished. Returns whether a frame was added.
  bool next_frame(const std::function<bool(const StepReport&)>& on_step);
  /// One step towards the next frame, which is recorded when it is reached. After the end of the scene frames
  /// go on at the same rate.
  StepReport step();
  int frames_done() const;
  int frames_wanted() const;
  /// What was done about overlaps before the first step of a run that was started, not resumed.
  const UntangleReport& untangled() const;
  /// About the start: see start_warnings.
  std::vector<std::string> warnings() const;

  /// Records from now on. Throws InputError unless this is the start, or if the folder holds a run and
  /// `overwrite` is false.
  void record(const std::filesystem::path& folder, bool overwrite = false);
  bool is_recording() const;
  const record::RunDirectory& directory() const;  ///< of the recording, which there must be
  void checkpoint();                              ///< so that a later resume starts here
  void finish();
  void stop_recording();  ///< lets go of the folder, as it is

  /// What would be recorded of this moment, for somebody else to keep; and back to such a moment, of this or
  /// another run of the same scene. Throws InputError while a recording goes on.
  record::Checkpoint moment() const;
  void go_to(const record::Checkpoint& moment);

  /// Returns what all steps did and cost, with the overlaps of this moment: the steps of this run since its
  /// start, also those before it was resumed, or since the last go_to.
  record::Summary summary();

  /// Friction of pairs, as [[friction]] of a scene has it; from the next step on.
  void change_friction(const std::string& tables);
  record::PictureScene picture() const;
  const Scene& scene() const;
  const Simulation& simulation() const;
  Simulation& simulation();

 private:
  struct Parts;
  explicit SceneRun(std::unique_ptr<Parts> parts);
  StepReport make_step();
  void end_frame();
  void write_rows();
  void dump_problems();
  std::unique_ptr<Parts> parts_;
};

}  // namespace capstan
