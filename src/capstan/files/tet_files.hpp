#pragma once
#include <Eigen/Core>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace capstan::files {

/// Tetrahedra of a file, in its own units and axes; nodes count from 0. Nodes that no tet uses are left out,
/// the others keep their order. A tet of negative volume is turned round by exchange of its last two nodes,
/// so that (x1 - x0) x (x2 - x0) . (x3 - x0) >= 0. Tets of second order (ten nodes) are read as their
/// corners.
struct TetFile {
  Eigen::Matrix3Xd x;
  std::vector<std::array<int, 4>> tets;
};

/// All of these throw InputError of the form `name:line:column: found "x", expected what` for numbers that
/// are none or not finite, counts that the file does not hold, nodes that it does not have or that a tet
/// names twice, and files without tets.

/// Gmsh's .msh, ASCII, of the versions 2.2 and 4.1. Elements that are no tets and other sections are skipped.
/// Binary files are refused.
TetFile parse_gmsh(std::string_view text, const std::string& name);
TetFile read_gmsh(const std::filesystem::path& path);

/// TetGen's .node and .ele, counted from 0 or 1 (whatever the first node says), with comments (# ...).
TetFile parse_tetgen(std::string_view nodes, const std::string& nodes_name, std::string_view elements,
                     const std::string& elements_name);
/// Either of the two files; the other is beside it.
TetFile read_tetgen(const std::filesystem::path& path);

}  // namespace capstan::files
