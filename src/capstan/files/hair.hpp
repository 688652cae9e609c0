#pragma once
#include <Eigen/Core>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace capstan {

/// Strands of a .hair file (Cem Yuksel's format), root to tip, in the file's own units and axes.
struct HairFile {
  std::vector<std::vector<Eigen::Vector3d>> strands;
  double default_thickness = 0;
  std::vector<std::vector<double>> thickness;  ///< per point; empty if the file has none
  std::string information;                     ///< free text of the header
};

/// The file is little-endian without padding: "HAIR", numbers of strands and of points, flags (which arrays
/// follow), default segments, thickness, transparency and colour, 88 bytes of text; then segments (u16),
/// points, thickness, transparency, colours. Throws InputError naming the file if its size or any count does
/// not fit, or a coordinate is not finite. Transparency and colours are skipped.
HairFile parse_hair(std::string_view bytes, const std::string& name);
HairFile read_hair(const std::filesystem::path& path);

/// The file back, with segments and points, and with thickness if it is given for every point. InputError if
/// a strand has no point or more than 65,536, or the text is longer than 88 bytes. Places become 32-bit
/// floats.
std::string hair_bytes(const HairFile& file);

}  // namespace capstan
