#pragma once
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <string>

#include "capstan/errors.hpp"
#include "capstan/record/snapshot.hpp"
#include "support/scratch.hpp"

namespace capstan::record::test {

using testing_support::contents;
using testing_support::Scratch;
using testing_support::set_contents;

/// Message of the InputError that the call must throw.
template <typename Call>
std::string refusal(Call&& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was refused";
  return {};
}

/// Soft bodies: sheets of 5 vertices a row over which waves run, stretched where they are steep.
inline void add_waving_cloth(Snapshot& snapshot, const FrameLayout& layout) {
  snapshot.mesh_points.resize(3, layout.mesh_points());
  snapshot.mesh_values.resize(layout.mesh_points());
  int k = 0;
  for (int mesh = 0; mesh < layout.meshes(); ++mesh)
    for (int i = 0; i < layout.points_per_mesh[static_cast<std::size_t>(mesh)]; ++i, ++k) {
      const double x = 0.05 * (i % 5), y = 0.05 * (i / 5), phase = 8 * x + 3 * y - 6 * snapshot.t + mesh;
      snapshot.mesh_points.col(k) << x, y, 0.5 + 0.04 * std::sin(phase);
      snapshot.mesh_values[k] = static_cast<float>(0.05 * std::pow(std::cos(phase), 2));
    }
}

/// Hair that hangs from a ball and swings, each strand with a phase, an amplitude and a curl of its own; and
/// the soft bodies of the layout.
inline Snapshot swinging_hair(const FrameLayout& layout, int frame, double fps = 25) {
  Snapshot snapshot;
  snapshot.t = frame / fps;
  snapshot.points.resize(3, layout.points());
  int k = 0;
  for (int strand = 0; strand < layout.strands(); ++strand) {
    const double random = std::fmod(0.618034 * strand, 1),
                 azimuth = 2 * M_PI * std::fmod(0.754878 * strand, 1);
    const Eigen::Vector3d root = 0.09 * Eigen::Vector3d(std::cos(azimuth), std::sin(azimuth), 0.3 * random);
    const int count = layout.points_per_strand[static_cast<std::size_t>(strand)];
    for (int i = 0; i < count; ++i, ++k) {
      const double s = count > 1 ? 0.25 * i / (count - 1) : 0;
      const double swing = (0.3 + 0.2 * random) * std::sin(5 * snapshot.t - 4 * s + 2 * random) * s / 0.25;
      const double curl = 0.004 * std::sin(90 * s + 6 * random + 0.5 * snapshot.t);
      snapshot.points.col(k) = root + Eigen::Vector3d(s * std::sin(swing) + curl,
                                                      0.2 * s * random + 0.5 * curl, -s * std::cos(swing));
    }
  }
  for (int o = 0; o < layout.obstacles; ++o)
    snapshot.obstacles.push_back(
        {Eigen::Vector3d(0.1 * o, std::sin(snapshot.t), 0),
         Eigen::AngleAxisd(0.3 * snapshot.t + o, Eigen::Vector3d::UnitZ()).matrix()});
  add_waving_cloth(snapshot, layout);
  return snapshot;
}

}  // namespace capstan::record::test
