#pragma once
#include <Eigen/Core>
#include <optional>
#include <string>

namespace capstan::record {

/// What of a soft body stays the same in all frames.
struct RecordedMesh {
  enum class Kind : unsigned char {
    cloth,  ///< seen from both sides
    solid,  ///< closed
  };
  std::string name;
  Kind kind = Kind::cloth;
  std::optional<Eigen::Vector3d> color = {};  ///< linear, 0 to 1
  double thickness = 0;                       ///< m, >= 0
  Eigen::Matrix3Xi
      triangles;  ///< by vertices of this mesh, from 0; of a solid counter-clockwise from outside
};

/// Refuses what no mesh of that many vertices can be.
void check(const RecordedMesh& mesh, int points);

/// The JSON that the manifest has of it (docs/runs.md); reading gives the number of vertices back too.
std::string mesh_json(const RecordedMesh& mesh, int points);
RecordedMesh mesh_from_json(const std::string& text, int& points);

}  // namespace capstan::record
