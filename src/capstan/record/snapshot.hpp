#pragma once
#include <Eigen/Core>
#include <optional>
#include <vector>

#include "capstan/body/motion.hpp"

/// What a run leaves behind: frames, statistics, checkpoints, and pictures of them. Knows no bodies and no
/// solver: it is given plain numbers.
namespace capstan::record {

constexpr int kOldestFrames = 2, kNewestFrames = 4;  ///< versions of frames.bin that are read

/// What stays the same in all frames of a run.
struct FrameLayout {
  /// 3 knows the cones of contacts, 4 soft bodies and bonds; a resumed run stays what it was.
  int version = kNewestFrames;
  std::vector<int> points_per_strand;
  std::vector<int> points_per_mesh;  ///< vertices of each soft body
  int obstacles = 0;
  /// Places are rounded to multiples of this, m; a power of two. The rounding error of a coordinate is at
  /// most half of it. 2^-17 m is 7.6 um: below a tenth of the diameter of a hair.
  double step = 0x1p-17;
  int frames_per_chunk = 12;

  int strands() const { return static_cast<int>(points_per_strand.size()); }
  int points() const;
  int meshes() const { return static_cast<int>(points_per_mesh.size()); }
  int mesh_points() const;
  bool operator==(const FrameLayout&) const = default;
};

enum class ContactState : unsigned char { open, stick, slide };

/// The forces that friction allows: (f.t/mu_t)^2 + (f.b/mu_b)^2 <= (f.n)^2, b = n x t.
struct RecordedCone {
  double mu_t = 0, mu_b = 0;  ///< kept to 11 bits
  struct Axes {
    Eigen::Vector3d n;  ///< unit, from b to a; kept to 0.02 degrees, or 0.2 where mu_t = mu_b
    Eigen::Vector3d t;  ///< unit, tangential, kept to 0.02 degrees; -t is the same; any if mu_t = mu_b
  };
  std::optional<Axes> axes = {};  ///< may be left out, to save bytes
};

/// A contact as a viewer wants it.
struct RecordedContact {
  Eigen::Vector3d x;  ///< m
  Eigen::Vector3d f;  ///< N, on a; kept to 11 bits (relative error below 2.5e-4)
  int a = 0, b = 0;   ///< strands >= 0; others -1 - k, counted from obstacles to rigid to soft bodies
  ContactState state = ContactState::stick;
  std::optional<RecordedCone> cone = {};
  double beta = 0;  ///< intensity of its bond, 0 (none) to 1; kept to 8 bits
};

/// One moment of a run.
struct Snapshot {
  double t = 0;                           ///< s
  Eigen::Matrix3Xd points;                ///< of all strands, one after the other, m
  std::vector<capstan::Frame> obstacles;  ///< poses, exact
  std::vector<RecordedContact> contacts;  ///< may be left empty
  Eigen::Matrix3Xd mesh_points = {};      ///< vertices of all soft bodies, one after the other, m
  /// One a vertex, >= 0: its strain, kept to 3 % between 4e-6 and 9. Empty: all 0.
  Eigen::VectorXf mesh_values = {};
};

}  // namespace capstan::record
