#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "capstan/record/checkpoint.hpp"
#include "capstan/record/frame_writer.hpp"
#include "capstan/record/manifest.hpp"
#include "capstan/record/statistics.hpp"

namespace capstan::record {

/// The folder of one run, open for writing:
///   the scene as it was   manifest.json   frames.bin   frames.journal   stats.csv   checkpoints/
/// Whatever kills the process, the folder can be read and resumed; at most the frame and the row being
/// written are lost.
class RunDirectory {
 public:
  /// Whether a run is there.
  static bool holds_run(const std::filesystem::path& path);

  /// `manifest` as it is at the start; `scene_text` goes to manifest.scene. A run that is already there is
  /// refused unless `overwrite`, and then removed.
  static RunDirectory create(const std::filesystem::path& path, const Manifest& manifest,
                             const std::string& scene_text, bool overwrite = false);

  /// Opens a run where it can go on: at checkpoint(), with frames and statistics cut back to it.
  static RunDirectory resume(const std::filesystem::path& path);

  /// Where the run goes on; none: from its start.
  const std::optional<Checkpoint>& checkpoint() const { return checkpoint_; }
  /// What resume() found damaged and did without, one a line.
  const std::string& problems() const { return problems_; }
  const Manifest& manifest() const { return manifest_; }
  const std::filesystem::path& path() const { return path_; }
  std::string scene_text() const;
  int frames() const { return frames_.frames(); }

  void write(const Snapshot& snapshot);
  void write(const StepStatistics& row) { stats_.write(row); }
  /// Its frame must be the number of frames written: they are brought to the disk before.
  void write(const Checkpoint& checkpoint);
  /// Packs the last frames and marks the run as finished. It can still be resumed and made longer. `end`: the
  /// overlaps after the last step, if they were measured.
  void finish(const std::optional<Overlap>& end = {});

 private:
  RunDirectory(FolderLock lock, std::filesystem::path path, Manifest manifest, FrameWriter frames,
               StatsWriter stats)
      : lock_(std::move(lock)),
        path_(std::move(path)),
        manifest_(std::move(manifest)),
        frames_(std::move(frames)),
        stats_(std::move(stats)) {}
  void update_manifest(bool finished);

  FolderLock lock_;
  std::filesystem::path path_;
  Manifest manifest_;
  FrameWriter frames_;
  StatsWriter stats_;
  std::optional<Checkpoint> checkpoint_;
  std::string problems_;
};

/// What a folder holds, without changing it.
struct RunListing {
  Manifest manifest;
  int frames = 0;
  double last_frame = 0;  ///< s; 0 without frames
  int steps = 0;
  std::vector<std::filesystem::path> checkpoints;
  std::string problems;  ///< what is torn or damaged, one a line
};
RunListing inspect_run(const std::filesystem::path& path);

}  // namespace capstan::record
