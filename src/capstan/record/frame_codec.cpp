#include "capstan/record/frame_codec.hpp"

#include <zstd.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "capstan/errors.hpp"
#include "capstan/record/contact_codec.hpp"
#include "capstan/record/mesh_codec.hpp"
#include "capstan/record/point_codec.hpp"

namespace capstan::record {
namespace {

constexpr int kZstdLevel = 3;
constexpr std::size_t kAlwaysAllowed = std::size_t(1) << 24;  // bytes in memory
constexpr std::size_t kAllowedPerByte = 64;                   // of a block
constexpr int kLargestStepExponent = 100;                     // so that places stay finite
constexpr std::uint32_t kSkippableFrame = 0x184D2A50;         // of zstd: decoders pass over it

void put_poses(ByteWriter& out, std::span<const LatticeFrame> frames) {
  for (const LatticeFrame& frame : frames)
    for (const capstan::Frame& pose : frame.obstacles) {
      for (int d = 0; d < 3; ++d) out.put<double>(pose.x[d]);
      for (int d = 0; d < 9; ++d) out.put<double>(pose.R.data()[d]);
    }
}

void get_poses(ByteReader& in, const FrameLayout& layout, std::vector<LatticeFrame>& frames) {
  for (LatticeFrame& frame : frames) {
    frame.obstacles.resize(static_cast<std::size_t>(layout.obstacles));
    for (capstan::Frame& pose : frame.obstacles) {
      for (int d = 0; d < 3; ++d) pose.x[d] = in.get<double>();
      for (int d = 0; d < 9; ++d) pose.R.data()[d] = in.get<double>();
      if (!pose.x.allFinite() || !pose.R.allFinite()) throw InputError("frame: a pose is not finite");
    }
  }
}

std::string compressed(std::string_view bytes) {
  std::string result(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size =
      ZSTD_compress(result.data(), result.size(), bytes.data(), bytes.size(), kZstdLevel);
  if (ZSTD_isError(size)) throw InputError(std::string("frame: zstd failed: ") + ZSTD_getErrorName(size));
  result.resize(size);
  return result;
}

/// Returns the bytes that the frames take in memory without their contacts, also as a Snapshot.
std::uint64_t bytes_in_memory(const FrameLayout& layout, std::size_t frames) {
  constexpr std::uint64_t kPoint = sizeof(Eigen::Vector3d), kMeshPoint = kPoint + sizeof(float);
  return frames * (kPoint * static_cast<std::uint64_t>(layout.points()) +
                   kMeshPoint * static_cast<std::uint64_t>(layout.mesh_points()) +
                   sizeof(capstan::Frame) * static_cast<std::uint64_t>(layout.obstacles));
}

void check_memory(std::uint64_t needed, std::size_t block_bytes, const char* what) {
  if (needed > unpacked_limit(block_bytes))
    throw InputError("frame: a block of " + std::to_string(block_bytes) + " bytes names " + what + " of " +
                     std::to_string(needed) + " bytes, expected at most " +
                     std::to_string(unpacked_limit(block_bytes)));
}

/// Makes a block so long that its frames are within unpacked_limit(). Only large bodies that keep their shape
/// compress so well that something is added.
void lengthen(std::string& block, std::uint64_t in_memory) {
  if (in_memory <= unpacked_limit(block.size())) return;
  ByteWriter filling;
  const std::uint64_t wanted = in_memory / kAllowedPerByte + 1 - block.size();
  filling.put(kSkippableFrame);
  filling.put(static_cast<std::uint32_t>(wanted));
  filling.append(std::string(static_cast<std::size_t>(wanted), '\0'));
  block += filling.bytes();
}

std::string decompressed(std::string_view bytes) {
  const unsigned long long size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR)
    throw InputError("frame: a block is damaged: zstd names no size for it");
  check_memory(size, bytes.size(), "contents");
  std::string result(static_cast<std::size_t>(size), '\0');
  const std::size_t found = ZSTD_decompress(result.data(), result.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(found) || found != result.size())
    throw InputError("frame: a block is damaged: zstd refuses it");
  return result;
}

/// How many points there are; counts that make no sense are told by `refuse`.
template <typename Refuse>
long long sum_of(const std::vector<int>& counts, const char* what, Refuse&& refuse) {
  long long sum = 0;
  for (const int count : counts) {
    if (count < 1)
      refuse(std::string(what) + " has " + std::to_string(count) + " points, expected at least 1");
    sum += count;
  }
  return sum;
}

}  // namespace

std::size_t unpacked_limit(std::size_t block_bytes) {
  return std::max(kAlwaysAllowed, kAllowedPerByte * block_bytes);
}

int FrameLayout::points() const {
  return std::accumulate(points_per_strand.begin(), points_per_strand.end(), 0);
}

int FrameLayout::mesh_points() const {
  return std::accumulate(points_per_mesh.begin(), points_per_mesh.end(), 0);
}

void check(const FrameLayout& layout) {
  const auto refuse = [](const std::string& what) { throw InputError("frame layout: " + what); };
  int exponent = 0;
  if (!std::isfinite(layout.step) || std::frexp(layout.step, &exponent) != 0.5 ||
      std::abs(exponent) > kLargestStepExponent)
    refuse("step is " + std::to_string(layout.step) + ", expected a power of two, from 2^-100 to 2^99");
  if (layout.frames_per_chunk < 1 || layout.frames_per_chunk > 1000)
    refuse("frames_per_chunk is " + std::to_string(layout.frames_per_chunk) + ", expected 1 to 1000");
  if (layout.version < kOldestFrames || layout.version > kNewestFrames)
    refuse("version is " + std::to_string(layout.version) + ", expected " + std::to_string(kOldestFrames) +
           " to " + std::to_string(kNewestFrames));
  if (layout.obstacles < 0) refuse("obstacles is " + std::to_string(layout.obstacles) + ", expected >= 0");
  const long long points =
      sum_of(layout.points_per_strand, "a strand", refuse) + sum_of(layout.points_per_mesh, "a mesh", refuse);
  if (points > (1LL << 28)) refuse("has " + std::to_string(points) + " points, expected at most 2^28");
  if (layout.version < kFirstWithMeshes && layout.meshes() > 0)
    refuse("has " + std::to_string(layout.meshes()) + " meshes, expected none in version " +
           std::to_string(layout.version));
}

LatticeFrame to_lattice(const FrameLayout& layout, const Snapshot& snapshot) {
  if (snapshot.points.cols() != layout.points() ||
      snapshot.obstacles.size() != static_cast<std::size_t>(layout.obstacles))
    throw InputError("frame: has " + std::to_string(snapshot.points.cols()) + " points and " +
                     std::to_string(snapshot.obstacles.size()) + " obstacles, expected " +
                     std::to_string(layout.points()) + " and " + std::to_string(layout.obstacles));
  if (!std::isfinite(snapshot.t)) throw InputError("frame: t is not finite");
  LatticeFrame frame{
      snapshot.t, points_to_lattice(snapshot.points, layout.step, "point"), snapshot.obstacles, {}};
  for (std::size_t k = 0; k < snapshot.obstacles.size(); ++k)
    if (!snapshot.obstacles[k].x.allFinite() || !snapshot.obstacles[k].R.allFinite())
      throw InputError("frame: the pose of obstacle " + std::to_string(k) + " is not finite");
  for (std::size_t k = 0; k < snapshot.contacts.size(); ++k)
    frame.contacts.push_back(contact_to_lattice(snapshot.contacts[k], layout.step, static_cast<int>(k)));
  set_meshes(frame, layout, snapshot);
  return frame;
}

Snapshot from_lattice(const FrameLayout& layout, const LatticeFrame& frame) {
  Snapshot snapshot{frame.t, points_from_lattice(frame.points, layout.step), frame.obstacles, {}};
  for (const LatticeContact& contact : frame.contacts)
    snapshot.contacts.push_back(contact_from_lattice(contact, layout.step));
  snapshot.mesh_points = points_from_lattice(frame.mesh_points, layout.step);
  snapshot.mesh_values = values_from_codes(frame.mesh_values);
  return snapshot;
}

std::string encode(const FrameLayout& layout, std::span<const LatticeFrame> frames) {
  ByteWriter out;
  put_points(out, layout.points_per_strand, frames, &LatticeFrame::points);
  put_poses(out, frames);
  put_contacts(out, layout.version, frames);
  if (layout.version >= kFirstWithMeshes) put_meshes(out, layout, frames);
  std::string block = compressed(out.bytes());
  lengthen(block, std::max<std::uint64_t>({bytes_in_memory(layout, frames.size()), out.bytes().size(),
                                           bytes_of_contacts(frames)}));
  return block;
}

std::vector<LatticeFrame> decode(const FrameLayout& layout, int count, std::string_view bytes) {
  check_memory(bytes_in_memory(layout, static_cast<std::size_t>(count)), bytes.size(), "frames");
  const std::string raw = decompressed(bytes);
  ByteReader in(raw);
  std::vector<LatticeFrame> frames(static_cast<std::size_t>(count));
  get_points(in, layout.points_per_strand, frames, &LatticeFrame::points);
  get_poses(in, layout, frames);
  get_contacts(in, layout.version, unpacked_limit(bytes.size()), frames);
  if (layout.version >= kFirstWithMeshes) get_meshes(in, layout, frames);
  if (in.left() > 0) throw InputError("frame: a block is longer than its frames");
  return frames;
}

}  // namespace capstan::record
