#pragma once
#include <string>

namespace capstan {

/// A small scene with comments, to be changed: a hanging strand, hair on a turning ball, a floor.
std::string starter_scene(const std::string& title);

}  // namespace capstan
