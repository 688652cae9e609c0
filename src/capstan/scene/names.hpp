#pragma once
#include <string>
#include <vector>

#include "capstan/scene/scene.hpp"
#include "capstan/scene/table_reader.hpp"

namespace capstan::scene_text {

/// Returns the names of everything that is in the scene: strands, grooms, bundles, rigid bodies, cloth, soft
/// solids, obstacles. They must differ from each other. Materials have names of their own: a strand called
/// "rope" may be made of the material "rope".
std::vector<std::string> body_names(const Scene& scene);

/// Returns everything [[friction]] can refer to: the names of bodies and of materials (the built-in ones
/// too).
std::vector<std::string> known_names(const Scene& scene);

/// Returns the key `name`, or the section and the next number. A name that another body has is noted.
std::string read_name(TableReader& table, const Scene& scene, const std::string& section, std::size_t count);

}  // namespace capstan::scene_text
