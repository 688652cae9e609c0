#pragma once
#include <Eigen/Core>
#include <optional>

namespace capstan {

/// Where a surface is touched, in the frame of its body.
struct SurfacePlace {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< m
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();   ///< outward, unit
  int triangle = -1;                                   ///< of a mesh; -1: not known
  std::optional<Eigen::Vector3d> barycentric = {};     ///< in that triangle, sum 1
};

/// The direction of the structure of a surface (grain of wood, fibres, scales) at each of its places.
class StructureField {
 public:
  virtual ~StructureField() = default;

  /// A unit vector in the frame of the body, or zero: no structure there. s and -s mean the same but to
  /// one-sided friction. It need not be tangential: orient() takes the tangential part.
  virtual Eigen::Vector3d at(const SurfacePlace& place) const = 0;
};

/// The same direction everywhere, for planks and boxes. Zero: a surface without structure.
class ConstantField : public StructureField {
 public:
  /// Normalised here; throws InputError unless finite.
  explicit ConstantField(const Eigen::Vector3d& direction);
  Eigen::Vector3d at(const SurfacePlace&) const override { return direction_; }

 private:
  Eigen::Vector3d direction_;
};

/// A direction given at one point and turned about an axis with the place: for bodies of revolution. Zero on
/// the axis, where no direction is preferred, unless the direction is along the axis.
class SweepField : public StructureField {
 public:
  /// `direction` is that at `reference`. Throws InputError if a vector is not finite, axis or direction is
  /// zero, or the reference lies on the axis.
  SweepField(const Eigen::Vector3d& axis, const Eigen::Vector3d& centre, const Eigen::Vector3d& reference,
             const Eigen::Vector3d& direction);
  static SweepField axial(const Eigen::Vector3d& axis, const Eigen::Vector3d& centre);   ///< along the axis
  static SweepField radial(const Eigen::Vector3d& axis, const Eigen::Vector3d& centre);  ///< away from it
  static SweepField concentric(const Eigen::Vector3d& axis, const Eigen::Vector3d& centre);  ///< around it

  Eigen::Vector3d at(const SurfacePlace& place) const override;

 private:
  SweepField(const Eigen::Vector3d& axis, const Eigen::Vector3d& centre, const Eigen::Vector3d& parts);

  Eigen::Vector3d axis_, centre_;
  Eigen::Vector3d parts_;  // radial, around, axial part of the direction, a unit vector
};

/// Coordinates in a plane, for fields that steer what slides along x.
struct PlaneAxes {
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();  ///< on the centre line, m
  Eigen::Vector3d x = Eigen::Vector3d::UnitX();      ///< where things slide to
  Eigen::Vector3d y = Eigen::Vector3d::UnitY();      ///< sideways; made perpendicular to x
};

/// A plane whose grain makes an angle with x that changes from place to place [Erleben20, fig. 3]:
///
///     s = cos(h) x + sin(h) y,    h the heading, rad
class SteeringField : public StructureField {
 public:
  /// h = -angle on y > width, angle on y < -width, linear between: what slides along x is led to the centre
  /// line. angle in [0, pi/2] rad, width >= 0 m; 0: the heading jumps at y = 0, where it is 0.
  static SteeringField channel(const PlaneAxes& axes, double angle, double width);
  /// The same with the other sign: led away from the centre line.
  static SteeringField spread(const PlaneAxes& axes, double angle, double width);
  /// h = angle cos(2 pi x/wavelength): left and right in turn. wavelength > 0 m.
  static SteeringField slalom(const PlaneAxes& axes, double angle, double wavelength);

  Eigen::Vector3d at(const SurfacePlace& place) const override;

 private:
  enum class Shape { funnel, wave };
  SteeringField(const PlaneAxes& axes, Shape shape, double angle, double length);
  double heading(double x, double y) const;

  PlaneAxes axes_;
  Shape shape_;
  double angle_, length_;
};

}  // namespace capstan
