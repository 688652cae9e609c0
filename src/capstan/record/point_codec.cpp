#include "capstan/record/point_codec.hpp"

#include <bit>
#include <cmath>
#include <numeric>

#include "capstan/errors.hpp"
#include "capstan/record/byte_planes.hpp"

namespace capstan::record {
namespace {

/// What two frames before say about the next: nothing, the same place, the same velocity.
std::uint32_t forecast(std::uint32_t last, std::uint32_t before, std::size_t frame) {
  return frame == 0 ? 0u : frame == 1 ? last : 2 * last - before;
}

std::size_t coordinates(std::span<const int> counts) {
  return 3 * std::accumulate(counts.begin(), counts.end(), std::size_t(0));
}

/// Calls use(first, count) for every chain in every coordinate.
template <typename Use>
void for_each_chain(std::span<const int> counts, Use&& use) {
  std::size_t first = 0;
  for (int d = 0; d < 3; ++d)
    for (const int count : counts) {
      use(first, static_cast<std::size_t>(count));
      first += static_cast<std::size_t>(count);
    }
}

/// Differences of first or second order along every chain, zigzagged.
std::vector<std::uint32_t> along_chains(std::span<const int> counts,
                                        const std::vector<std::uint32_t>& residual, int order) {
  std::vector<std::uint32_t> values;
  values.reserve(residual.size());
  for (std::size_t offset = 0; offset < residual.size(); offset += coordinates(counts))
    for_each_chain(counts, [&](std::size_t first, std::size_t count) {
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

}  // namespace

std::int32_t lattice_coordinate(double x, double step, const char* what, int index) {
  const double q = std::nearbyint(x / step);
  if (!(std::abs(q) <= 0x1p30))
    throw InputError("frame: " + std::string(what) + " " + std::to_string(index) + " is at " +
                     std::to_string(x) + " m, expected a finite place within " +
                     std::to_string(step * 0x1p30) + " m of the origin");
  return static_cast<std::int32_t>(q);
}

std::vector<std::int32_t> points_to_lattice(const Eigen::Matrix3Xd& points, double step, const char* what) {
  std::vector<std::int32_t> lattice;
  lattice.reserve(static_cast<std::size_t>(points.size()));
  for (int d = 0; d < 3; ++d)
    for (int k = 0; k < points.cols(); ++k)
      lattice.push_back(lattice_coordinate(points(d, k), step, what, k));
  return lattice;
}

Eigen::Matrix3Xd points_from_lattice(const std::vector<std::int32_t>& points, double step) {
  const std::size_t count = points.size() / 3;
  Eigen::Matrix3Xd places(3, static_cast<Eigen::Index>(count));
  for (std::size_t d = 0; d < 3; ++d)
    for (std::size_t k = 0; k < count; ++k)
      places(static_cast<int>(d), static_cast<int>(k)) = step * points[d * count + k];
  return places;
}

/// Smooth motion is cheaper with second differences along the chain, hair that rubs and jumps with first
/// ones: takes what has fewer bits in this chunk.
void put_points(ByteWriter& out, std::span<const int> counts, std::span<const LatticeFrame> frames,
                FramePoints points) {
  const std::size_t size = coordinates(counts);
  std::vector<std::uint32_t> residual;
  residual.reserve(size * frames.size());
  const auto at = [&](std::size_t frame, std::size_t k) {
    return static_cast<std::uint32_t>((frames[frame].*points)[k]);
  };
  for (std::size_t f = 0; f < frames.size(); ++f)
    for (std::size_t k = 0; k < size; ++k)
      residual.push_back(at(f, k) - forecast(f > 0 ? at(f - 1, k) : 0, f > 1 ? at(f - 2, k) : 0, f));
  const auto first = along_chains(counts, residual, 1), second = along_chains(counts, residual, 2);
  const bool use_second = bits(second) < bits(first);
  out.put<std::uint8_t>(use_second ? 2 : 1);
  put_planes(out, use_second ? second : first);
}

void get_points(ByteReader& in, std::span<const int> counts, std::span<LatticeFrame> frames,
                FramePoints points) {
  const std::size_t size = coordinates(counts);
  const int order = in.get<std::uint8_t>();
  if (order != 1 && order != 2) throw InputError("frame: differences of order " + std::to_string(order));
  const std::vector<std::uint32_t> values = get_planes(in, size * frames.size());
  const auto at = [&](std::size_t frame, std::size_t k) {
    return static_cast<std::uint32_t>((frames[frame].*points)[k]);
  };
  for (std::size_t f = 0; f < frames.size(); ++f) {
    (frames[f].*points).resize(size);
    for_each_chain(counts, [&](std::size_t first, std::size_t count) {
      std::uint32_t residual = 0, slope = 0;
      for (std::size_t k = first; k < first + count; ++k) {
        const std::uint32_t value = unzigzag(values[f * size + k]);
        slope = order == 2 ? slope + value : value;
        residual += slope;
        const std::uint32_t expected = forecast(f > 0 ? at(f - 1, k) : 0, f > 1 ? at(f - 2, k) : 0, f);
        (frames[f].*points)[k] = static_cast<std::int32_t>(expected + residual);
      }
    });
  }
}

}  // namespace capstan::record
