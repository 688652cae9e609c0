#pragma once
#include <Eigen/Core>
#include <string>

namespace capstan::record {

/// Short lines on the surface of a solid that show where its structure runs: x, y, z of one end, then of the
/// other, m, in the frame of the solid.
using SurfaceLines = Eigen::Matrix<double, 6, Eigen::Dynamic>;

/// How a manifest holds them: coordinates as 16-bit multiples of a step, little-endian, in base64.
struct PackedLines {
  double step = 1;  ///< m; a power of two
  std::string text;
};
PackedLines packed(const SurfaceLines& lines);
/// InputError if the text is no base64 or does not hold whole lines.
SurfaceLines unpacked(const PackedLines& lines);

}  // namespace capstan::record
