#pragma once
#include <Eigen/Dense>
#include <Eigen/SparseCholesky>
#include <cmath>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

#include "capstan/body/soft/cloth_mesh.hpp"
#include "capstan/body/soft/mass_spring_cloth.hpp"
#include "capstan/body/soft/membrane_cloth.hpp"

namespace capstan::cloth_test {

/// Both models of the same cloth.
inline std::vector<std::shared_ptr<const Elasticity>> cloth_models(const ClothMesh& mesh,
                                                                   const ClothMaterial& material) {
  return {std::make_shared<MembraneCloth>(mesh, material), std::make_shared<MassSpringCloth>(mesh, material)};
}

/// Every coordinate of every node moved by up to `distance`.
inline Eigen::Matrix3Xd shaken(const Eigen::Matrix3Xd& x, double distance, int seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> draw(-distance, distance);
  return x + Eigen::Matrix3Xd::NullaryExpr(3, x.cols(), [&] { return draw(random); });
}

/// Nodes moved within their plane by up to this part of a cell, the boundary along it alone.
inline ClothMesh uneven_grid(double width, double height, int cells_x, int cells_y, double part) {
  ClothMesh mesh = grid_mesh(width, height, cells_x, cells_y);
  const Eigen::Matrix3Xd moved = shaken(mesh.x, part, 7) - mesh.x;
  for (int i = 0; i < mesh.x.cols(); ++i) {
    const double x = mesh.x(0, i), y = mesh.x(1, i);
    if (std::abs(x) < width / 2 - 1e-9) mesh.x(0, i) += moved(0, i) * width / cells_x;
    if (std::abs(y) < height / 2 - 1e-9) mesh.x(1, i) += moved(1, i) * height / cells_y;
  }
  return mesh;
}

/// Equilateral triangles of side 1, in a parallelogram of n x n rhombi.
inline ClothMesh equilateral_mesh(int n) {
  ClothMesh mesh = grid_mesh(n, n, n, n);
  mesh.triangles.clear();
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const int a = i + j * (n + 1), d = a + n + 1;
      mesh.triangles.push_back({a, a + 1, d});
      mesh.triangles.push_back({a + 1, d + 1, d});
    }
  Eigen::Matrix3d shear = Eigen::Matrix3d::Identity();
  shear(0, 1) = 0.5;
  shear(1, 1) = std::sqrt(0.75);
  mesh.x = shear * mesh.x;
  return mesh;
}

inline double area_of(const ClothMesh& mesh) { return node_masses(mesh, 1).sum(); }

inline Eigen::Matrix3Xd forces(const Elasticity& cloth, const Eigen::Matrix3Xd& x) {
  Eigen::Matrix3Xd f = Eigen::Matrix3Xd::Zero(3, x.cols());
  cloth.add_forces(x, f);
  return f;
}

inline NodeMatrix stiffness_of(const Elasticity& cloth, const Eigen::Matrix3Xd& x) {
  NodeMatrix K(static_cast<int>(x.cols()), cloth.couplings());
  cloth.add_stiffness(x, K);
  return K;
}

inline Eigen::MatrixXd dense_stiffness(const Elasticity& cloth, const Eigen::Matrix3Xd& x) {
  std::vector<int> all(x.cols());
  std::iota(all.begin(), all.end(), 0);
  const Eigen::MatrixXd lower = stiffness_of(cloth, x).lower(all, all);
  return lower.selfadjointView<Eigen::Lower>();
}

struct Balance {
  Eigen::Matrix3Xd x;
  double residual;  ///< N, the largest force left on a free node
};

/// Where forces of the cloth balance `load`, by Newton's method from x with full steps: for small loads.
/// Nodes that are `held` stay.
inline Balance balance(const Elasticity& cloth, Eigen::Matrix3Xd x, const Eigen::Matrix3Xd& load,
                       const std::vector<bool>& held, int steps) {
  std::vector<int> free, index(x.cols(), -1);
  for (int i = 0; i < x.cols(); ++i)
    if (!held[i]) {
      index[i] = static_cast<int>(free.size());
      free.push_back(i);
    }
  Eigen::SimplicialLLT<Eigen::SparseMatrix<double>, Eigen::Lower> factor;
  for (int step = 0;; ++step) {
    const Eigen::Matrix3Xd left = (load + forces(cloth, x))(Eigen::all, free);
    if (step == steps) return {x, left.cwiseAbs().maxCoeff()};
    factor.compute(stiffness_of(cloth, x).lower(free, index));
    if (factor.info() != Eigen::Success) return {x, INFINITY};
    const Eigen::VectorXd moved = factor.solve(left.reshaped());
    x(Eigen::all, free) += moved.reshaped(3, Eigen::Index(free.size()));
  }
}

}  // namespace capstan::cloth_test
