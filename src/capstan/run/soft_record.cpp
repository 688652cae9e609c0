#include "capstan/run/soft_record.hpp"

namespace capstan {
namespace {

/// Bright ones, so that soft things stand out from rigid ones.
Eigen::Vector3d colour_of_mesh(std::size_t body) {
  static const std::vector<Eigen::Vector3d> colours{
      {0.62, 0.13, 0.10}, {0.12, 0.35, 0.62}, {0.66, 0.45, 0.10}, {0.20, 0.48, 0.22}, {0.44, 0.20, 0.50}};
  return colours[body % colours.size()];
}

}  // namespace

std::vector<record::RecordedMesh> recorded_meshes(const World& world) {
  std::vector<record::RecordedMesh> meshes;
  for (const WorldSoft& soft : world.soft) {
    const SoftSurface& surface = soft.surface;
    std::vector<int> vertex(surface.rest.size(), -1);
    for (std::size_t k = 0; k < surface.vertices.size(); ++k)
      vertex[surface.vertices[k]] = static_cast<int>(k);
    record::RecordedMesh& mesh = meshes.emplace_back();
    mesh.name = soft.name;
    mesh.kind = surface.closed ? record::RecordedMesh::Kind::solid : record::RecordedMesh::Kind::cloth;
    mesh.color = colour_of_mesh(meshes.size() - 1);
    mesh.thickness = 2 * surface.radius;
    mesh.triangles.resize(3, Eigen::Index(surface.triangles.size()));
    for (std::size_t k = 0; k < surface.triangles.size(); ++k)
      for (int a = 0; a < 3; ++a) mesh.triangles(a, Eigen::Index(k)) = vertex[surface.triangles[k][a]];
  }
  return meshes;
}

std::vector<int> points_of_meshes(const World& world) {
  std::vector<int> points;
  for (const WorldSoft& soft : world.soft) points.push_back(static_cast<int>(soft.surface.vertices.size()));
  return points;
}

void record_soft(const World& world, record::Snapshot& snapshot) {
  Eigen::Index points = 0, at = 0;
  for (const WorldSoft& soft : world.soft) points += Eigen::Index(soft.surface.vertices.size());
  snapshot.mesh_points.resize(3, points);
  snapshot.mesh_values.resize(points);
  for (const WorldSoft& soft : world.soft) {
    const Eigen::VectorXd strain = soft.body->strain();
    for (const int node : soft.surface.vertices) {
      snapshot.mesh_points.col(at) = soft.body->positions().col(node);
      snapshot.mesh_values[at++] = static_cast<float>(strain[node]);
    }
  }
}

}  // namespace capstan
