#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "capstan/record/frame_file.hpp"
#include "capstan/record/manifest.hpp"

namespace capstan::record {

/// The frames of a run, in any order. May be opened while the run is still going on, or after it was killed:
/// it then has the frames that are whole, and dropped() says what is not. Every frame it gives was checked.
class FrameReader {
 public:
  explicit FrameReader(const std::filesystem::path& run);
  /// Refuses frames that are not of the run that the manifest describes.
  FrameReader(const std::filesystem::path& run, const Manifest& manifest);

  const FrameLayout& layout() const { return layout_; }
  int frames() const { return static_cast<int>(times_.size()); }
  double time(int frame) const;
  /// The frame nearest to a time; of two equally near, the earlier. Needs at least one frame.
  int frame_at(double t) const;
  Snapshot read(int frame);
  LatticeFrame read_lattice(int frame);

  const std::string& dropped() const { return dropped_; }
  const std::vector<FrameRecord>& chunks() const { return chunks_; }  ///< of frames.bin

 private:
  const FrameRecord& record_of(int frame, std::string& bytes) const;

  std::filesystem::path path_;
  std::string journal_;
  FrameLayout layout_;
  std::vector<FrameRecord> chunks_, singles_;
  std::vector<double> times_;
  std::string dropped_;
  std::vector<LatticeFrame> decoded_;  // the record read last
  int decoded_first_ = 0;
};

}  // namespace capstan::record
