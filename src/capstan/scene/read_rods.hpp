#pragma once
#include <string>

#include "capstan/scene/scene.hpp"
#include "capstan/scene/table_reader.hpp"

namespace capstan::scene_text {

/// The keys of the section `rods`, but for the name.
void read_rods(TableReader& table, const Scene& scene, RodChoice& rods);

/// The tip of a super-helix cannot be held: its unknowns are curvatures, counted from the root.
EndScript read_end(TableReader& table, const Scene& scene, const std::string& model, bool is_root);

/// skip_root leaves something of the strand; a length of 0 is not known yet.
void check_skip(TableReader& table, const RodChoice& rods, double length);

}  // namespace capstan::scene_text
