#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "capstan/surface/mesh_field.hpp"

namespace capstan {

enum class TextureWrap { repeat, clamp };  ///< outside of [0, 1]: again and again, or the border

/// Directions painted in red and green [Erleben20, sec. 5.1]: s = (2 r - 1) t + (2 g - 1) b, r and g from 0
/// to 1, t where u grows and b, perpendicular to t, where v grows. Blue is free.
///
///   u, v  (0, 0) is the lower left corner of the picture, (1, 1) the upper right one: the first row of
///   pixels
///         is at v = 1. Pixel i of a row of w has its centre at u = (i + 1/2)/w.
///   zero  8 bits cannot hold 1/2: a pixel with |s| below the dead zone has no structure.
///
/// Only the direction counts, not the length. Between pixels directions are interpolated by DirectionMean, so
/// that s beside -s does not cancel.
class StructureTexture {
 public:
  /// rgb: rows from the top, 3 bytes a pixel. Throws InputError unless width, height > 0, there are 3 width
  /// height bytes, and 0 < dead_zone < 1.
  StructureTexture(int width, int height, std::vector<std::uint8_t> rgb,
                   TextureWrap wrap = TextureWrap::repeat, double dead_zone = kDeadZone);

  /// Components along t and b: a unit vector, or zero.
  Eigen::Vector2d at(double u, double v) const;

  int width() const { return width_; }
  int height() const { return height_; }

  static constexpr double kDeadZone = 0.05;  ///< 6 of 127 steps of a byte; the middle itself is 0.0055 off

 private:
  Eigen::Vector2d pixel(int column, int row) const;

  int width_, height_;
  std::vector<std::uint8_t> rgb_;
  TextureWrap wrap_;
  double dead_zone_;
};

/// A texture from a PNG in colour (with or without a palette or alpha, 8 or 16 bits; alpha is ignored), up to
/// 16,384 pixels wide and high. Bytes
/// are taken as they are: no correction for gamma. A picture of more pixels than 4,096 x 4,096 must have a
/// byte for each 21 of them: what a few bytes claim is not believed. Throws InputError with the file and what
/// is wrong with it. Only where libpng is (CAPSTAN_BUILD_APPS).
StructureTexture read_structure_png(const std::filesystem::path& path, TextureWrap wrap = TextureWrap::repeat,
                                    double dead_zone = StructureTexture::kDeadZone);
/// The same of bytes in memory; `name` is what errors call them.
StructureTexture parse_structure_png(std::string_view bytes, const std::string& name,
                                     TextureWrap wrap = TextureWrap::repeat,
                                     double dead_zone = StructureTexture::kDeadZone);

/// A texture laid on a plane: (u, v) = (0, 0) at the origin, one width of it along u_axis, one height along
/// v_axis (m, frame of the body). Places off the plane are projected.
class PlanarTextureField : public StructureField {
 public:
  /// Throws InputError if an axis is zero or both are parallel. They need not be perpendicular.
  PlanarTextureField(StructureTexture texture, const Eigen::Vector3d& origin, const Eigen::Vector3d& u_axis,
                     const Eigen::Vector3d& v_axis);
  Eigen::Vector3d at(const SurfacePlace& place) const override;

 private:
  StructureTexture texture_;
  Eigen::Vector3d origin_, t_, b_;
  Eigen::Matrix<double, 2, 3> to_uv_;
};

/// A texture on a mesh with coordinates at its vertices. t of a triangle is the direction on it in which u
/// alone grows; seams and mirrored triangles are allowed.
class MeshTextureField : public StructureField {
 public:
  /// One (u, v) for each corner of each triangle, so that seams can be cut. Throws InputError if their number
  /// is wrong, one is not finite, or a triangle has no area in the texture.
  MeshTextureField(StructureTexture texture, MeshSurface mesh,
                   std::vector<std::array<Eigen::Vector2d, 3>> uv_of_corners);
  /// One (u, v) for each vertex.
  MeshTextureField(StructureTexture texture, MeshSurface mesh,
                   const std::vector<Eigen::Vector2d>& uv_of_vertices);
  Eigen::Vector3d at(const SurfacePlace& place) const override;

 private:
  StructureTexture texture_;
  MeshSurface mesh_;
  std::vector<std::array<Eigen::Vector2d, 3>> uv_;
  std::vector<Eigen::Matrix<double, 3, 2>> axes_;  // t, b of each triangle
};

}  // namespace capstan
