#pragma once
#include <Eigen/Core>
#include <array>
#include <vector>

namespace capstan {

/// A solid cut into tetrahedra. Corners of a tet run so that (x1 - x0) x (x2 - x0) . (x3 - x0) > 0.
struct TetMesh {
  Eigen::Matrix3Xd x;  ///< nodes, m
  std::vector<std::array<int, 4>> tets;

  int nodes() const { return static_cast<int>(x.cols()); }
};

/// Throws InputError, naming the first offender, unless nodes are finite, there are tets, and each has four
/// different nodes of the mesh and a positive volume: more than 1e-12 of its longest edge cubed, below which
/// it is rounding. `name` begins the message.
void check_mesh(const TetMesh& mesh, const char* name = "solid");

double tet_volume(const TetMesh& mesh, int tet);  ///< m^3; negative if it is turned inside out
double volume(const TetMesh& mesh);               ///< m^3

/// Faces that belong to one tet, counterclockwise seen from outside, in the order of the tets. The surface is
/// closed: its edges are run along as often one way as the other.
std::vector<std::array<int, 3>> surface_triangles(const TetMesh& mesh);

/// Of each node, kg: a quarter of the tets around it. Throws InputError unless density (kg/m^3) is positive.
Eigen::VectorXd lumped_masses(const TetMesh& mesh, double density);

/// A box around the origin; `size` are whole edges, m. Each cell is cut into five tets and neighbouring cells
/// mirror each other, so that with even numbers of cells the mesh has the symmetry of the box. Cells should
/// be nearly cubes. Throws InputError unless sizes are positive and cells are 1 or more, 1e7 in all.
TetMesh box_mesh(const Eigen::Vector3d& size, const std::array<int, 3>& cells);

/// A ball around the origin, `cells` (1 or more) from the centre to the surface: a cube of lattice cells,
/// drawn in along rays so that its layers become concentric spheres. All surface nodes lie on the sphere, no
/// tet has two faces there, and directions are spaced by equal angles.
TetMesh ball_mesh(double radius, int cells);

}  // namespace capstan
