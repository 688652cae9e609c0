#include "capstan/record/surface_lines.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

#include "capstan/errors.hpp"
#include "capstan/files/base64.hpp"
#include "capstan/record/bytes.hpp"

namespace capstan::record {

PackedLines packed(const SurfaceLines& lines) {
  PackedLines result;
  if (lines.size() == 0) return result;
  int exponent = 0;
  std::frexp(lines.cwiseAbs().maxCoeff() / std::numeric_limits<std::int16_t>::max(), &exponent);
  result.step = std::ldexp(1.0, exponent);
  ByteWriter out;
  for (const double x : lines.reshaped()) out.put(static_cast<std::int16_t>(std::lround(x / result.step)));
  result.text = files::base64(out.bytes());
  return result;
}

SurfaceLines unpacked(const PackedLines& lines) {
  const std::string bytes = files::from_base64(lines.text);
  constexpr std::size_t line = 6 * sizeof(std::int16_t);
  if (bytes.size() % line != 0)
    throw InputError("structure: its lines have " + std::to_string(bytes.size()) +
                     " bytes, expected a multiple of " + std::to_string(line));
  SurfaceLines result(6, static_cast<Eigen::Index>(bytes.size() / line));
  ByteReader in(bytes);
  for (double& x : result.reshaped()) x = lines.step * in.get<std::int16_t>();
  return result;
}

}  // namespace capstan::record
