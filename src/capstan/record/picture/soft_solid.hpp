#pragma once
#include "capstan/record/picture/picture.hpp"
#include "capstan/record/picture/shading.hpp"
#include "capstan/record/recorded_mesh.hpp"

/// Soft bodies in pictures.
namespace capstan::record {

/// The k-th soft body with its vertices in one frame. Cloth is smooth everywhere, a solid where its faces
/// meet at less than 45 degrees.
Solid soft_solid(const RecordedMesh& mesh, int k, const Eigen::Matrix3Xd& points,
                 const Eigen::VectorXf& values);

/// Each edge of its triangles once.
SurfaceLines edges_of(const Solid& solid);

/// What colour surfaces have, before light falls on them.
class SolidTint {
 public:
  SolidTint(const PictureScene& scene, const PictureOptions& options);
  /// At a place of a triangle, given by the weights of its corners.
  Color at(const Solid& solid, int triangle, const Eigen::Vector3d& weights) const;

 private:
  bool by_strain_;
  double high_;
};

}  // namespace capstan::record
