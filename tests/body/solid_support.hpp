#pragma once
#include <gtest/gtest.h>

#include <Eigen/SparseCholesky>

#include <memory>
#include <random>
#include <string>

#include "capstan/body/soft/solid_elasticity.hpp"

namespace capstan {

enum class SolidKind { corotational, neo_hookean };
constexpr std::array<SolidKind, 2> kSolidKinds{SolidKind::corotational, SolidKind::neo_hookean};

inline std::unique_ptr<SolidElasticity> make_solid(SolidKind kind, const TetMesh& mesh, double young,
                                                   double poisson) {
  if (kind == SolidKind::corotational)
    return std::make_unique<CorotationalSolid>(mesh, SolidMaterial{young, poisson});
  return std::make_unique<NeoHookeanSolid>(mesh, SolidMaterial{young, poisson});
}

inline Eigen::Matrix3Xd random_solid_moves(int nodes, double size, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> uniform(-size, size);
  return Eigen::Matrix3Xd::NullaryExpr(3, nodes, [&] { return uniform(engine); });
}

/// Of the size of a unit cube, with nodes moved by up to 0.1 of a cell.
inline TetMesh irregular_cube(int cells, unsigned seed = 1) {
  TetMesh mesh = box_mesh(Eigen::Vector3d(1, 1, 1), {cells, cells, cells});
  mesh.x += random_solid_moves(mesh.nodes(), 0.1 / cells, seed);
  return mesh;
}

inline Eigen::Matrix3Xd solid_forces(const Elasticity& solid, const Eigen::Matrix3Xd& x) {
  Eigen::Matrix3Xd f = Eigen::Matrix3Xd::Zero(3, x.cols());
  solid.add_forces(x, f);
  return f;
}

inline NodeMatrix solid_stiffness(const Elasticity& solid, const Eigen::Matrix3Xd& x) {
  NodeMatrix K(static_cast<int>(x.cols()), solid.couplings());
  solid.add_stiffness(x, K);
  return K;
}

inline Eigen::MatrixXd dense_solid_stiffness(const Elasticity& solid, const Eigen::Matrix3Xd& x) {
  const NodeMatrix K = solid_stiffness(solid, x);
  Eigen::MatrixXd dense(x.size(), x.size());
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    Eigen::Matrix3Xd unit = Eigen::Matrix3Xd::Zero(3, x.cols());
    unit.data()[i] = 1;
    dense.col(i) = K.times(unit).reshaped();
  }
  return dense;
}

/// -df/dx by central differences.
inline Eigen::MatrixXd differenced_solid_stiffness(const Elasticity& solid, const Eigen::Matrix3Xd& x,
                                                   double h = 1e-6) {
  Eigen::MatrixXd dense(x.size(), x.size());
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    Eigen::Matrix3Xd plus = x, minus = x;
    plus.data()[i] += h;
    minus.data()[i] -= h;
    dense.col(i) = ((solid_forces(solid, minus) - solid_forces(solid, plus)) / (2 * h)).reshaped();
  }
  return dense;
}

/// Which nodes move.
struct FreeSolidNodes {
  std::vector<int> keep, index;

  template <class Held>
  FreeSolidNodes(const Eigen::Matrix3Xd& x, const Held& held) : index(x.cols(), -1) {
    for (int i = 0; i < int(x.cols()); ++i)
      if (!held(Eigen::Vector3d(x.col(i)))) {
        index[i] = int(keep.size());
        keep.push_back(i);
      }
  }
  Eigen::VectorXd gather(const Eigen::Matrix3Xd& all) const {
    Eigen::VectorXd result(3 * keep.size());
    for (std::size_t k = 0; k < keep.size(); ++k) result.segment<3>(3 * Eigen::Index(k)) = all.col(keep[k]);
    return result;
  }
  void add(const Eigen::VectorXd& part, Eigen::Matrix3Xd& all) const {
    for (std::size_t k = 0; k < keep.size(); ++k) all.col(keep[k]) += part.segment<3>(3 * Eigen::Index(k));
  }
};

/// Where forces and `load` balance, by Newton's method from x, halving steps until the energy falls. Returns
/// the residual relative to the load.
inline double settle_solid(const Elasticity& solid, const FreeSolidNodes& free, const Eigen::Matrix3Xd& load,
                           Eigen::Matrix3Xd& x, int iterations = 100) {
  const auto energy = [&](const Eigen::Matrix3Xd& at) {
    return solid.energy(at) - at.cwiseProduct(load).sum();
  };
  double residual = 0;
  for (int i = 0; i < iterations; ++i) {
    const Eigen::VectorXd f = free.gather(solid_forces(solid, x) + load);
    residual = f.norm() / load.norm();
    if (residual < 1e-10) break;
    Eigen::SimplicialLLT<Eigen::SparseMatrix<double>, Eigen::Lower> factor;
    factor.compute(solid_stiffness(solid, x).lower(free.keep, free.index));
    if (factor.info() != Eigen::Success) break;
    const Eigen::VectorXd step = factor.solve(f);
    for (double part = 1; part > 1e-3; part /= 2) {
      Eigen::Matrix3Xd next = x;
      free.add(part * step, next);
      if (part < 2e-3 || energy(next) <= energy(x)) {
        x = next;
        break;
      }
    }
  }
  return residual;
}

/// Implicit Euler of a body that creeps, all nodes free: (drag + K) dx = f.
inline void creep_solid(const Elasticity& solid, double drag, int steps, Eigen::Matrix3Xd& x) {
  const FreeSolidNodes free(x, [](const Eigen::Vector3d&) { return false; });
  for (int i = 0; i < steps; ++i) {
    NodeMatrix A = solid_stiffness(solid, x);
    for (int n = 0; n < A.nodes(); ++n) A.add(n, n, drag * Eigen::Matrix3d::Identity());
    Eigen::SimplicialLLT<Eigen::SparseMatrix<double>, Eigen::Lower> factor;
    factor.compute(A.lower(free.keep, free.index));
    ASSERT_EQ(factor.info(), Eigen::Success);
    free.add(factor.solve(free.gather(solid_forces(solid, x))), x);
  }
}

}  // namespace capstan
