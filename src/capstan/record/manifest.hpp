#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "capstan/record/frame_file.hpp"
#include "capstan/record/recorded_mesh.hpp"
#include "capstan/record/statistics.hpp"

namespace capstan::record {

/// DIR/manifest.json: what a reader of the run must know, and where the frames are in frames.bin. Replaced as
/// a whole whenever a chunk is complete, so it may be behind the frame files but is never half-written.
struct Manifest {
  std::string scene;  ///< name of the copied scene file in the run's folder
  FrameLayout layout;
  std::vector<double> radii;           ///< physical, one a strand, m
  std::vector<std::string> obstacles;  ///< a JSON object each; docs/runs.md says what pictures understand
  std::vector<RecordedMesh> meshes;    ///< soft bodies, one for each of layout.points_per_mesh
  double fps = 25;
  int dofs = 0;          ///< degrees of freedom of all strands
  double tolerance = 0;  ///< of the contact solves; 0: not told
  std::string friction;  ///< as a table shows it: "0.3 / 0.5"
  int frames = 0;        ///< in complete chunks, and all once finished
  bool finished = false;
  std::optional<Overlap> end;  ///< overlaps after the last step, of a finished run; none in older runs
  std::vector<FrameRecord> chunks;
};

/// Refuses what cannot describe a run.
void check(const Manifest& manifest);

std::filesystem::path manifest_path(const std::filesystem::path& run);
void write_manifest(const std::filesystem::path& run, const Manifest& manifest);
Manifest read_manifest(const std::filesystem::path& run);
/// Reads the text of a manifest; `name` is what errors call it.
Manifest parse_manifest(const std::string& text, const std::string& name);

}  // namespace capstan::record
