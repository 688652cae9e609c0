#include "capstan/body/soft/tet_mesh.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>
#include <string>

#include "capstan/body/soft/lattice.hpp"
#include "capstan/errors.hpp"

namespace capstan {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using std::numbers::pi;

/// The corners of the face opposite corner k, counterclockwise seen from outside.
constexpr std::array<std::array<int, 3>, 4> kTetFaces{{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};

void require_size(const char* mesh, const char* name, double value) {
  if (!(value > 0) || !std::isfinite(value))
    throw InputError(std::string(mesh) + ": " + name + " is " + std::to_string(value) + ", expected > 0");
}

double longest_edge_of(const TetMesh& mesh, const std::array<int, 4>& tet) {
  double longest = 0;
  for (int a = 0; a < 4; ++a)
    for (int b = a + 1; b < 4; ++b)
      longest = std::max(longest, (mesh.x.col(tet[a]) - mesh.x.col(tet[b])).norm());
  return longest;
}

/// What is wrong with a tet; empty if nothing is.
std::string tet_defect(const TetMesh& mesh, int index) {
  const std::array<int, 4>& tet = mesh.tets[index];
  for (const int node : tet)
    if (node < 0 || node >= mesh.nodes())
      return "node is " + std::to_string(node) + ", expected 0 to " + std::to_string(mesh.nodes() - 1);
  for (int a = 0; a < 4; ++a)
    if (std::count(tet.begin(), tet.end(), tet[a]) > 1)
      return "node " + std::to_string(tet[a]) + " is there twice, expected four different nodes";
  const double V = tet_volume(mesh, index);
  if (!(V > 1e-12 * std::pow(longest_edge_of(mesh, tet), 3)))
    return (std::ostringstream() << "volume is " << V << ", expected > 0").str();
  return "";
}

/// Corners (bit k: far along axis k) of the five tets of a cell: four corners cut off and what is left.
constexpr std::array<std::array<int, 4>, 5> kFive{
    {{0, 1, 2, 4}, {3, 2, 1, 7}, {5, 4, 7, 1}, {6, 7, 4, 2}, {1, 2, 4, 7}}};

/// Every other cell is mirrored, so that neighbours have the same diagonal on the face between them.
void add_five_tets(const LatticeCell& corners, const LatticeCell& cell,
                   std::vector<std::array<int, 4>>& tets) {
  const int mirrored = (cell[0] + cell[1] + cell[2]) % 2;
  for (const std::array<int, 4>& five : kFive) {
    std::array<int, 4> tet;
    for (int a = 0; a < 4; ++a) {
      const int c = five[a] ^ mirrored;
      tet[a] = cell_index({cell[0] + (c & 1), cell[1] + (c >> 1 & 1), cell[2] + (c >> 2)}, corners);
    }
    if (mirrored) std::swap(tet[2], tet[3]);
    tets.push_back(tet);
  }
}

/// Orders of the axes, even ones first.
constexpr std::array<std::array<int, 3>, 6> kPaths{
    {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}}};

/// Six tets around the diagonal that starts at `from` and runs along `step` (+-1 on each axis): the paths
/// along the edges of the cell from one end to the other [Freudenthal 1942].
void add_six_tets(const LatticeCell& corners, const LatticeCell& from, const LatticeCell& step,
                  std::vector<std::array<int, 4>>& tets) {
  const bool mirrored = step[0] * step[1] * step[2] < 0;
  for (int path = 0; path < 6; ++path) {
    LatticeCell at = from;
    std::array<int, 4> tet{cell_index(at, corners)};
    for (int k = 0; k < 3; ++k) {
      const int axis = kPaths[path][k];
      at[axis] += step[axis];
      tet[k + 1] = cell_index(at, corners);
    }
    if ((path >= 3) != mirrored) std::swap(tet[2], tet[3]);
    tets.push_back(tet);
  }
}

/// Corners with coordinates from -1 to 1.
Eigen::Matrix3Xd lattice_corners(const LatticeCell& cells) {
  const LatticeCell corners = corner_count(cells);
  Eigen::Matrix3Xd x(3, corners[0] * corners[1] * corners[2]);
  for_each_cell(corners, [&](const LatticeCell& at) {
    for (int k = 0; k < 3; ++k) x(k, cell_index(at, corners)) = double(2 * at[k] - cells[k]) / cells[k];
  });
  return x;
}

/// From the cube of half edge 1 to the unit ball.
Vector3d drawn_to_ball(const Vector3d& p) {
  const double layer = p.cwiseAbs().maxCoeff();
  if (layer == 0) return p;
  return layer * (pi / 4 / layer * p).array().tan().matrix().normalized();
}

using TetFace = std::array<int, 5>;  // corners rising, tet, corner opposite

std::vector<TetFace> sorted_faces(const TetMesh& mesh) {
  std::vector<TetFace> faces;
  faces.reserve(4 * mesh.tets.size());
  for (std::size_t t = 0; t < mesh.tets.size(); ++t)
    for (int k = 0; k < 4; ++k) {
      TetFace face{mesh.tets[t][kTetFaces[k][0]], mesh.tets[t][kTetFaces[k][1]],
                   mesh.tets[t][kTetFaces[k][2]], int(t), k};
      std::sort(face.begin(), face.begin() + 3);
      faces.push_back(face);
    }
  std::sort(faces.begin(), faces.end());
  return faces;
}

bool same_corners(const TetFace& a, const TetFace& b) {
  return std::equal(a.begin(), a.begin() + 3, b.begin());
}

}  // namespace

