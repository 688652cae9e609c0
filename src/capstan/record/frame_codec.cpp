#include "capstan/record/frame_codec.hpp"

#include <zstd.h>

#include <bit>
#include <cmath>
#include <numeric>

#include "capstan/errors.hpp"
#include "capstan/record/byte_planes.hpp"
#include "capstan/record/contact_codec.hpp"

namespace capstan::record {
namespace {

constexpr int kZstdLevel = 3;
constexpr std::size_t kLargestBlock = std::size_t(1) << 34;

/// What two frames before say about the next: nothing, the same place, the same velocity.
std::uint32_t forecast(std::uint32_t last, std::uint32_t before, std::size_t frame) {
  return frame == 0 ? 0u : frame == 1 ? last : 2 * last - before;
}

/// Calls use(first, count) for every strand in every coordinate.
template <typename Use>
void for_each_strand(const FrameLayout& layout, Use&& use) {
  std::size_t first = 0;
  for (int d = 0; d < 3; ++d)
    for (const int count : layout.points_per_strand) {
      use(first, static_cast<std::size_t>(count));
      first += static_cast<std::size_t>(count);
    }
}

/// Differences of first or second order along every strand, zigzagged.
std::vector<std::uint32_t> along_strands(const FrameLayout& layout,
                                         const std::vector<std::uint32_t>& residual, int order) {
  std::vector<std::uint32_t> values;
  values.reserve(residual.size());
  for (std::size_t offset = 0; offset < residual.size();
       offset += 3 * static_cast<std::size_t>(layout.points()))
    for_each_strand(layout, [&](std::size_t first, std::size_t count) {
      std::uint32_t last = 0, slope = 0;
      for (std::size_t k = offset + first; k < offset + first + count; ++k) {
        const std::uint32_t difference = residual[k] - last;
        values.push_back(zigzag(order == 2 ? difference - slope : difference));
        slope = difference;
        last = residual[k];
      }
    });
  return values;
}

std::size_t bits(const std::vector<std::uint32_t>& values) {
  std::size_t sum = 0;
  for (const std::uint32_t value : values) sum += static_cast<std::size_t>(std::bit_width(value));
  return sum;
}

/// Smooth motion is cheaper with second differences along the strand, hair that rubs and jumps with first
/// ones: takes what has fewer bits in this chunk.
void put_points(ByteWriter& out, const FrameLayout& layout, std::span<const LatticeFrame> frames) {
  const std::size_t size = 3 * static_cast<std::size_t>(layout.points());
  std::vector<std::uint32_t> residual;
  residual.reserve(size * frames.size());
  const auto at = [&](std::size_t frame, std::size_t k) {
    return static_cast<std::uint32_t>(frames[frame].points[k]);
  };
  for (std::size_t f = 0; f < frames.size(); ++f)
    for (std::size_t k = 0; k < size; ++k)
      residual.push_back(at(f, k) - forecast(f > 0 ? at(f - 1, k) : 0, f > 1 ? at(f - 2, k) : 0, f));
  const auto first = along_strands(layout, residual, 1), second = along_strands(layout, residual, 2);
  const bool use_second = bits(second) < bits(first);
  out.put<std::uint8_t>(use_second ? 2 : 1);
  put_planes(out, use_second ? second : first);
}

void get_points(ByteReader& in, const FrameLayout& layout, std::vector<LatticeFrame>& frames) {
  const std::size_t size = 3 * static_cast<std::size_t>(layout.points());
  const int order = in.get<std::uint8_t>();
  if (order != 1 && order != 2) throw InputError("frame: differences of order " + std::to_string(order));
  const std::vector<std::uint32_t> values = get_planes(in, size * frames.size());
  const auto at = [&](std::size_t frame, std::size_t k) {
    return static_cast<std::uint32_t>(frames[frame].points[k]);
  };
  for (std::size_t f = 0; f < frames.size(); ++f) {
    frames[f].points.resize(size);
    for_each_strand(layout, [&](std::size_t first, std::size_t count) {
      std::uint32_t residual = 0, slope = 0;
      for (std::size_t k = first; k < first + count; ++k) {
        const std::uint32_t value = unzigzag(values[f * size + k]);
        slope = order == 2 ? slope + value : value;
        residual += slope;
        const std::uint32_t expected = forecast(f > 0 ? at(f - 1, k) : 0, f > 1 ? at(f - 2, k) : 0, f);
        frames[f].points[k] = static_cast<std::int32_t>(expected + residual);
      }
    });
  }
}

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

std::string decompressed(std::string_view bytes) {
  const unsigned long long size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  if (size > kLargestBlock) throw InputError("frame: a block is damaged: zstd names no size for it");
  std::string result(static_cast<std::size_t>(size), '\0');
  const std::size_t found = ZSTD_decompress(result.data(), result.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(found) || found != result.size())
    throw InputError("frame: a block is damaged: zstd refuses it");
  return result;
}

}  // namespace

int FrameLayout::points() const {
  return std::accumulate(points_per_strand.begin(), points_per_strand.end(), 0);
}

void check(const FrameLayout& layout) {
  const auto refuse = [](const std::string& what) { throw InputError("frame layout: " + what); };
  int exponent = 0;
  if (!std::isfinite(layout.step) || std::frexp(layout.step, &exponent) != 0.5)
    refuse("step is " + std::to_string(layout.step) + ", expected a power of two");
  if (layout.frames_per_chunk < 1 || layout.frames_per_chunk > 1000)
    refuse("frames_per_chunk is " + std::to_string(layout.frames_per_chunk) + ", expected 1 to 1000");
  if (layout.version < kOldestFrames || layout.version > kNewestFrames)
    refuse("version is " + std::to_string(layout.version) + ", expected " + std::to_string(kOldestFrames) +
           " to " + std::to_string(kNewestFrames));
  if (layout.obstacles < 0) refuse("obstacles is " + std::to_string(layout.obstacles) + ", expected >= 0");
  long long points = 0;
  for (const int count : layout.points_per_strand) {
    if (count < 1) refuse("a strand has " + std::to_string(count) + " points, expected at least 1");
    points += count;
  }
  if (points > (1LL << 28)) refuse("has " + std::to_string(points) + " points, expected at most 2^28");
}

LatticeFrame to_lattice(const FrameLayout& layout, const Snapshot& snapshot) {
  if (snapshot.points.cols() != layout.points() ||
      snapshot.obstacles.size() != static_cast<std::size_t>(layout.obstacles))
    throw InputError("frame: has " + std::to_string(snapshot.points.cols()) + " points and " +
                     std::to_string(snapshot.obstacles.size()) + " obstacles, expected " +
                     std::to_string(layout.points()) + " and " + std::to_string(layout.obstacles));
  if (!std::isfinite(snapshot.t)) throw InputError("frame: t is not finite");
  LatticeFrame frame{snapshot.t, {}, snapshot.obstacles, {}};
  frame.points.reserve(static_cast<std::size_t>(snapshot.points.size()));
  for (int d = 0; d < 3; ++d)
    for (int k = 0; k < snapshot.points.cols(); ++k)
      frame.points.push_back(lattice_coordinate(snapshot.points(d, k), layout.step, "point", k));
  for (std::size_t k = 0; k < snapshot.obstacles.size(); ++k)
    if (!snapshot.obstacles[k].x.allFinite() || !snapshot.obstacles[k].R.allFinite())
      throw InputError("frame: the pose of obstacle " + std::to_string(k) + " is not finite");
  for (std::size_t k = 0; k < snapshot.contacts.size(); ++k)
    frame.contacts.push_back(contact_to_lattice(snapshot.contacts[k], layout.step, static_cast<int>(k)));
  return frame;
}

Snapshot from_lattice(const FrameLayout& layout, const LatticeFrame& frame) {
  Snapshot snapshot{frame.t, Eigen::Matrix3Xd(3, layout.points()), frame.obstacles, {}};
  const auto count = static_cast<std::size_t>(layout.points());
  for (std::size_t d = 0; d < 3; ++d)
    for (std::size_t k = 0; k < count; ++k)
      snapshot.points(static_cast<int>(d), static_cast<int>(k)) = layout.step * frame.points[d * count + k];
  for (const LatticeContact& contact : frame.contacts)
    snapshot.contacts.push_back(contact_from_lattice(contact, layout.step));
  return snapshot;
}

std::string encode(const FrameLayout& layout, std::span<const LatticeFrame> frames) {
  ByteWriter out;
  put_points(out, layout, frames);
  put_poses(out, frames);
  put_contacts(out, layout.version, frames);
  return compressed(out.bytes());
}

std::vector<LatticeFrame> decode(const FrameLayout& layout, int count, std::string_view bytes) {
  const std::string raw = decompressed(bytes);
  ByteReader in(raw);
  std::vector<LatticeFrame> frames(static_cast<std::size_t>(count));
  get_points(in, layout, frames);
  get_poses(in, layout, frames);
  get_contacts(in, layout.version, frames);
  if (in.left() > 0) throw InputError("frame: a block is longer than its frames");
  return frames;
}

}  // namespace capstan::record
