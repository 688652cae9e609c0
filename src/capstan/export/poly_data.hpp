#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "capstan/export/footage.hpp"

namespace capstan::exports {

/// Cells of one sort: point numbers of all, and where those of each end.
struct Cells {
  std::vector<std::int64_t> connectivity, ends;
  void add_point(std::int64_t point) { connectivity.push_back(point); }
  void end_cell() { ends.push_back(std::int64_t(connectivity.size())); }
};

/// Floats or whole numbers, `components` a point or cell.
struct DataArray {
  std::string name;
  int components = 1;
  std::vector<float> reals = {};
  std::vector<std::int32_t> integers = {};  ///< instead, if whole
  bool whole = false;
};

/// One moment as VTK's PolyData: points, cells of three sorts, numbers at points and cells.
struct PolyData {
  double t = 0;               ///< s
  std::vector<float> points;  ///< x, y, z of each, m
  Cells vertices, lines, polygons;
  std::vector<DataArray> point_data, cell_data;  ///< of cells: vertices, then lines, then polygons
  std::int64_t point_count() const { return std::int64_t(points.size() / 3); }
};

/// Strands as lines, soft bodies and solids as triangles. At points `radius` (m; half the thickness of cloth;
/// 0) and `strain`; at cells `body` (strand, or -1 - k as contacts name it) and `kind`: 0 strand, 1 obstacle
/// or rigid body, 2 cloth, 3 soft solid.
PolyData bodies_data(const Footage& footage, const record::Snapshot& snapshot);

/// A vertex each, with `force` (N, on a), `normal` (0 if it was not recorded), `state` (0 open, 1 stick, 2
/// slide), `mu` (along and across; -1 if unknown), `beta`, `body_a`, `body_b`.
PolyData contacts_data(const record::Snapshot& snapshot);

}  // namespace capstan::exports
