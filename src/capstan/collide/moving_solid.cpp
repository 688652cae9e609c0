#include "capstan/collide/moving_solid.hpp"

namespace capstan {

MovingSolid::MovingSolid(std::shared_ptr<const Shape> shape, const Solid* solid, const Frame& from,
                         const Frame& to)
    : shape_(std::move(shape)),
      solid_(solid),
      from_(from),
      move_(to.x - from.x),
      turn_(Eigen::Matrix3d(to.R * from.R.transpose())) {}

Frame MovingSolid::at(double t) const {
  if (t == 0) return from_;
  return {from_.x + t * move_, Eigen::AngleAxisd(t * turn_.angle(), turn_.axis()) * from_.R};
}

}  // namespace capstan
