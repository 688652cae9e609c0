#pragma once
#include <Eigen/Core>
#include <string>
#include <vector>

#include "capstan/body/rod/strand_shape.hpp"
#include "capstan/collide/obstacle.hpp"
#include "capstan/scene/scene.hpp"

namespace capstan {

/// One strand, ready to be built.
struct StrandSpec {
  std::string name;    ///< hair[17]
  std::string source;  ///< the strand, groom or bundle it comes from
  int family = 0;      ///< index of the source: strands first, then grooms, then bundles
  std::string model, material;
  int elements = 0;
  StrandShape shape;
  RodProperties properties;
  double collision_radius = 0;  ///< m
  double friction = 0;          ///< mu against itself; of pairs: friction_table
  bool self_contact = true;
  double skip_root = 0;  ///< m
  std::vector<PointForce> loads;
};

/// Everything a scene grows, in the order of the file (strands, grooms, bundles). The same scene gives the
/// same bits everywhere: all that is random comes from the seeds. Reads the files of grooms and meshes.
/// Throws InputError naming the strand, groom or bundle.
std::vector<StrandSpec> expand(const Scene& scene);
/// The same with the obstacles that make_obstacles() gave, for a run that needs them too.
std::vector<StrandSpec> expand(const Scene& scene, const std::vector<Obstacle>& obstacles);

/// Unknowns of its model: 3 curvatures a piece for super_helix (and 3 or 6 more for a root that can turn or
/// move), 3 a node that is not held for the others, and 1 (discrete_elastic) or 3 (corde) a piece.
int dofs_of(const StrandSpec& strand);

}  // namespace capstan
