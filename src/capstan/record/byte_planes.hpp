#pragma once
#include <bit>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "capstan/record/bytes.hpp"

/// Blocks of numbers whose upper bytes are mostly zeros.
namespace capstan::record {

// Differences wrap around, so that no value is too large for them; zigzag makes small negative numbers small.
inline std::uint32_t zigzag(std::uint32_t value) { return (value << 1) ^ (0u - (value >> 31)); }
inline std::uint32_t unzigzag(std::uint32_t value) { return (value >> 1) ^ (0u - (value & 1)); }

/// All lowest bytes, then all second ones, as far as any is not zero.
inline void put_planes(ByteWriter& out, const std::vector<std::uint32_t>& values) {
  const std::uint32_t all = std::accumulate(values.begin(), values.end(), 0u, std::bit_or<>());
  const int planes = (static_cast<int>(std::bit_width(all)) + 7) / 8;
  out.put<std::uint8_t>(static_cast<std::uint8_t>(planes));
  std::string bytes(values.size(), '\0');
  for (int plane = 0; plane < planes; ++plane) {
    for (std::size_t k = 0; k < values.size(); ++k) bytes[k] = static_cast<char>(values[k] >> (8 * plane));
    out.append(bytes);
  }
}

inline std::vector<std::uint32_t> get_planes(ByteReader& in, std::size_t count) {
  const int planes = in.get<std::uint8_t>();
  if (planes > 4)
    throw InputError("frame: a block has " + std::to_string(planes) + " byte planes, at most 4");
  std::vector<std::uint32_t> values(count);
  for (int plane = 0; plane < planes; ++plane) {
    const std::string_view bytes = in.take(count);
    for (std::size_t k = 0; k < count; ++k)
      values[k] |= std::uint32_t(static_cast<unsigned char>(bytes[k])) << (8 * plane);
  }
  return values;
}

}  // namespace capstan::record
