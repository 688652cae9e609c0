#pragma once
#include <array>

#include "capstan/body/soft/cloth_mesh.hpp"

namespace capstan {

/// Two triangles at rest that share an edge from a to b.
struct HingeShape {
  double length;                 ///< of the edge, m
  std::array<double, 2> height;  ///< of the opposite nodes above the edge, m
  std::array<double, 2> foot;    ///< where, as a part of the way from a to b; beyond 0 to 1 if obtuse
};

/// The edge must be a hinge, of a mesh that has passed check().
HingeShape hinge_shape(const ClothMesh& mesh, const ClothEdge& edge);

/// Stiffness s of a hinge, N m, so that the sum of s theta^2/2 over a mesh is the energy of a plate of
/// bending stiffness D: D k^2/2 per area for a cylinder. A surface of second derivatives H (n across the
/// edge, t along it) turns by
///   theta = h (H_nn + q H_nt - r H_tt)    h = (h1 + h2)/2    q = l (f1 - f2)/h
///                                         r = l^2 (f1 (1 - f1)/h1 + f2 (1 - f2)/h2)/(2 h),
/// and the weight is
///   s = 4/3 D l/(h (1 + r + q^2)).
/// Hinges alone do not make a mesh that bends evenly: nodes settle a little beside the cylinder, and what
/// counts is the energy after that. With this weight it is that of the plate in every direction on squares
/// with alternating diagonals (on which a cylinder through all nodes costs 4/3 of it) and on equilateral
/// triangles. Elsewhere, computed on periodic meshes: with nodes of these moved by up to 0.25 of a cell the
/// mean over directions is 0.95 to 1, and each direction within 3 % of it; on rectangles of 3 : 2 it is 0.91,
/// from 1.20 when curved along the longer side to 0.66 along the shorter. (l/h = l^2/(A_1 + A_2), the weight
/// of Grinspun et al. 2003, Discrete shells, up to a factor, has 0.83 to 1.33 on squares.)
/// The Poisson's ratio of bending is not free: it is -1/3 on both meshes, so a narrow strip has the bending
/// stiffness 8/9 D, as one of +1/3 has.
double hinge_stiffness(const HingeShape& hinge, double bending);

}  // namespace capstan
