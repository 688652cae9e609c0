#include <cmath>

#include "capstan/scene/strand_spec.hpp"

namespace capstan {
namespace {

struct Family {
  std::string name, material;
  double mu;

  bool called(const std::string& word) const { return word == name || word == material; }
};

std::vector<Family> families_of(const Scene& scene) {
  std::vector<Family> families;
  const auto add = [&](const RodChoice& rods) {
    families.push_back({rods.name, rods.material, scene.find_material(rods.material)->friction});
  };
  for (const StrandScript& strand : scene.strands) add(strand);
  for (const Groom& groom : scene.grooms) add(groom);
  for (const Bundle& bundle : scene.bundles) add(bundle);
  return families;
}

double between(const Scene& scene, const Family& a, const Family& b) {
  double mu = std::sqrt(a.mu * b.mu);
  for (const FrictionPair& pair : scene.friction)
    if ((a.called(pair.a) && b.called(pair.b)) || (a.called(pair.b) && b.called(pair.a))) mu = pair.mu;
  return mu;
}

double with_obstacle(const Scene& scene, const Family& a, const ObstacleSpec& obstacle) {
  double mu = std::sqrt(a.mu * obstacle.friction.value_or(a.mu));
  for (const FrictionPair& pair : scene.friction)
    if ((a.called(pair.a) && pair.b == obstacle.name) || (a.called(pair.b) && pair.a == obstacle.name))
      mu = pair.mu;
  return mu;
}

}  // namespace

FrictionTable friction_table(const Scene& scene) {
  const std::vector<Family> families = families_of(scene);
  const Eigen::Index n = Eigen::Index(families.size()), m = Eigen::Index(scene.obstacles.size());
  FrictionTable table{Eigen::MatrixXd(n, n), Eigen::MatrixXd(n, m)};
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) table.families(i, j) = between(scene, families[i], families[j]);
    for (Eigen::Index j = 0; j < m; ++j)
      table.obstacles(i, j) = with_obstacle(scene, families[i], scene.obstacles[j]);
  }
  return table;
}

}  // namespace capstan
