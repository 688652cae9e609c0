#pragma once
#include <Eigen/Geometry>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "capstan/record/frame_reader.hpp"
#include "capstan/record/manifest.hpp"
#include "capstan/record/picture/solid.hpp"

/// Runs in other people's formats. `export` is a word of C++, so the namespace is `exports`.
namespace capstan::exports {

/// Which frames: from first to last, both included, and of these every n-th.
struct FrameChoice {
  int first = 0;
  std::optional<int> last = {};  ///< none: the last one there is
  int every = 1;                 ///< >= 1
};

/// An obstacle or a rigid body, in its own frame.
struct SolidShape {
  enum class Kind { sphere, capsule, cylinder, box, plane, mesh };
  std::string name;
  Kind kind = Kind::mesh;
  double radius = 0, length = 0;                   ///< of what is round, m; the axis is z
  Eigen::Vector3d size = Eigen::Vector3d::Zero();  ///< of a box, m
  /// Triangles, counter-clockwise from outside. Circles have 24 corners; a plane is a square, large beside
  /// what moves.
  record::Solid surface;
  Eigen::Vector3d color;  ///< linear, 0 to 1
  std::string geometry;   ///< equal texts: the same shape
};

/// What all chosen frames have in common.
struct Survey {
  Eigen::AlignedBox3d box;  ///< around all that is not a plane, m; never empty
  double high_force = 0;    ///< N; 98 of 100 contacts have less; 0 without contacts
  bool has_contacts = false;
  double metres_per_newton() const;  ///< draws high_force as a 20th of the diagonal of the box
};

/// The chosen frames of a run, one after the other. It may be opened while the run goes on.
class Footage {
 public:
  /// InputError if `run` is not the folder of a run, or does not have the frames.
  Footage(const std::filesystem::path& run, const FrameChoice& choice);

  const record::Manifest& manifest() const { return manifest_; }
  const std::string& dropped() const { return reader_.dropped(); }
  const std::string& name() const { return name_; }  ///< of the folder
  const std::vector<SolidShape>& solids() const { return solids_; }
  const Survey& survey() const { return survey_; }
  Eigen::Vector3d mesh_color(int mesh) const;

  int frames() const { return static_cast<int>(chosen_.size()); }
  int number(int k) const { return chosen_[static_cast<std::size_t>(k)]; }  ///< in the run
  double time(int k) const { return reader_.time(number(k)); }              ///< s
  /// Time in units of 1/fps: whole numbers where frames are evenly spaced.
  double time_code(int k) const;
  record::Snapshot read(int k);
  /// One list a solid.
  const std::vector<std::vector<capstan::Frame>>& poses() const { return poses_; }

  /// The writer is going to read all frames so many times; each read tells how much is done, 0 to 1.
  void begin(int passes, std::function<void(double)> progress);

 private:
  void look_around();

  record::Manifest manifest_;
  record::FrameReader reader_;
  std::string name_;
  std::vector<int> chosen_;
  std::vector<SolidShape> solids_;
  std::vector<std::vector<capstan::Frame>> poses_;
  Survey survey_;
  std::function<void(double)> progress_;
  int reads_ = 0, expected_ = 1;
};

/// Whether a solid stays where it is.
bool stands_still(const std::vector<capstan::Frame>& poses);

/// Rotations as unit quaternions, each on the side of the one before: neighbours can be interpolated.
std::vector<Eigen::Quaterniond> turns_of(const std::vector<capstan::Frame>& poses);

}  // namespace capstan::exports
