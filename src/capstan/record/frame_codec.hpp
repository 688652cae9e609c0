#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capstan/record/snapshot.hpp"

/// How frames become few bytes. Places are integers on a lattice that is the same for the whole run, so that
/// decoding and encoding again changes nothing: a resumed run writes the bytes of an uninterrupted one. The
/// second difference in time and the first along the strand are small numbers; split into byte planes, their
/// upper bytes are runs of zeros and zstd makes the rest of it.
namespace capstan::record {

/// A contact on the lattice; docs/runs.md says what the numbers mean.
struct LatticeContact {
  enum class Cone : unsigned char { unknown, coefficients, axes };
  std::int32_t x[3];
  float f[3];
  std::int32_t a, b;
  ContactState state;
  Cone cone = Cone::unknown;
  std::int32_t mu_t = 0, mu_b = 0;  ///< the upper 20 bits of a 32-bit float
  std::int32_t normal[2] = {0, 0};  ///< on the octahedron
  std::int32_t tangent = 0;         ///< angle
  std::uint8_t beta = 0;            ///< of its bond
};

/// A snapshot on the lattice.
struct LatticeFrame {
  double t = 0;
  std::vector<std::int32_t> points;  ///< x of all points, then y, then z; unit FrameLayout::step
  std::vector<capstan::Frame> obstacles;
  std::vector<LatticeContact> contacts;
  std::vector<std::int32_t> mesh_points = {};  ///< of soft bodies, like points
  std::vector<std::uint8_t> mesh_values = {};  ///< one a vertex; mesh_codec.hpp has the scale
};

/// Refuses wrong sizes, numbers that are not finite, and places beyond 2^30 steps.
LatticeFrame to_lattice(const FrameLayout& layout, const Snapshot& snapshot);
Snapshot from_lattice(const FrameLayout& layout, const LatticeFrame& frame);

/// Returns how many bytes of memory the frames of a block may take: 64 for each byte of the block, and 16 MB
/// for any. A block of a few bytes can therefore not ask for gigabytes, whatever its numbers say.
std::size_t unpacked_limit(std::size_t block_bytes);

/// Frames without their times, which the record keeps in the open. encode() makes the block so long that
/// unpacked_limit() holds. decode() is given the number of frames and throws InputError if the bytes do not
/// hold exactly that many, or if the frames would take more memory than unpacked_limit() allows.
std::string encode(const FrameLayout& layout, std::span<const LatticeFrame> frames);
std::vector<LatticeFrame> decode(const FrameLayout& layout, int count, std::string_view bytes);

/// Refuses a layout that no run can have.
void check(const FrameLayout& layout);

}  // namespace capstan::record
