#pragma once
#include <Eigen/Core>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace capstan {

/// Strands of a .data file (USC-HairSalon), root to tip: i32 number of strands, then for each i32 number of
/// vertices and f32 x y z each, little-endian. Strands of one vertex stand for bald roots and are left out.
/// Throws InputError naming the file if the size does not fit or a coordinate is not finite.
std::vector<std::vector<Eigen::Vector3d>> parse_usc_data(std::string_view bytes, const std::string& name);
std::vector<std::vector<Eigen::Vector3d>> read_usc_data(const std::filesystem::path& path);

}  // namespace capstan
