#pragma once
#include <Eigen/Core>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace capstan {

/// Strands of the BasisCurves of a USD stage, in metres, z up, placed by the transforms above them.
struct UsdCurves {
  std::vector<std::vector<Eigen::Vector3d>> strands;
  std::vector<double> widths;  ///< one a strand, at its root, m; 0 where none is given
};

/// Reads usda, the text form of USD, as far as curves need it: BasisCurves (`points`, `curveVertexCounts`,
/// `widths`, `type`, `basis`, `wrap`), transforms (`xformOpOrder` and its operations), `metersPerUnit` (0.01
/// if it is missing, as USD says) and `upAxis` (Y if it is missing). Everything else is passed over; of time
/// samples the first is taken. Curves with `primvars:force` are contacts of an exported run, and no strands.
/// Cubic curves give as many points as lie between their ends: those that the curve goes through
/// (Catmull-Rom), or points on it (Bezier, B-spline). References, payloads and variants are not followed.
/// Throws InputError `name:line:column: found "x", expected what`.
UsdCurves parse_usd_curves(std::string_view text, const std::string& name);
UsdCurves read_usd_curves(const std::filesystem::path& path);

}  // namespace capstan
