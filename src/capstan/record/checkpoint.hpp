#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace capstan::record {

/// All that a run needs to go on as if it had not stopped, bit for bit. What the arrays mean is the business
/// of whoever fills them. Names are paths such as "strands/q": no empty part, no newline.
struct Checkpoint {
  double t = 0, dt = 0;                              ///< s
  int step = 0;                                      ///< steps done
  int frame = 0;                                     ///< frames written
  std::map<std::string, std::vector<double>> reals;  ///< finite
  std::map<std::string, std::vector<int>> integers;

  bool operator==(const Checkpoint&) const = default;
};

/// DIR/checkpoints/step_000001234.h5
std::filesystem::path checkpoint_path(const std::filesystem::path& run, int step);

/// Writes beside the others as a whole, then removes all but the newest two.
void write_checkpoint(const std::filesystem::path& run, const Checkpoint& checkpoint);

/// The file as bytes, and back. `name` is what errors call it; bytes that do not match their checksum are
/// refused.
std::string checkpoint_bytes(const Checkpoint& checkpoint);
Checkpoint parse_checkpoint(std::string_view bytes, const std::string& name);
/// The bytes of an HDF5 image with their checksum.
std::string sealed_checkpoint(std::string_view image);

/// Refuses a file whose contents do not match their checksum.
Checkpoint read_checkpoint(const std::filesystem::path& file);

/// Oldest first.
std::vector<std::filesystem::path> list_checkpoints(const std::filesystem::path& run);

/// The newest that is whole and has at most `frames` frames. `problems` collects why newer ones were passed
/// over.
std::optional<Checkpoint> newest_checkpoint(const std::filesystem::path& run, int frames,
                                            std::string* problems);

}  // namespace capstan::record
