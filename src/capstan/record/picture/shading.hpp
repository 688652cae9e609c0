#pragma once
#include <Eigen/Core>
#include <vector>

#include "capstan/record/picture/picture.hpp"

/// How light falls in a picture; shared by the pixel and the line drawings. Colours are linear.
namespace capstan::record {

using Color = Eigen::Vector3d;

/// The light from the sky and the lamp, as the camera sees it.
struct Lamp {
  Eigen::Vector3d direction;  ///< to the lamp
  explicit Lamp(const Camera& camera);
};

/// `open` is the part of the lamp's light that arrives, 0 to 1.
Color shade_surface(const Color& base, const Eigen::Vector3d& normal, const Eigen::Vector3d& to_eye,
                    const Lamp& lamp, double open, double gloss);
/// What comes through cloth of the light on its other side.
Color shine_through(const Color& base, const Eigen::Vector3d& normal, const Lamp& lamp, double open);
Color shade_fibre(const Color& base, const Eigen::Vector3d& tangent, const Eigen::Vector3d& to_eye,
                  const Lamp& lamp, double open);

/// A strand's own colour: brown hair with small differences, or, for rods thicker than hair, colours apart
/// enough to follow one of them.
Color strand_color(int strand, double radius);
Color solid_color(const Solid& solid);
/// Of the k-th soft body, if it has none of its own; neighbours in the list differ most.
Color mesh_color(int k);
/// From deep blue over green to yellow, ever lighter; t from 0 to 1. The viewer has the same.
Color ramp(double t);
/// At the height y of the picture, 0 the top, 1 the bottom.
Color background(double y);
double srgb(double linear);

/// Smooth curve through the points of a strand: each piece is cut in `pieces`.
Eigen::Matrix3Xd smoothed(const Eigen::Matrix3Xd& points, int pieces);

}  // namespace capstan::record
