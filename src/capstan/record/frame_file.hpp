#pragma once
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capstan/record/frame_codec.hpp"

/// The two files that hold the frames of a run. DIR/frames.bin: a header with the layout, then records of
/// frames_per_chunk frames each. DIR/frames.journal: records of one frame each, those that do not yet fill a
/// chunk. A record can be read without any other, starts with its own length and checksums, and is never
/// changed. All numbers are little-endian; docs/runs.md has the bytes.
namespace capstan::record {

/// A record that was found whole.
struct FrameRecord {
  std::uint64_t offset = 0, bytes = 0;  ///< in the file, with the record's header
  int first = 0;                        ///< number of its first frame
  std::vector<double> times;            ///< one a frame
  int end() const { return first + static_cast<int>(times.size()); }
};

struct FrameScan {
  std::vector<FrameRecord> records;
  std::uint64_t end = 0;  ///< behind the last whole record
  std::string problem;    ///< why it stops there; empty: it is the end of the file
};

std::filesystem::path frames_path(const std::filesystem::path& run);
std::filesystem::path journal_path(const std::filesystem::path& run);

/// The start of frames.bin, with its own checksum.
std::string layout_bytes(const FrameLayout& layout);
/// Reads it back; `size` is the number of bytes it took. Refuses anything damaged.
FrameLayout read_layout(std::string_view bytes, const std::string& name, std::uint64_t& size);

/// What the header says, in 32 bits: keeps records of another run out.
std::uint32_t layout_id(const FrameLayout& layout);

std::string record_bytes(const FrameLayout& layout, std::uint32_t id, int first,
                         std::span<const LatticeFrame> frames);

/// The whole records of a file from `start` on. Frames below `expected` are passed over: they are what a
/// process left that died between writing a chunk and clearing the journal. Stops at the first record that is
/// torn, damaged, foreign, or does not follow.
FrameScan scan_records(std::string_view file, std::uint64_t start, const FrameLayout& layout,
                       std::uint32_t id, int expected);

/// The frames of a record that a scan has found.
std::vector<LatticeFrame> decode_record(const FrameLayout& layout, const FrameRecord& record,
                                        std::string_view bytes);

}  // namespace capstan::record
