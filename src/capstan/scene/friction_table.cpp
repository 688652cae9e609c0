#include "capstan/scene/friction_table.hpp"

#include <cmath>
#include <optional>
#include <set>

namespace capstan {
namespace {

struct Family {
  std::string name, material;  // no material: a body has its name, which means that body alone then
  std::optional<double> mu;

  bool called(const std::string& word) const { return word == name || word == material; }
};

/// The name of a body hides a material of the same name.
void forget_hidden_materials(std::vector<Family>& families) {
  std::set<std::string> bodies;
  for (const Family& family : families) bodies.insert(family.name);
  for (Family& family : families)
    if (bodies.contains(family.material)) family.material.clear();
}

/// In the order of World::friction.
std::vector<Family> families_of(const Scene& scene) {
  std::vector<Family> families;
  const auto add = [&](const RodChoice& rods) {
    families.push_back({rods.name, rods.material, scene.find_material(rods.material)->friction});
  };
  for (const StrandScript& strand : scene.strands) add(strand);
  for (const Groom& groom : scene.grooms) add(groom);
  for (const Bundle& bundle : scene.bundles) add(bundle);
  for (const RigidSpec& rigid : scene.rigid) families.push_back({rigid.name, "", rigid.friction});
  for (const ClothSpec& cloth : scene.cloth) families.push_back({cloth.name, "", cloth.friction});
  for (const SolidSoftSpec& soft : scene.soft) families.push_back({soft.name, "", soft.friction});
  for (const ObstacleSpec& obstacle : scene.obstacles)
    families.push_back({obstacle.name, "", obstacle.friction});
  forget_hidden_materials(families);
  return families;
}

PairFriction between(const Scene& scene, const Family& a, const Family& b) {
  PairFriction friction;
  const double mu_a = a.mu.value_or(b.mu.value_or(0));
  friction.mu = std::sqrt(mu_a * b.mu.value_or(mu_a));
  for (const FrictionPair& pair : scene.friction) {
    if (a.called(pair.a) && b.called(pair.b))
      friction = pair.friction;
    else if (a.called(pair.b) && b.called(pair.a))
      friction = swapped(pair.friction);
  }
  return friction;
}

}  // namespace

int first_rigid_family(const Scene& scene) {
  return static_cast<int>(scene.strands.size() + scene.grooms.size() + scene.bundles.size());
}

PairTable friction_table(const Scene& scene) {
  const std::vector<Family> families = families_of(scene);
  PairTable table(static_cast<int>(families.size()));
  for (int a = 0; a < table.families(); ++a)
    for (int b = 0; b <= a; ++b) table.set(a, b, between(scene, families[a], families[b]));
  return table;
}

}  // namespace capstan
