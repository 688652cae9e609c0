#include "capstan/record/run_directory.hpp"

#include <limits>

#include "capstan/errors.hpp"
#include "capstan/files/whole_file.hpp"
#include "capstan/record/frame_reader.hpp"

namespace capstan::record {
namespace {

namespace fs = std::filesystem;

/// Only what a run consists of: the folder may hold other things of the user.
void remove_run(const fs::path& path) {
  std::string scene;
  try {
    scene = read_manifest(path).scene;
  } catch (const InputError&) {
    // A manifest that cannot be read does not say which file is the scene: it stays.
  }
  fs::remove(manifest_path(path));  // first: without it there is no run
  for (const fs::path& checkpoint : list_checkpoints(path)) fs::remove(checkpoint);
  for (const fs::path& file : {frames_path(path), journal_path(path), stats_path(path)}) fs::remove(file);
  if (!scene.empty()) fs::remove(path / scene);
}

/// Removes what a process that was killed while it wrote has left.
void remove_left_overs(const fs::path& path) {
  for (const fs::path& folder : {path, checkpoint_path(path, 0).parent_path(), path / "problems"})
    if (fs::is_directory(folder)) remove_temporary_files(folder);
}

void make_folder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error || !fs::is_directory(path))
    throw InputError(path.string() + ": cannot be made a folder" + (error ? ": " + error.message() : ""));
}

}  // namespace

bool RunDirectory::holds_run(const fs::path& path) { return fs::exists(manifest_path(path)); }

RunDirectory RunDirectory::create(const fs::path& path, const Manifest& manifest,
                                  const std::string& scene_text, bool overwrite) {
  check(manifest);  // before anything is removed
  make_folder(path);
  FolderLock lock(path);
  if (holds_run(path)) {
    if (!overwrite)
      throw InputError(path.string() +
                       ": holds a run already, expected to resume it or to be told to overwrite it");
    remove_run(path);
  }
  remove_left_overs(path);
  FrameWriter frames = FrameWriter::create(path, manifest.layout);
  RunDirectory run(std::move(lock), path, manifest, std::move(frames), StatsWriter::create(path));
  write_durably(path / manifest.scene, scene_text);
  run.update_manifest(false);  // last: with it there is a run
  return run;
}

RunDirectory RunDirectory::resume(const fs::path& path) {
  if (!holds_run(path)) throw InputError(path.string() + ": holds no run, expected a manifest.json");
  FolderLock lock(path);
  remove_left_overs(path);
  Manifest manifest = read_manifest(path);
  manifest.end.reset();  // the run goes on
  const FrameReader reader(path, manifest);
  std::string problems = reader.dropped().empty() ? "" : reader.dropped() + "\n";
  std::optional<Checkpoint> checkpoint = newest_checkpoint(path, reader.frames(), &problems);
  // What is newer is damaged, and would push good ones out when the next are written.
  for (const fs::path& file : list_checkpoints(path))
    if (!checkpoint || file > checkpoint_path(path, checkpoint->step)) fs::remove(file);
  const double t = checkpoint ? checkpoint->t : -std::numeric_limits<double>::infinity();
  FrameWriter frames = FrameWriter::resume(path, checkpoint ? checkpoint->frame : 0);
  RunDirectory run(std::move(lock), path, std::move(manifest), std::move(frames),
                   StatsWriter::resume(path, t));
  run.checkpoint_ = std::move(checkpoint);
  run.problems_ = std::move(problems);
  run.update_manifest(false);
  return run;
}

std::string RunDirectory::scene_text() const { return files::read_whole_file(path_ / manifest_.scene); }

void RunDirectory::write(const Snapshot& snapshot) {
  const std::size_t before = frames_.chunks().size();
  frames_.write(snapshot);
  if (frames_.chunks().size() != before) update_manifest(false);
}

void RunDirectory::write(const Checkpoint& checkpoint) {
  if (checkpoint.frame != frames_.frames())
    throw InputError("checkpoint: frame is " + std::to_string(checkpoint.frame) + ", expected " +
                     std::to_string(frames_.frames()) + ", the number of frames written");
  frames_.sync();
  stats_.sync();
  write_checkpoint(path_, checkpoint);
}

void RunDirectory::finish(const std::optional<Overlap>& end) {
  frames_.finish();
  manifest_.end = end;
  stats_.sync();
  update_manifest(true);
}

void RunDirectory::update_manifest(bool finished) {
  manifest_.chunks = frames_.chunks();
  manifest_.frames = manifest_.chunks.empty() ? 0 : manifest_.chunks.back().end();
  manifest_.finished = finished;
  write_manifest(path_, manifest_);
}

RunListing inspect_run(const fs::path& path) {
  if (!RunDirectory::holds_run(path))
    throw InputError(path.string() + ": holds no run, expected a manifest.json");
  RunListing listing{read_manifest(path), 0, 0, 0, list_checkpoints(path), {}};
  const FrameReader reader(path, listing.manifest);
  listing.frames = reader.frames();
  if (listing.frames > 0) listing.last_frame = reader.time(listing.frames - 1);
  if (!reader.dropped().empty()) listing.problems += reader.dropped() + "\n";
  const Statistics statistics = read_statistics(path);
  listing.steps = static_cast<int>(statistics.steps.size());
  if (statistics.torn) listing.problems += "stats.csv: the last row is cut off and left out\n";
  return listing;
}

}  // namespace capstan::record
