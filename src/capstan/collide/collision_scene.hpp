#pragma once
#include <Eigen/Core>
#include <algorithm>
#include <span>
#include <vector>

#include "capstan/collide/obstacle.hpp"
#include "capstan/collide/segments.hpp"

namespace capstan {

/// How a strand meets the world. All lengths in m.
struct StrandCollision {
  double radius = 0;  ///< > 0; of collisions, at least that of the material
  double margin = 0;  ///< >= 0; contacts are reported up to this gap (a pair: up to the sum of both)
  /// This close to the root, along the strand, it meets nothing but strands that are farther from theirs:
  /// roots stand close together, and in what they grow on. What lies inside of other things there must not
  /// jump out when it leaves this part: the radius of contacts grows from nothing over the next few radii.
  double skip_root = 0;
  double skip_tip = 0;       ///< the same next to the tip
  bool self_contact = true;  ///< whether it meets itself
  int group = -1;            ///< strands of one group >= 0 do not meet each other
};

struct CollisionStrand : StrandCollision {
  int first_node = 0, nodes = 0;  ///< where it is in CollisionScene::x and s
};

/// Everything that may touch, at one moment. A strand is a polyline of capsules; all nodes lie in one array.
/// Positions and margins may be changed in place from step to step.
struct CollisionScene {
  std::vector<Eigen::Vector3d> x;  ///< nodes
  std::vector<double> s;           ///< their arclengths
  std::vector<CollisionStrand> strands;
  std::vector<PlacedObstacle> obstacles;  ///< all that strands may meet beside each other
  std::vector<double> rigid_radius;       ///< of the balls around the rigid bodies, m
  std::vector<double> soft_edge;          ///< mean length of the edges of soft bodies, m

  /// Returns its index. Throws InputError unless there are two nodes or more, as many arclengths, rising, and
  /// the radius is positive and no length negative.
  int add_strand(const StrandCollision& how, std::span<const Eigen::Vector3d> nodes,
                 std::span<const double> arclengths);

  std::span<Eigen::Vector3d> nodes_of(int strand) {
    return std::span(x).subspan(strands[strand].first_node, strands[strand].nodes);
  }
  /// The capsule that begins at a node; a strand's last node begins none.
  Segment capsule(int node) const { return {x[node], x[node + 1] - x[node]}; }
  double capsule_length(int node) const { return s[node + 1] - s[node]; }
  /// Throws InputError if a coordinate is not.
  void require_finite() const;
  /// Mean along the strand, m.
  double mean_capsule_length(int strand) const;
  /// Whether contacts with what is no strand are wanted at this arclength.
  bool wanted(const CollisionStrand& strand, double at) const {
    return at >= s[strand.first_node] + strand.skip_root &&
           at <= s[strand.first_node + strand.nodes - 1] - strand.skip_tip;
  }
  /// Returns the radius that such contacts have there, m.
  double radius_at(const CollisionStrand& strand, double at) const {
    return strand.radius * grown_part(strand, at);
  }
  /// Whether contacts of two strands are wanted at these arclengths: not where both leave them out.
  bool wanted(const CollisionStrand& a, double at_a, const CollisionStrand& b, double at_b) const {
    return wanted(a, at_a) || wanted(b, at_b);
  }
  /// Returns how far apart two strands have to be there, m.
  double distance_at(const CollisionStrand& a, double at_a, const CollisionStrand& b, double at_b) const {
    return (a.radius + b.radius) * std::max(grown_part(a, at_a), grown_part(b, at_b));
  }

 private:
  static double ramp(const CollisionStrand& strand) { return 5 * strand.radius; }
  /// From 0, where contacts begin, to 1.
  double grown_part(const CollisionStrand& strand, double at) const {
    double part = 1;
    if (strand.skip_root > 0) part = (at - s[strand.first_node] - strand.skip_root) / ramp(strand);
    if (strand.skip_tip > 0)
      part = std::min(part, (s[strand.first_node + strand.nodes - 1] - strand.skip_tip - at) / ramp(strand));
    return std::clamp(part, 0.0, 1.0);
  }
};

}  // namespace capstan
