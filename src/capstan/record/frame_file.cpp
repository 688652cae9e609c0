#include "capstan/record/frame_file.hpp"

#include <algorithm>
#include <cmath>

#include "capstan/errors.hpp"
#include "capstan/record/bytes.hpp"
#include "capstan/record/durable_file.hpp"
#include "capstan/record/mesh_codec.hpp"

namespace capstan::record {
namespace {

constexpr std::string_view kMagic = "capframe";
constexpr std::uint32_t kRecordMark = 0x4e554843;  // "CHUN"
constexpr std::size_t kRecordHeader = 32;
constexpr std::uint32_t kLastFrame = 1u << 30;

struct RecordHeader {
  std::uint32_t mark = kRecordMark, layout_id = 0, first = 0, count = 0;
  std::uint64_t payload = 0;
  std::uint32_t payload_checksum = 0;
};

std::string header_bytes(const RecordHeader& header) {
  ByteWriter out;
  out.put(header.mark);
  out.put(header.layout_id);
  out.put(header.first);
  out.put(header.count);
  out.put(header.payload);
  out.put(header.payload_checksum);
  out.put(checksum(out.bytes()));
  return out.bytes();
}

RecordHeader parse_header(std::string_view bytes) {
  ByteReader in(bytes);
  RecordHeader header;
  header.mark = in.get<std::uint32_t>();
  header.layout_id = in.get<std::uint32_t>();
  header.first = in.get<std::uint32_t>();
  header.count = in.get<std::uint32_t>();
  header.payload = in.get<std::uint64_t>();
  header.payload_checksum = in.get<std::uint32_t>();
  return header;
}

/// What is wrong with the record at the start of these bytes; empty if nothing is.
std::string defect(std::string_view bytes, const FrameLayout& layout, std::uint32_t id) {
  if (bytes.size() < kRecordHeader) return "a record is cut off";
  const RecordHeader header = parse_header(bytes);
  if (header_bytes(header) != bytes.substr(0, kRecordHeader) || header.mark != kRecordMark)
    return "the header of a record is damaged";
  if (header.layout_id != id) return "a record belongs to another run";
  if (header.count < 1 || header.count > static_cast<std::uint32_t>(layout.frames_per_chunk) ||
      header.payload < 8ull * header.count || header.first > kLastFrame)
    return "the header of a record is impossible";
  if (header.payload > bytes.size() - kRecordHeader) return "a record is cut off";
  if (checksum(bytes.substr(kRecordHeader, header.payload)) != header.payload_checksum)
    return "a record is damaged";
  return {};
}

FrameRecord whole_record(std::string_view bytes, std::uint64_t offset) {
  const RecordHeader header = parse_header(bytes);
  FrameRecord record{offset, kRecordHeader + header.payload, static_cast<int>(header.first), {}};
  ByteReader in(bytes.substr(kRecordHeader));
  for (std::uint32_t k = 0; k < header.count; ++k) record.times.push_back(in.get<double>());
  return record;
}

void put_counts(ByteWriter& out, const std::vector<int>& counts) {
  out.put(static_cast<std::uint32_t>(counts.size()));
  for (const int count : counts) out.put(static_cast<std::uint32_t>(count));
}

std::vector<int> get_counts(ByteReader& in) {
  const std::uint32_t size = in.get<std::uint32_t>();
  if (in.left() / 4 < size) throw InputError("its header is cut off");
  std::vector<int> counts;
  for (std::uint32_t k = 0; k < size; ++k) counts.push_back(static_cast<int>(in.get<std::uint32_t>()));
  return counts;
}

}  // namespace

std::filesystem::path frames_path(const std::filesystem::path& run) { return run / "frames.bin"; }
std::filesystem::path journal_path(const std::filesystem::path& run) { return run / "frames.journal"; }

std::string layout_bytes(const FrameLayout& layout) {
  ByteWriter out;
  out.append(kMagic);
  out.put(static_cast<std::uint32_t>(layout.version));
  out.put(static_cast<std::uint32_t>(layout.frames_per_chunk));
  out.put(layout.step);
  out.put(static_cast<std::uint32_t>(layout.obstacles));
  put_counts(out, layout.points_per_strand);
  if (layout.version >= kFirstWithMeshes) put_counts(out, layout.points_per_mesh);
  out.put(checksum(out.bytes()));
  return out.bytes();
}

FrameLayout read_layout(std::string_view bytes, const std::string& name, std::uint64_t& size) {
  try {
    ByteReader in(bytes);
    if (in.take(kMagic.size()) != kMagic)
      throw InputError("it does not start with '" + std::string(kMagic) + "'");
    FrameLayout layout;
    layout.version = static_cast<int>(in.get<std::uint32_t>());
    if (layout.version < kOldestFrames || layout.version > kNewestFrames)
      throw InputError("its version is " + std::to_string(layout.version) + ", expected " +
                       std::to_string(kOldestFrames) + " to " + std::to_string(kNewestFrames));
    layout.frames_per_chunk = static_cast<int>(in.get<std::uint32_t>());
    layout.step = in.get<double>();
    layout.obstacles = static_cast<int>(in.get<std::uint32_t>());
    layout.points_per_strand = get_counts(in);
    if (layout.version >= kFirstWithMeshes) layout.points_per_mesh = get_counts(in);
    size = bytes.size() - in.left() + 4;
    if (in.get<std::uint32_t>() != checksum(bytes.substr(0, size - 4)))
      throw InputError("its header is damaged");
    check(layout);
    return layout;
  } catch (const InputError& error) {
    throw InputError(name + ": cannot be read as frames: " + error.what());
  }
}

std::uint32_t layout_id(const FrameLayout& layout) {
  // Without the checksum at its end: the CRC of bytes followed by their own CRC is the same for all.
  const std::string bytes = layout_bytes(layout);
  return checksum(std::string_view(bytes).substr(0, bytes.size() - 4));
}

std::string record_bytes(const FrameLayout& layout, std::uint32_t id, int first,
                         std::span<const LatticeFrame> frames) {
  ByteWriter payload;
  for (const LatticeFrame& frame : frames) payload.put(frame.t);
  payload.append(encode(layout, frames));
  RecordHeader header;
  header.layout_id = id;
  header.first = static_cast<std::uint32_t>(first);
  header.count = static_cast<std::uint32_t>(frames.size());
  header.payload = payload.bytes().size();
  header.payload_checksum = checksum(payload.bytes());
  return header_bytes(header) + payload.bytes();
}

FrameScan scan_records(std::string_view file, std::uint64_t start, const FrameLayout& layout,
                       std::uint32_t id, int expected) {
  FrameScan scan;
  for (scan.end = start; scan.end < file.size();) {
    const std::string_view rest = file.substr(scan.end);
    scan.problem = defect(rest, layout, id);
    if (!scan.problem.empty()) break;
    FrameRecord record = whole_record(rest, scan.end);
    if (!std::all_of(record.times.begin(), record.times.end(), [](double t) { return std::isfinite(t); })) {
      scan.problem = "a frame has a time that is not finite";
      break;
    }
    if (record.end() > expected && record.first != expected) {
      scan.problem = "frame " + std::to_string(record.first) + " follows where frame " +
                     std::to_string(expected) + " was expected";
      break;
    }
    scan.end += record.bytes;
    if (record.end() <= expected) continue;
    expected = record.end();
    scan.records.push_back(std::move(record));
  }
  return scan;
}

std::vector<LatticeFrame> decode_record(const FrameLayout& layout, const FrameRecord& record,
                                        std::string_view bytes) {
  const std::size_t start = kRecordHeader + 8 * record.times.size();
  std::vector<LatticeFrame> frames =
      decode(layout, static_cast<int>(record.times.size()), bytes.substr(start));
  for (std::size_t k = 0; k < frames.size(); ++k) frames[k].t = record.times[k];
  return frames;
}

}  // namespace capstan::record
