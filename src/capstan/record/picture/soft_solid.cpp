#include "capstan/record/picture/soft_solid.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace capstan::record {
namespace {

constexpr double kCrease = 0.7;  // cosine of the angle between faces that are not smoothed over

/// The normal of a face, as long as twice its area.
Eigen::Vector3d face_of(const Solid& solid, int triangle) {
  const Eigen::Vector3i v = solid.triangles.col(triangle);
  const Eigen::Vector3d a = solid.vertices.col(v[0]);
  return (solid.vertices.col(v[1]) - a).cross(solid.vertices.col(v[2]) - a);
}

/// The same surface with a vertex for each corner of each triangle, so that edges stay sharp.
Solid creased(const Solid& smooth) {
  const int triangles = static_cast<int>(smooth.triangles.cols());
  std::vector<Eigen::Vector3d> faces;
  std::vector<std::vector<int>> around(static_cast<std::size_t>(smooth.vertices.cols()));
  for (int t = 0; t < triangles; ++t) {
    faces.push_back(face_of(smooth, t));
    for (const int v : smooth.triangles.col(t)) around[static_cast<std::size_t>(v)].push_back(t);
  }
  Solid solid = smooth;
  solid.vertices.resize(3, 3 * triangles);
  solid.normals.resize(3, 3 * triangles);
  solid.values.resize(3 * triangles);
  for (int corner = 0; corner < 3 * triangles; ++corner) {
    const int t = corner / 3, v = smooth.triangles(corner % 3, t);
    const Eigen::Vector3d own = faces[static_cast<std::size_t>(t)];
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (const int other : around[static_cast<std::size_t>(v)]) {
      const Eigen::Vector3d& face = faces[static_cast<std::size_t>(other)];
      if (face.dot(own) > kCrease * face.norm() * own.norm()) sum += face;
    }
    solid.vertices.col(corner) = smooth.vertices.col(v);
    solid.normals.col(corner) = sum.normalized();
    solid.values[corner] = smooth.values[v];
    solid.triangles(corner % 3, t) = corner;
  }
  return solid;
}

}  // namespace

Solid soft_solid(const RecordedMesh& mesh, int k, const Eigen::Matrix3Xd& points,
                 const Eigen::VectorXf& values) {
  Solid solid = mesh_solid(points, mesh.triangles);
  solid.soft = true;
  solid.two_sided = mesh.kind == RecordedMesh::Kind::cloth;
  solid.color = mesh.color.value_or(mesh_color(k));
  solid.values = values;
  return solid.two_sided ? solid : creased(solid);
}

SurfaceLines edges_of(const Solid& solid) {
  std::set<std::pair<int, int>> edges;
  for (Eigen::Index t = 0; t < solid.triangles.cols(); ++t)
    for (int k = 0; k < 3; ++k)
      edges.insert(std::minmax({solid.triangles(k, t), solid.triangles((k + 1) % 3, t)}));
  SurfaceLines lines(6, static_cast<Eigen::Index>(edges.size()));
  Eigen::Index at = 0;
  for (const auto& [a, b] : edges) lines.col(at++) << solid.vertices.col(a), solid.vertices.col(b);
  return lines;
}

SolidTint::SolidTint(const PictureScene& scene, const PictureOptions& options)
    : by_strain_(options.mesh_color == MeshColor::strain),
      high_(options.strain_high > 0 ? options.strain_high : std::max(scene.high_strain(), 1e-30)) {}

Color SolidTint::at(const Solid& solid, int triangle, const Eigen::Vector3d& weights) const {
  if (!by_strain_ || !solid.soft) return solid_color(solid);
  double strain = 0;
  for (int k = 0; k < 3; ++k) strain += weights[k] * solid.values[solid.triangles(k, triangle)];
  return ramp(strain / high_);
}

}  // namespace capstan::record
