#pragma once
#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "capstan/body/motion.hpp"
#include "capstan/record/surface_lines.hpp"

namespace capstan::record {

/// The surface of a body, for pictures. In its own frame until placed.
struct Solid {
  bool plane = false;         ///< z <= 0; has no triangles then
  bool soft = false;          ///< a soft body: its vertices are where they are in this frame
  bool two_sided = false;     ///< cloth: is seen from behind too
  Eigen::Matrix3Xd vertices;  ///< m
  Eigen::Matrix3Xd normals;   ///< one a vertex, unit, outward
  Eigen::Matrix3Xi triangles;
  capstan::Frame pose;
  std::optional<Eigen::Vector3d> color;  ///< linear, 0 to 1
  SurfaceLines lines;                    ///< along its structure, if it has one
  Eigen::VectorXf values;                ///< strain, one a vertex of a soft body
};

/// From the JSON of a manifest (docs/runs.md): sphere, capsule, cylinder, box, plane, mesh. InputError if the
/// shape is none of them or a number is missing. Circles have `around` corners, a multiple of 4.
Solid solid_from_json(const std::string& text, int around = 96);

/// With normals that are smooth everywhere. InputError if a triangle has a vertex that is not there.
Solid mesh_solid(Eigen::Matrix3Xd vertices, Eigen::Matrix3Xi triangles);

}  // namespace capstan::record
