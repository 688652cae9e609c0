#pragma once
#include <Eigen/Geometry>
#include <functional>

#include "capstan/body/soft/tet_mesh.hpp"

namespace capstan {

/// Negative inside a solid, positive outside, continuous: a signed distance, m.
using SignedDistance = std::function<double(const Eigen::Vector3d&)>;

/// Fills a solid that lies inside `box` with tets of a body-centred cubic lattice of this `cell` edge (m), by
/// isosurface stuffing [Labelle and Shewchuk 2007]: lattice nodes close to the surface are moved onto it, and
/// tets that it still cuts are divided there. All nodes of the mesh's surface lie on the solid's (|distance|
/// <= 1e-10 cells, if it is a distance). Whatever the solid, no tet is flat: dihedral angles are between
/// about 10 and 160 degrees. Edges of the solid are blunted. What is thinner than a cell may have gaps or be
/// missing, and there more than two triangles may meet at an edge of the surface. Differs from the paper:
/// tets are divided edge by edge, long edges first, instead of by a table. Throws InputError unless box and
/// cell are positive, make 1e7 cells or fewer, and something lies inside.
TetMesh lattice_mesh(const SignedDistance& distance, const Eigen::AlignedBox3d& box, double cell);

}  // namespace capstan
