#pragma once
#include <Eigen/Core>
#include <array>
#include <vector>

#include "capstan/body/soft/cloth_material.hpp"
#include "capstan/body/soft/cloth_mesh.hpp"
#include "capstan/body/soft/cloth_triangles.hpp"
#include "capstan/body/soft/elasticity.hpp"

namespace capstan {

/// Cloth as a thin sheet. Reads stretch, poisson and bending of the material.
///
/// Membrane: triangles of constant strain, St Venant-Kirchhoff in plane stress,
///   V = area/2 S : E,   E = (F^T F - I)/2,   S = lambda tr(E) I + 2 mu E,
///   lambda = stretch nu/(1 - nu^2),   2 mu = stretch/(1 + nu).
/// Exact for small strains and any rotation. Stiffens in tension (force stretch eps (1 + 3/2 eps ...)), and
/// softens in compression, to nothing at 1/sqrt(3) of the length; cloth buckles long before that.
///
/// Bending: Grinspun, Hirani, Desbrun, Schroeder 2003, Discrete shells: V = s/2 (theta - theta_0)^2 an edge,
/// theta the angle between the normals, > 0 where cloth is hollow on the side from which its triangles run
/// counterclockwise, theta_0 that of the rest shape. Differs from the paper: weights s of hinge_stiffness().
///
/// Forces are exact derivatives; for bending while triangles keep a tenth of their rest area and edges a
/// tenth of their length, below which the derivative of the angle, infinite in the end, is cut. The stiffness
/// is that of the exact derivative without what compression takes away (the negative part of S), and for
/// bending without the curvature of the angle.
class MembraneCloth : public Elasticity {
 public:
  /// Throws InputError for a mesh or material that does not pass check().
  MembraneCloth(const ClothMesh& mesh, const ClothMaterial& material);

  std::vector<std::pair<int, int>> couplings() const override;
  double energy(const Eigen::Matrix3Xd& x) const override;
  void add_forces(const Eigen::Matrix3Xd& x, Eigen::Matrix3Xd& f) const override;
  void add_stiffness(const Eigen::Matrix3Xd& x, NodeMatrix& K) const override;
  double stiffness_change(const Eigen::Matrix3Xd& x, const Eigen::Matrix3Xd& before) const override;
  Eigen::VectorXd strain(const Eigen::Matrix3Xd& x) const override;

 private:
  struct Hinge {
    std::array<int, 4> nodes;           // a, b of the edge, c, d opposite
    double stiffness, angle;            // N m, rad
    double least_length2;               // below which the derivative of the angle is cut, m^2
    std::array<double, 2> least_area2;  // the same for twice the areas, m^4
  };
  struct Angle {
    double value;
    std::array<Eigen::Vector3d, 4> gradient;
  };
  Hinge rest_hinge(const ClothMesh& mesh, const ClothEdge& edge, double bending) const;
  static Angle angle_of(const Hinge& hinge, const Eigen::Matrix3Xd& x);
  static double angle_value(const Hinge& hinge, const Eigen::Matrix3Xd& x);
  Eigen::Matrix2d stress(const RestTriangle::Deformation& F) const;
  void add_membrane(const RestTriangle& triangle, const Eigen::Matrix3Xd& x, NodeMatrix& K) const;

  double lambda_, mu_;  // N/m
  std::vector<RestTriangle> triangles_;
  std::vector<Hinge> hinges_;
};

}  // namespace capstan
