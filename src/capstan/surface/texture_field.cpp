#include "capstan/surface/texture_field.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>

#include "capstan/errors.hpp"
#include "capstan/surface/direction_mean.hpp"
#include "capstan/surface/surface_checks.hpp"

namespace capstan {
namespace {

using Plane = Eigen::Matrix<double, 3, 2>;

double component(std::uint8_t byte) { return 2 * (byte / 255.0) - 1; }

int wrapped(int index, int size, TextureWrap wrap) {
  if (wrap == TextureWrap::clamp) return std::clamp(index, 0, size - 1);
  const int remainder = index % size;
  return remainder < 0 ? remainder + size : remainder;
}

/// Where a coordinate lies in a row of pixels: between first and first + 1, at a share of the way. Far
/// outside nothing but the wrap matters, and the number must still be an int.
struct Between {
  int first;
  double share;
};
Between between_pixels(double coordinate, int size, TextureWrap wrap) {
  const double period =
      wrap == TextureWrap::repeat ? coordinate - std::floor(coordinate) : std::clamp(coordinate, 0.0, 1.0);
  const double position = period * size - 0.5, below = std::floor(position);
  return {static_cast<int>(below), position - below};
}

/// Columns t and b for a surface on which (u, v) grow along the columns of d(position)/d(u, v).
Plane painting_axes(const Plane& derivative) {
  Plane axes;
  axes.col(0) = derivative.col(0).normalized();
  axes.col(1) = (derivative.col(1) - axes.col(0) * axes.col(0).dot(derivative.col(1))).normalized();
  return axes;
}

std::vector<std::array<Eigen::Vector2d, 3>> uv_by_corner(const MeshSurface& mesh,
                                                         const std::vector<Eigen::Vector2d>& uv) {
  if (uv.size() != mesh.vertices().size())
    throw InputError("structure: " + std::to_string(uv.size()) +
                     " texture coordinates, expected one for each of " +
                     std::to_string(mesh.vertices().size()) + " vertices");
  std::vector<std::array<Eigen::Vector2d, 3>> corners;
  for (const std::array<int, 3>& triangle : mesh.triangles())
    corners.push_back({uv[triangle[0]], uv[triangle[1]], uv[triangle[2]]});
  return corners;
}

/// d(position)/d(u, v) on a triangle: E = X U with E its edges in space and U those in the texture.
Plane derivative_on(const MeshSurface& mesh, int triangle, const std::array<Eigen::Vector2d, 3>& uv) {
  Eigen::Matrix2d U;
  U << uv[1] - uv[0], uv[2] - uv[0];
  if (!U.allFinite() || std::abs(U.determinant()) <= 1e-12 * U.squaredNorm()) {
    std::ostringstream out;
    out << "structure: triangle " << triangle << " has texture coordinates (" << uv[0].transpose() << "), ("
        << uv[1].transpose() << "), (" << uv[2].transpose() << "), expected finite ones that span an area";
    throw InputError(out.str());
  }
  Plane E;
  E << mesh.corner(triangle, 1) - mesh.corner(triangle, 0),
      mesh.corner(triangle, 2) - mesh.corner(triangle, 0);
  return E * U.inverse();
}

}  // namespace

StructureTexture::StructureTexture(int width, int height, std::vector<std::uint8_t> rgb, TextureWrap wrap,
                                   double dead_zone)
    : width_(width), height_(height), rgb_(std::move(rgb)), wrap_(wrap), dead_zone_(dead_zone) {
  const std::string size = std::to_string(width) + " x " + std::to_string(height);
  if (width <= 0 || height <= 0) throw InputError("texture: size " + size + ", expected at least 1 x 1");
  if (rgb_.size() != 3 * std::size_t(width) * std::size_t(height))
    throw InputError("texture: " + std::to_string(rgb_.size()) + " bytes, expected 3 for each of " + size +
                     " pixels");
  if (!(dead_zone > 0 && dead_zone < 1))
    throw InputError("texture: dead_zone = " + std::to_string(dead_zone) + ", expected between 0 and 1");
}

Eigen::Vector2d StructureTexture::pixel(int column, int row) const {
  const std::size_t byte =
      3 * (std::size_t(wrapped(row, height_, wrap_)) * width_ + std::size_t(wrapped(column, width_, wrap_)));
  const Eigen::Vector2d s(component(rgb_[byte]), component(rgb_[byte + 1]));
  return s.norm() < dead_zone_ ? Eigen::Vector2d::Zero() : s;
}

Eigen::Vector2d StructureTexture::at(double u, double v) const {
  const Between column = between_pixels(u, width_, wrap_), row = between_pixels(1 - v, height_, wrap_);
  DirectionMean mean;
  for (int right = 0; right < 2; ++right)
    for (int down = 0; down < 2; ++down)
      mean.add(pixel(column.first + right, row.first + down),
               (right ? column.share : 1 - column.share) * (down ? row.share : 1 - row.share));
  return mean.direction();
}

PlanarTextureField::PlanarTextureField(StructureTexture texture, const Eigen::Vector3d& origin,
                                       const Eigen::Vector3d& u_axis, const Eigen::Vector3d& v_axis)
    : texture_(std::move(texture)), origin_(origin) {
  surface::check_finite("texture: origin", origin);
  const Eigen::Vector3d u = surface::checked_direction("texture: u axis", u_axis);
  const Eigen::Vector3d v = surface::checked_direction("texture: v axis", v_axis);
  if ((v - u * u.dot(v)).norm() < 1e-6)
    throw InputError("texture: v axis = " + surface::text(v_axis) +
                     ", expected one that is not along the u axis");
  Plane derivative;
  derivative << u_axis, v_axis;
  const Plane axes = painting_axes(derivative);
  t_ = axes.col(0), b_ = axes.col(1);
  to_uv_ = (derivative.transpose() * derivative).inverse() * derivative.transpose();
}

Eigen::Vector3d PlanarTextureField::at(const SurfacePlace& place) const {
  const Eigen::Vector2d uv = to_uv_ * (place.position - origin_);
  const Eigen::Vector2d s = texture_.at(uv[0], uv[1]);
  return s[0] * t_ + s[1] * b_;
}

MeshTextureField::MeshTextureField(StructureTexture texture, MeshSurface mesh,
                                   std::vector<std::array<Eigen::Vector2d, 3>> uv_of_corners)
    : texture_(std::move(texture)), mesh_(std::move(mesh)), uv_(std::move(uv_of_corners)) {
  if (uv_.size() != mesh_.triangles().size())
    throw InputError("structure: texture coordinates of " + std::to_string(uv_.size()) +
                     " triangles, expected of " + std::to_string(mesh_.triangles().size()));
  for (std::size_t k = 0; k < uv_.size(); ++k)
    axes_.push_back(painting_axes(derivative_on(mesh_, static_cast<int>(k), uv_[k])));
}

MeshTextureField::MeshTextureField(StructureTexture texture, MeshSurface mesh,
                                   const std::vector<Eigen::Vector2d>& uv_of_vertices)
    : MeshTextureField(std::move(texture), mesh, uv_by_corner(mesh, uv_of_vertices)) {}

Eigen::Vector3d MeshTextureField::at(const SurfacePlace& given) const {
  const SurfacePlace place = mesh_.located(given);
  const auto& uv = uv_[place.triangle];
  const Eigen::Vector3d& w = *place.barycentric;
  const Eigen::Vector2d at = w[0] * uv[0] + w[1] * uv[1] + w[2] * uv[2];
  return axes_[place.triangle] * texture_.at(at[0], at[1]);
}

}  // namespace capstan
