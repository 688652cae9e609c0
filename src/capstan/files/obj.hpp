#pragma once
#include <Eigen/Core>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace capstan {

/// What a Wavefront OBJ file says about shape: `v`, `f` (polygons are cut into fans of triangles) and `l`.
/// Texture coordinates, normals, names and materials are passed over. Indices count from 0 here.
struct ObjShapes {
  std::vector<Eigen::Vector3d> vertices;
  std::vector<std::array<int, 3>> triangles;
  std::vector<std::vector<int>> polylines;
};

/// Throws InputError of the form `name:line: found "x", expected what` for numbers that are none or not
/// finite, fewer than three coordinates, three corners or two points, and vertices that the file does not
/// have. Negative indices count back from the latest vertex, as the format says. A backslash at the end of a
/// line continues it.
ObjShapes parse_obj(std::string_view text, const std::string& name);
ObjShapes read_obj(const std::filesystem::path& path);

}  // namespace capstan
