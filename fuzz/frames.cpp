#include "fuzz/frames.hpp"

#include <zstd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "capstan/errors.hpp"
#include "capstan/record/durable_file.hpp"
#include "capstan/record/frame_file.hpp"

namespace capstan::fuzz {
namespace {

using namespace record;

constexpr std::size_t kRecordHeader = 32;
constexpr int kBlockFrames = 3;

FrameLayout small_layout(int strands, int meshes, int obstacles) {
  FrameLayout layout;
  layout.points_per_strand.assign(static_cast<std::size_t>(strands), 4);
  layout.points_per_mesh.assign(static_cast<std::size_t>(meshes), 5);
  layout.obstacles = obstacles;
  layout.frames_per_chunk = kBlockFrames;
  return layout;
}

Snapshot some_snapshot(const FrameLayout& layout, int frame) {
  Snapshot snapshot;
  snapshot.t = 0.04 * frame;
  snapshot.points.resize(3, layout.points());
  for (int k = 0; k < layout.points(); ++k)
    snapshot.points.col(k) << 0.01 * k, 0.1 * std::sin(0.3 * k + frame), -0.02 * frame;
  snapshot.mesh_points = Eigen::Matrix3Xd::Constant(3, layout.mesh_points(), 0.1 * frame);
  snapshot.mesh_values = Eigen::VectorXf::Constant(layout.mesh_points(), 0.01f);
  for (int k = 0; k < layout.obstacles; ++k)
    snapshot.obstacles.push_back({Eigen::Vector3d(k, frame, 0), Eigen::Matrix3d::Identity()});
  for (int k = 0; k < 3; ++k) {
    RecordedContact contact{Eigen::Vector3d(k, 0, 0), Eigen::Vector3d(0, 0.1 * k, 1), k, -1,
                            ContactState::slide};
    if (k > 0) contact.cone = RecordedCone{0.3, k == 1 ? 0.3 : 0.5, {}};
    if (k > 1) contact.cone->axes = {Eigen::Vector3d::UnitZ(), Eigen::Vector3d::UnitX()};
    contact.beta = 0.25 * k;
    snapshot.contacts.push_back(contact);
  }
  return snapshot;
}

std::vector<LatticeFrame> some_frames(const FrameLayout& layout, int first) {
  std::vector<LatticeFrame> frames;
  for (int k = 0; k < kBlockFrames; ++k)
    frames.push_back(to_lattice(layout, some_snapshot(layout, first + k)));
  return frames;
}

/// Everything that a program asks of a file of frames.
void read_as_file(std::string_view bytes) {
  std::uint64_t start = 0;
  const FrameLayout layout = read_layout(bytes, "fuzz", start);
  const FrameScan scan = scan_records(bytes, start, layout, layout_id(layout), 0);
  for (const FrameRecord& record : scan.records)
    for (const LatticeFrame& frame : decode_record(layout, record, bytes.substr(record.offset, record.bytes)))
      from_lattice(layout, frame);
}

template <typename Number>
void set(std::string& bytes, std::size_t at, Number value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}
template <typename Number>
Number number_at(const std::string& bytes, std::size_t at) {
  Number value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

/// Length of the header without its checksum, or 0.
std::size_t header_size(const std::string& bytes) {
  std::size_t at = 8 + 4 + 4 + 8 + 4;
  const int lists = bytes.size() > 12 && bytes[8] >= 4 ? 2 : 1;
  for (int k = 0; k < lists; ++k) {
    if (at + 4 > bytes.size()) return 0;
    const std::size_t count = number_at<std::uint32_t>(bytes, at);
    if (count > bytes.size()) return 0;
    at += 4 + 4 * count;
  }
  return at + 4 <= bytes.size() ? at : 0;
}

/// Makes all checksums right, as far as the lengths make sense.
std::string repaired(std::string bytes) {
  const std::size_t header = header_size(bytes);
  if (header == 0) return bytes;
  const std::uint32_t id = checksum(std::string_view(bytes).substr(0, header));
  set(bytes, header, id);
  std::size_t at = header + 4;
  while (at + kRecordHeader <= bytes.size()) {
    const std::size_t room = bytes.size() - at - kRecordHeader;
    const auto payload = std::min<std::uint64_t>(number_at<std::uint64_t>(bytes, at + 16), room);
    set(bytes, at + 4, id);
    set<std::uint64_t>(bytes, at + 16, payload);
    set(bytes, at + 24, checksum(std::string_view(bytes).substr(at + kRecordHeader, payload)));
    set(bytes, at + 28, checksum(std::string_view(bytes).substr(at, 28)));
    at += kRecordHeader + payload;
  }
  return bytes;
}

std::string uncompressed(const std::string& block) {
  std::string raw(ZSTD_getFrameContentSize(block.data(), block.size()), '\0');
  ZSTD_decompress(raw.data(), raw.size(), block.data(), block.size());
  return raw;
}

}  // namespace

void read_frames_file(std::string_view bytes) {
  try {
    read_as_file(bytes);
  } catch (const InputError&) {
  }
  read_as_file(repaired(std::string(bytes)));
}

std::vector<std::string> frames_seeds() {
  std::vector<std::string> seeds;
  for (const auto& [strands, meshes, obstacles] :
       {std::array{3, 0, 2}, std::array{0, 2, 0}, std::array{2, 1, 1}}) {
    const FrameLayout layout = small_layout(strands, meshes, obstacles);
    std::string bytes = layout_bytes(layout);
    for (int chunk = 0; chunk < 2; ++chunk)
      bytes += record_bytes(layout, layout_id(layout), kBlockFrames * chunk,
                            some_frames(layout, kBlockFrames * chunk));
    seeds.push_back(bytes);
  }
  return seeds;
}

/// Four bytes: strands, meshes, obstacles (each below 4) and version; the rest is the block.
void read_frame_block(std::string_view bytes) {
  if (bytes.size() < 4) return;
  FrameLayout layout = small_layout(bytes[0] & 3, bytes[1] & 3, bytes[2] & 3);
  layout.version = kOldestFrames + (bytes[3] & 3) % (kNewestFrames - kOldestFrames + 1);
  if (layout.version < kNewestFrames) layout.points_per_mesh.clear();
  const std::string_view raw = bytes.substr(4);
  std::string block(ZSTD_compressBound(raw.size()), '\0');
  block.resize(ZSTD_compress(block.data(), block.size(), raw.data(), raw.size(), 1));
  for (const LatticeFrame& frame : decode(layout, kBlockFrames, block)) from_lattice(layout, frame);
}

std::vector<std::string> frame_block_seeds() {
  std::vector<std::string> seeds;
  for (const auto& [strands, meshes, obstacles] :
       {std::array{3, 0, 2}, std::array{0, 2, 0}, std::array{2, 1, 1}}) {
    const FrameLayout layout = small_layout(strands, meshes, obstacles);
    const std::string head{char(strands), char(meshes), char(obstacles), char(kNewestFrames - kOldestFrames)};
    seeds.push_back(head + uncompressed(encode(layout, some_frames(layout, 0))));
  }
  return seeds;
}

}  // namespace capstan::fuzz
