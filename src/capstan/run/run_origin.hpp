#pragma once
#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "capstan/record/checkpoint.hpp"
#include "capstan/scene/scene.hpp"

namespace capstan {

/// Where a scene came from and what was changed: DIR/origin.json. A resumed run must read the same scene
/// again, so fingerprints of all that was read are kept.
struct RunOrigin {
  std::filesystem::path folder;  ///< absolute: what paths in the scene are relative to
  std::vector<Override> overrides;
  std::string scene;                         ///< fingerprint of its text; empty in older runs
  std::map<std::string, std::string> files;  ///< fingerprints of the files that it names, by path
};

/// Describes the origin of a scene that was read from `text`.
RunOrigin origin_of(const std::string& text, const std::filesystem::path& folder,
                    const std::vector<Override>& overrides, const Scene& scene);

void write_origin(const std::filesystem::path& run, const RunOrigin& origin);
/// Throws InputError if it is not there or not whole.
RunOrigin read_origin(const std::filesystem::path& run);

/// Throws InputError, which says what to do, if the copy of the scene at `copy` (its text), or a file that it
/// names, is not what it was when the run began.
void check_unchanged(const RunOrigin& origin, const std::filesystem::path& copy, const std::string& text);

/// Writes into a checkpoint which run it belongs to: all runs of the same scene with the same changes and
/// files are the same run.
void sign(record::Checkpoint& checkpoint, const RunOrigin& origin);
/// Whether it was signed with this origin, or not at all, as in older runs.
bool belongs_to(const record::Checkpoint& checkpoint, const RunOrigin& origin);

}  // namespace capstan