void check_mesh(const TetMesh& mesh, const char* name) {
  for (int i = 0; i < mesh.nodes(); ++i)
    if (!mesh.x.col(i).allFinite())
      throw InputError(std::string(name) + ": node " + std::to_string(i) + " is not finite");
  if (mesh.tets.empty()) throw InputError(std::string(name) + ": has no tets, expected 1 or more");
  for (std::size_t t = 0; t < mesh.tets.size(); ++t)
    if (const std::string what = tet_defect(mesh, int(t)); !what.empty())
      throw InputError(std::string(name) + ": tet " + std::to_string(t) + ": " + what);
}

double tet_volume(const TetMesh& mesh, int tet) {
  const auto& [a, b, c, d] = mesh.tets[tet];
  const Vector3d x0 = mesh.x.col(a), e1 = mesh.x.col(b) - x0, e2 = mesh.x.col(c) - x0;
  return e1.cross(e2).dot(mesh.x.col(d) - x0) / 6;
}

double volume(const TetMesh& mesh) {
  double sum = 0;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) sum += tet_volume(mesh, int(t));
  return sum;
}

std::vector<std::array<int, 3>> surface_triangles(const TetMesh& mesh) {
  const std::vector<TetFace> faces = sorted_faces(mesh);
  std::vector<std::array<int, 2>> alone;  // tet, corner opposite
  for (std::size_t i = 0; i < faces.size();) {
    std::size_t end = i + 1;
    while (end < faces.size() && same_corners(faces[i], faces[end])) ++end;
    if (end == i + 1) alone.push_back({faces[i][3], faces[i][4]});
    i = end;
  }
  std::sort(alone.begin(), alone.end());
  std::vector<std::array<int, 3>> triangles;
  for (const auto& [t, k] : alone)
    triangles.push_back(
        {mesh.tets[t][kTetFaces[k][0]], mesh.tets[t][kTetFaces[k][1]], mesh.tets[t][kTetFaces[k][2]]});
  return triangles;
}

Eigen::VectorXd lumped_masses(const TetMesh& mesh, double density) {
  require_size("solid", "density", density);
  Eigen::VectorXd mass = Eigen::VectorXd::Zero(mesh.nodes());
  for (std::size_t t = 0; t < mesh.tets.size(); ++t)
    for (const int node : mesh.tets[t]) mass[node] += density * tet_volume(mesh, int(t)) / 4;
  return mass;
}

TetMesh box_mesh(const Vector3d& size, const std::array<int, 3>& cells) {
  for (int k = 0; k < 3; ++k) require_size("box", "size", size[k]);
  check_cells(cells, "box");
  TetMesh mesh;
  mesh.x = 0.5 * size.asDiagonal() * lattice_corners(cells);
  for_each_cell(cells, [&](const LatticeCell& cell) { add_five_tets(corner_count(cells), cell, mesh.tets); });
  return mesh;
}

TetMesh ball_mesh(double radius, int cells) {
  require_size("ball", "radius", radius);
  check_cells({cells, cells, cells}, "ball");
  const LatticeCell across{2 * cells, 2 * cells, 2 * cells};
  check_cells(across, "ball");
  TetMesh mesh;
  mesh.x = lattice_corners(across);
  for (int i = 0; i < mesh.nodes(); ++i) mesh.x.col(i) = radius * drawn_to_ball(mesh.x.col(i));
  // Diagonals run outwards: the planes where the map has kinks are faces of tets.
  for_each_cell(across, [&](const LatticeCell& cell) {
    LatticeCell from = cell, step;
    for (int k = 0; k < 3; ++k) {
      step[k] = cell[k] >= cells ? 1 : -1;
      from[k] += step[k] < 0;
    }
    add_six_tets(corner_count(across), from, step, mesh.tets);
  });
  return mesh;
}

}  // namespace capstan
