#pragma once
#include <string>
#include <vector>

#include "capstan/step/world.hpp"

namespace capstan {

/// What is wrong with how a world begins, in words: what overlaps, and held roots that nothing can free.
/// Empty: nothing. Nobody's state is changed.
std::vector<std::string> start_warnings(const World& world);

}  // namespace capstan
