#include "capstan/scene/names.hpp"

#include <algorithm>

namespace capstan::scene_text {

std::vector<std::string> known_names(const Scene& scene) {
  std::vector<std::string> names;
  for (const Material& material : scene.materials) names.push_back(material.name);
  for (const StrandScript& strand : scene.strands) names.push_back(strand.name);
  for (const Groom& groom : scene.grooms) names.push_back(groom.name);
  for (const Bundle& bundle : scene.bundles) names.push_back(bundle.name);
  for (const RigidSpec& rigid : scene.rigid) names.push_back(rigid.name);
  for (const ClothSpec& cloth : scene.cloth) names.push_back(cloth.name);
  for (const SolidSoftSpec& soft : scene.soft) names.push_back(soft.name);
  for (const ObstacleSpec& obstacle : scene.obstacles) names.push_back(obstacle.name);
  for (const std::string& preset : preset_names()) names.push_back(preset);
  return names;
}

std::string read_name(TableReader& table, const Scene& scene, const std::string& section, std::size_t count) {
  const auto name = table.text("name");
  const std::vector<std::string> taken = known_names(scene);
  const auto is_taken = [&](const std::string& word) {
    return std::find(taken.begin(), taken.end(), word) != taken.end();
  };
  if (name && is_taken(*name))
    table.wrong("name", "a name that is not taken" +
                            std::string(find_preset(*name) ? " by a built-in material" : ""));
  if (name) return *name;
  std::string made;
  do made = section + "_" + std::to_string(++count);
  while (is_taken(made));
  return made;
}

}  // namespace capstan::scene_text
