#pragma once
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "capstan/parallel/tbb_executor.hpp"
#include "capstan/scene/build_world.hpp"

namespace capstan {

/// Pulls one point of a strand towards a place, as a hand does that does not tear.
struct Drag {
  int strand = 0, point = 0;  ///< of its collision polyline
  Eigen::Vector3d target = Eigen::Vector3d::Zero();
};

/// What a page shows of a simulation that goes on.
struct LiveFrame {
  long long number = 0;
  double t = 0, error = 0;
  int step = 0, contacts = 0;
  bool paused = false;
  std::vector<float> points;                    ///< x, y, z of every point of every strand
  std::vector<float> poses;                     ///< of every obstacle: x, then the rotation by columns
  std::vector<float> mesh_points, mesh_values;  ///< of every vertex of every soft body: x, y, z; strain
  std::string problem;                          ///< why it stands still for good; empty: it does not
};

/// A scene that is simulated in a thread of its own, at the pace of the clock or slower, and can be touched.
/// All functions may be called from any thread.
class LiveRun {
 public:
  LiveRun(Scene scene, int threads);
  ~LiveRun();
  LiveRun(const LiveRun&) = delete;
  LiveRun& operator=(const LiveRun&) = delete;

  std::vector<int> points_per_strand() const { return points_per_strand_; }
  std::vector<double> radii() const { return radii_; }
  const std::vector<std::string>& obstacles() const { return obstacles_; }  ///< as in a manifest
  const std::vector<std::string>& meshes() const { return meshes_; }        ///< as in a manifest
  /// Between strands (their own name) and with each obstacle.
  std::map<std::string, double> friction() const;

  void pause(bool paused);
  void restart();
  void set_friction(const std::string& name, double mu);  ///< InputError: no such name, or mu < 0
  void drag(const std::optional<Drag>& drag);             ///< InputError: no such point

  /// The newest frame after number `seen`; nothing if there is none within the time.
  std::optional<LiveFrame> wait_for_frame(long long seen, std::chrono::milliseconds at_most);

  static constexpr const char* kBetweenStrands = "between strands";

 private:
  void loop();
  bool play();
  void pull(Simulation& simulation, const Drag& drag) const;
  void publish(const Simulation& simulation, const StepReport& report);
  void apply_friction(World& world) const;

  const Scene scene_;
  const TbbExecutor executor_;
  std::vector<int> points_per_strand_;
  std::vector<double> radii_;
  std::vector<std::string> obstacles_, meshes_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, double> friction_, chosen_friction_;  // as shown; as changed by hand
  std::optional<Drag> drag_;
  LiveFrame frame_;
  bool paused_ = false, restart_ = false, stop_ = false;
  std::thread thread_;
};

/// The force on a point that gives it, without contacts, the velocity that brings it to the target within a
/// twentieth of a second; at most `fastest`.
Eigen::Vector3d drag_force(Strand& strand, const StepConditions& step, double s,
                           const Eigen::Vector3d& target, double fastest);

}  // namespace capstan
