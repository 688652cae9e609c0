#include "capstan/scene/names.hpp"

#include <algorithm>

namespace capstan::scene_text {

std::vector<std::string> body_names(const Scene& scene) {
  std::vector<std::string> names;
  for (const StrandScript& strand : scene.strands) names.push_back(strand.name);
  for (const Groom& groom : scene.grooms) names.push_back(groom.name);
  for (const Bundle& bundle : scene.bundles) names.push_back(bundle.name);
  for (const RigidSpec& rigid : scene.rigid) names.push_back(rigid.name);
  for (const ClothSpec& cloth : scene.cloth) names.push_back(cloth.name);
  for (const SolidSoftSpec& soft : scene.soft) names.push_back(soft.name);
  for (const ObstacleSpec& obstacle : scene.obstacles) names.push_back(obstacle.name);
  return names;
}

std::vector<std::string> known_names(const Scene& scene) {
  std::vector<std::string> names;
  for (const Material& material : scene.materials) names.push_back(material.name);
  for (const std::string& body : body_names(scene)) names.push_back(body);
  for (const std::string& preset : preset_names()) names.push_back(preset);
  return names;
}

std::string read_name(TableReader& table, const Scene& scene, const std::string& section, std::size_t count) {
  const auto is_in = [](const std::vector<std::string>& names, const std::string& word) {
    return std::find(names.begin(), names.end(), word) != names.end();
  };
  const auto name = table.text("name");
  if (name && is_in(body_names(scene), *name)) table.wrong("name", "a name that is not taken");
  if (name) return *name;
  const std::vector<std::string> taken = known_names(scene);
  std::string made;
  do made = section + "_" + std::to_string(++count);
  while (is_in(taken, made));
  return made;
}

}  // namespace capstan::scene_text
