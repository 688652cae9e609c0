#pragma once
#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "capstan/body/motion.hpp"
#include "capstan/record/surface_lines.hpp"

namespace capstan::record {

/// The surface of an obstacle, for pictures. In its own frame until placed.
struct Solid {
  bool plane = false;         ///< z <= 0; has no triangles then
  Eigen::Matrix3Xd vertices;  ///< m
  Eigen::Matrix3Xd normals;   ///< one a vertex, unit, outward
  Eigen::Matrix3Xi triangles;
  capstan::Frame pose;
  std::optional<Eigen::Vector3d> color;  ///< linear, 0 to 1
  SurfaceLines lines;                    ///< along its structure, if it has one
};

/// From the JSON of a manifest (docs/runs.md): sphere, capsule, cylinder, box, plane, mesh. InputError if the
/// shape is none of them or a number is missing.
Solid solid_from_json(const std::string& text);

}  // namespace capstan::record
