#include "capstan/step/thickness.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <limits>

namespace capstan {
namespace {

/// The smallest extent of points along the axes of their second moments.
double smallest_extent(const std::vector<Eigen::Vector3d>& points) {
  Eigen::Matrix3Xd x(3, Eigen::Index(points.size()));
  for (std::size_t k = 0; k < points.size(); ++k) x.col(Eigen::Index(k)) = points[k];
  x.colwise() -= Eigen::Vector3d(x.rowwise().mean());
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> moments(x * x.transpose());
  const Eigen::Matrix3Xd along = moments.eigenvectors().transpose() * x;
  return (along.rowwise().maxCoeff() - along.rowwise().minCoeff()).minCoeff();
}

}  // namespace

double thickness(const SoftSurface& surface) {
  return surface.closed ? smallest_extent(surface.rest) : 2 * surface.radius;
}

std::vector<double> thickness_of_bodies(const World& world) {
  std::vector<double> result;
  for (const WorldStrand& strand : world.strands) result.push_back(2 * strand.collision.radius);
  for (const WorldRigid& rigid : world.rigid) result.push_back(rigid.solid.thickness());
  for (const WorldSoft& soft : world.soft) result.push_back(thickness(soft.surface));
  return result;
}

double least_passage(const World& world) {
  const std::vector<double> thickness = thickness_of_bodies(world);
  double least = std::numeric_limits<double>::infinity();
  for (const double one : thickness) least = std::min(least, one);
  for (const WorldSoft& soft : world.soft) least = std::min(least, 2 * soft.surface.radius);
  return least;
}

}  // namespace capstan
