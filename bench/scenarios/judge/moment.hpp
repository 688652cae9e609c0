#pragma once
#include <string>
#include <vector>

#include "bench/scenarios/judge/judged_solid.hpp"

namespace capstan::scenarios {

/// A centre line.
struct JudgedCurve {
  std::string name;
  int first = 0,
      last = 0;    ///< segments from `first` up to before `last` make contacts; segment k begins at point k
  int group = -1;  ///< curves of one group >= 0 may pass through each other
  bool passes_itself = false;  ///< it does not meet itself
};

/// A sheet, or the surface of a soft solid.
struct JudgedSurface {
  std::string name;
  std::vector<Corners> triangles;
  bool closed = false;  ///< a solid: what counts then is what gets into its middle
  bool passes_itself = false;
  std::vector<int> inner;  ///< nodes of a soft solid that are not on its surface
  /// How far each of those was below the surface at the start, m.
  std::vector<double> inner_depth = {};
  /// Of each node, whether the scene holds or leads it: where to is not the simulation's doing. Empty: none.
  std::vector<char> led = {};

  bool is_led(int node) const { return !led.empty() && led[node]; }
};

/// A solid and its name.
struct JudgedBody {
  std::string name;
  JudgedSolid solid;
  bool obstacle = false;  ///< two obstacles may be in each other
};

/// All that can be passed through, and what stays the same from step to step.
struct JudgedThings {
  std::vector<JudgedCurve> curves;
  std::vector<JudgedSurface> surfaces;
  std::vector<JudgedBody> bodies;
};

/// A place and an orientation: world = x + R local.
struct Pose {
  Eigen::Vector3d x = Eigen::Vector3d::Zero();
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  Eigen::Vector3d inside(const Eigen::Vector3d& world) const { return R.transpose() * (world - x); }
  Eigen::Vector3d outside(const Eigen::Vector3d& local) const { return x + R * local; }
};

using Points = std::vector<Eigen::Vector3d>;

/// Where things are at one moment, in the order of JudgedThings.
struct Moment {
  double t = 0;                  ///< s
  std::vector<Points> curves;    ///< corners of the centre lines
  std::vector<Points> surfaces;  ///< nodes
  std::vector<Pose> bodies;
};

}  // namespace capstan::scenarios
