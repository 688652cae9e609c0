#pragma once
#include <filesystem>
#include <vector>

#include "capstan/record/durable_file.hpp"
#include "capstan/record/frame_file.hpp"

namespace capstan::record {

/// Writes the frames of a run. A frame is kept as soon as write() returns, whatever happens to the process
/// after: it goes to the journal first, and frames_per_chunk of them move to frames.bin together. The bytes
/// of frames.bin follow from the frames alone, not from where the run was interrupted.
class FrameWriter {
 public:
  static FrameWriter create(const std::filesystem::path& run, const FrameLayout& layout);
  /// Goes on behind the first `frames` frames and forgets the later ones; InputError if there are fewer.
  static FrameWriter resume(const std::filesystem::path& run, int frames);

  /// t must grow.
  void write(const Snapshot& snapshot);
  /// Brings all frames to the disk, so that a power cut cannot lose them.
  void sync();
  /// Moves the rest of the journal to frames.bin, as a shorter chunk. Nothing can be written after.
  void finish();

  const FrameLayout& layout() const { return layout_; }
  int frames() const { return first_ + static_cast<int>(pending_.size()); }
  const std::vector<FrameRecord>& chunks() const { return chunks_; }

 private:
  FrameWriter(const std::filesystem::path& run, FrameLayout layout);
  void fold();

  FrameLayout layout_;
  std::uint32_t layout_id_;
  AppendFile file_, journal_;
  std::vector<FrameRecord> chunks_;
  std::vector<LatticeFrame> pending_;  // in the journal
  int first_ = 0;                      // number of the first of them
  bool finished_ = false;
};

}  // namespace capstan::record
