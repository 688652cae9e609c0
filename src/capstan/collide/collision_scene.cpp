#include "capstan/collide/collision_scene.hpp"

#include <cmath>
#include <string>

#include "capstan/errors.hpp"

namespace capstan {
namespace {

void require(bool fine, const std::string& where, const char* what, double value, const char* expected) {
  if (!fine)
    throw InputError(where + ": " + what + " is " + std::to_string(value) + ", expected " + expected);
}

}  // namespace

int CollisionScene::add_strand(const StrandCollision& how, std::span<const Eigen::Vector3d> nodes,
                               std::span<const double> arclengths) {
  const std::string where = "collision strand " + std::to_string(strands.size());
  require(how.radius > 0 && std::isfinite(how.radius), where, "radius", how.radius, "> 0");
  require(how.margin >= 0 && std::isfinite(how.margin), where, "margin", how.margin, ">= 0");
  require(how.skip_root >= 0, where, "skip_root", how.skip_root, ">= 0");
  require(how.skip_tip >= 0, where, "skip_tip", how.skip_tip, ">= 0");
  require(nodes.size() >= 2, where, "number of nodes", double(nodes.size()), ">= 2");
  require(arclengths.size() == nodes.size(), where, "number of arclengths", double(arclengths.size()),
          "one a node");
  for (std::size_t i = 1; i < nodes.size(); ++i)
    require(arclengths[i] > arclengths[i - 1], where, "an arclength", arclengths[i],
            "more than the one before");
  CollisionStrand strand;
  static_cast<StrandCollision&>(strand) = how;
  strand.first_node = int(x.size());
  strand.nodes = int(nodes.size());
  x.insert(x.end(), nodes.begin(), nodes.end());
  s.insert(s.end(), arclengths.begin(), arclengths.end());
  strands.push_back(strand);
  return int(strands.size()) - 1;
}

void CollisionScene::require_finite() const {
  for (std::size_t k = 0; k < strands.size(); ++k)
    for (int i = 0; i < strands[k].nodes; ++i)
      if (!x[strands[k].first_node + i].allFinite())
        throw InputError("collision strand " + std::to_string(k) + ": node " + std::to_string(i) +
                         " is not finite, expected three finite coordinates");
}

double CollisionScene::mean_capsule_length(int strand) const {
  const CollisionStrand& k = strands[strand];
  return (s[k.first_node + k.nodes - 1] - s[k.first_node]) / (k.nodes - 1);
}

}  // namespace capstan
