#pragma once
#include <Eigen/Core>
#include <array>
#include <vector>

#include "capstan/body/soft/cloth_material.hpp"
#include "capstan/body/soft/cloth_mesh.hpp"
#include "capstan/body/soft/cloth_triangles.hpp"
#include "capstan/body/soft/elasticity.hpp"

namespace capstan {

/// Cloth of masses and springs. Reads stretch (E here), shear (G) and bending of the material, not poisson.
///
/// Stretch and shear: springs V = k/2 (length - rest)^2. Two triangles whose common edge is the longest of
/// both and sees angles between 75 and 105 degrees make a cell, with threads along its sides and shear
/// springs along both diagonals. A side of length a (the other: b) gets from each cell of area A
///   k = A/(2 a^2) (C - G a^2/b^2),   C = (E + sqrt(E^2 + 4 G^2))/2,
/// a diagonal of length d gets k = G d^2/(2 A): the linear elasticity of C = C_11 = C_22 and G = C_12 = C_66.
/// On rectangles E, along threads, and G are then exact, and the Poisson's ratio is G/C; rectangles longer
/// than about sqrt(C/G) (1.7 for an isotropic sheet) keep a tenth of C in the longer side and are too stiff.
/// Triangles without a cell give k = E area/length^2 to their edges (Van Gelder 1998, Approximate simulation
/// of elastic membranes by triangulated spring meshes). That has no shear stiffness to choose, it is 3/8 E,
/// with a Poisson's ratio of 1/3, and is exact for equilateral triangles.
///
/// Bending: V = s/2 (|w| - |w_0|)^2 an edge, s of hinge_stiffness(), where w = sum c_i x_i is the sum of the
/// unit vectors that lead from the edge to the opposite nodes across it, while triangles keep their shape:
/// |w| = 2 sin(angle/2). (Springs between these nodes would not do: where cloth is flat their energy is of
/// fourth order in the angle.) Of flat rest w_0 = 0, and the Hessian is constant (Bergou, Wardetzky, Harmon,
/// Zorin, Grinspun 2006, A quadratic bending model for inextensible surfaces). A hinge that is bent at rest
/// does not know to which side: pressed flat, it may come up on the other. Within the plane, bends resist
/// stretching that differs from triangle to triangle, with about D/length^2, which is little for cloth.
///
/// Forces are exact derivatives. The stiffness leaves out what compression takes away: of a spring shorter
/// than at rest, what is across it.
class MassSpringCloth : public Elasticity {
 public:
  /// Throws InputError for a mesh or material that does not pass check().
  MassSpringCloth(const ClothMesh& mesh, const ClothMaterial& material);

  std::vector<std::pair<int, int>> couplings() const override;
  double energy(const Eigen::Matrix3Xd& x) const override;
  void add_forces(const Eigen::Matrix3Xd& x, Eigen::Matrix3Xd& f) const override;
  void add_stiffness(const Eigen::Matrix3Xd& x, NodeMatrix& K) const override;
  double stiffness_change(const Eigen::Matrix3Xd& x, const Eigen::Matrix3Xd& before) const override;
  Eigen::VectorXd strain(const Eigen::Matrix3Xd& x) const override;

 private:
  struct Spring {
    int a, b;
    double stiffness, rest;  // N/m, m

    Eigen::Vector3d vector(const Eigen::Matrix3Xd& x) const { return x.col(b) - x.col(a); }
  };
  struct Bend {
    std::array<int, 4> nodes;  // of the edge, opposite
    std::array<double, 4> c;   // 1/m
    double stiffness, rest;    // N m, |w_0|

    Eigen::Vector3d vector(const Eigen::Matrix3Xd& x) const {
      return c[0] * x.col(nodes[0]) + c[1] * x.col(nodes[1]) + c[2] * x.col(nodes[2]) +
             c[3] * x.col(nodes[3]);
    }
  };
  void add_springs(const ClothMesh& mesh, const std::vector<ClothEdge>& edges, const ClothMaterial& material);
  void add_bend(const ClothMesh& mesh, const ClothEdge& edge, double bending);

  std::vector<RestTriangle> triangles_;  // for strain
  std::vector<Spring> springs_;
  std::vector<Bend> bends_;
};

}  // namespace capstan
