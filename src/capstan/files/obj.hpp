#pragma once
#include <Eigen/Core>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace capstan {

/// What a Wavefront OBJ file says about shape: `v`, `vt`, `f` (polygons are cut into fans of triangles) and
/// `l`. Normals, names and materials are passed over. Indices count from 0 here.
struct ObjShapes {
  std::vector<Eigen::Vector3d> vertices;
  std::vector<std::array<int, 3>> triangles;
  std::vector<std::vector<int>> polylines;
  std::vector<Eigen::Vector2d> uv;               ///< texture coordinates
  std::vector<std::array<int, 3>> uv_triangles;  ///< those of the corners of each triangle; -1: none
};

/// Throws InputError of the form `name:line: found "x", expected what` for numbers that are none or not
/// finite, fewer than three coordinates, three corners or two points, and vertices that the file does not
/// have. Negative indices count back from the latest vertex, as the format says. A backslash at the end of a
/// line continues it. A corner that names no texture coordinate of the file has none: most who read shapes
/// do not care.
ObjShapes parse_obj(std::string_view text, const std::string& name);
ObjShapes read_obj(const std::filesystem::path& path);

}  // namespace capstan
