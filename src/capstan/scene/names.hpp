#pragma once
#include <string>
#include <vector>

#include "capstan/scene/scene.hpp"
#include "capstan/scene/table_reader.hpp"

namespace capstan::scene_text {

/// Everything [[friction]] can refer to: materials (the built-in ones too), strands, grooms, bundles,
/// obstacles.
std::vector<std::string> known_names(const Scene& scene);

/// The key `name`, or the section and the next number. A name that is taken is noted.
std::string read_name(TableReader& table, const Scene& scene, const std::string& section, std::size_t count);

}  // namespace capstan::scene_text
