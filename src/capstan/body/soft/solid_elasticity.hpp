#pragma once
#include <Eigen/Core>
#include <array>
#include <vector>

#include "capstan/body/soft/elasticity.hpp"
#include "capstan/body/soft/tet_mesh.hpp"

namespace capstan {

/// What a solid is made of, the same in all directions.
struct SolidMaterial {
  double young = 0;    ///< E, Pa, > 0
  double poisson = 0;  ///< nu, -1 < nu < 0.5
};

/// Lame's constants of small strains, Pa: stress = 2 mu strain + lambda tr(strain) I.
struct LameConstants {
  double lambda = 0, mu = 0;
};
/// Throws InputError if the material is out of range.
LameConstants lame_constants(const SolidMaterial& material);

/// Tetrahedra with linear shape functions. F is the deformation gradient of one, dx/dX, the same all over it;
/// a material is what follows from F.
/// Linear tets are too stiff in bending, the more the nearer nu is to 0.5. A cantilever beam five times as
/// long as high, of box_mesh with 2, 4, 6, 8 cells across, bends by 0.64, 0.88, 0.94, 0.97 of what beam
/// theory says (nu = 0; at nu = 0.45 by 0.60, 0.83, 0.90, 0.92).
class SolidElasticity : public Elasticity {
 public:
  int tets() const { return static_cast<int>(tets_.size()); }
  double rest_volume() const;  ///< m^3

  std::vector<std::pair<int, int>> couplings() const override;
  double energy(const Eigen::Matrix3Xd& x) const override;
  void add_forces(const Eigen::Matrix3Xd& x, Eigen::Matrix3Xd& f) const override;
  void add_stiffness(const Eigen::Matrix3Xd& x, NodeMatrix& K) const override;
  /// Biot's, |stretch - 1|, averaged by the volumes of the tets around the node.
  Eigen::VectorXd strain(const Eigen::Matrix3Xd& x) const override;

 protected:
  /// How the stress P answers to a change of F:  dP = U Y V^T for dF = U X V^T with
  ///   Y_ii = sum_j normal_ij X_jj,   Y_ij = same_ij X_ij + crossed_ij X_ji  (i != j).
  /// All three are symmetric, the latter two with a zero diagonal. Isotropic materials have this form if U, V
  /// are the principal directions of F.
  struct Tangent {
    Eigen::Matrix3d U, V, normal, same, crossed;

    Eigen::Matrix3d between(const Eigen::Vector3d& ha, const Eigen::Vector3d& hb) const;
  };

  /// Nodes of `rest` are where no force acts. Throws InputError if the mesh is bad (check_mesh).
  explicit SolidElasticity(const TetMesh& rest);

  virtual double energy_density(const Eigen::Matrix3d& F) const = 0;   ///< J/m^3 of the rest shape
  virtual Eigen::Matrix3d stress(const Eigen::Matrix3d& F) const = 0;  ///< its derivative P, Pa
  virtual Tangent tangent(const Eigen::Matrix3d& F) const = 0;         ///< positive semidefinite, Pa

  struct Tet {
    std::array<int, 4> node;
    double volume;            // at rest
    Eigen::Matrix3d inverse;  // of the rest shape (X1 - X0, X2 - X0, X3 - X0)

    Eigen::Matrix3d gradient(const Eigen::Matrix3Xd& x) const;  ///< F
  };
  const std::vector<Tet>& elements() const { return tets_; }

 private:
  std::vector<Tet> tets_;
  int nodes_;
};

/// Linear elasticity in the frame that turns with each tet [Mueller and Gross 2004]: with R the rotation
/// nearest to F,
///   energy density  mu |F - R|^2 + lambda/2 tr(R^T F - I)^2,   P = 2 mu (F - R) + lambda tr(R^T F - I) R.
/// P is exactly the derivative, since R is where |F - R| is smallest. The stiffness is the linear one, turned
/// by R, as if R did not change: it depends on the rotations alone. Rotations may be of any size, strains
/// should be moderate. A finite force can turn a tet inside out; it goes back when it is let go.
class CorotationalSolid : public SolidElasticity {
 public:
  CorotationalSolid(const TetMesh& rest, const SolidMaterial& material);

  /// The largest angle, rad, between the rotations of a tet at the two places.
  double stiffness_change(const Eigen::Matrix3Xd& x, const Eigen::Matrix3Xd& before) const override;

 protected:
  double energy_density(const Eigen::Matrix3d& F) const override;
  Eigen::Matrix3d stress(const Eigen::Matrix3d& F) const override;
  Tangent tangent(const Eigen::Matrix3d& F) const override;

 private:
  LameConstants lame_;
};

/// The stable Neo-Hookean solid [Smith, de Goes, Kim 2018], for rubber and flesh at large strains:
///   energy density  mu/2 (|F|^2 - 3) + lambda/2 (det F - alpha)^2 - mu/2 log(|F|^2 + 1) - rest value,
///   alpha = 1 + 3 mu/(4 lambda): no stress at rest;  mu = 4/3 mu_Lame, lambda = lambda_Lame + 5/6 mu_Lame:
/// small strains are those of linear elasticity. Smooth everywhere, also where tets are flat or inside out
/// (from where they go back as well). The stiffness is the exact second derivative of each tet with its
/// negative eigenvalues made 0.
class NeoHookeanSolid : public SolidElasticity {
 public:
  NeoHookeanSolid(const TetMesh& rest, const SolidMaterial& material);

 protected:
  double energy_density(const Eigen::Matrix3d& F) const override;
  Eigen::Matrix3d stress(const Eigen::Matrix3d& F) const override;
  Tangent tangent(const Eigen::Matrix3d& F) const override;

 private:
  double mu_, lambda_, alpha_, at_rest_;
};

}  // namespace capstan
