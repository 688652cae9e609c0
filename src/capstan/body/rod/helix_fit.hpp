#pragma once
#include <Eigen/Core>
#include <vector>

#include "capstan/body/rod/strand_shape.hpp"

namespace capstan {

/// Curvatures of equal segments, each constant in the material frame, that follow a curve from its first
/// frame. The curve has `fine` elements a segment. Each segment in turn is the least-squares fit of places
/// and tangents of its part of the curve, so that it makes good what the segments before it left over. Twist
/// that places and tangents do not tell (a straight piece) is taken from the curve's frames; where they tell
/// it, as in a curl, the segments twist as the curve winds, whatever its frames do.
std::vector<Eigen::Vector3d> fit_helices(const FramedCurve& curve, int segments, int fine);

}  // namespace capstan
