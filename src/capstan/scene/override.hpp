#pragma once
#include "capstan/scene/scene.hpp"
#include "capstan/scene/toml_value.hpp"

namespace capstan::scene_text {

/// Sets the value at the path ("groom.0.count": tables by key, lists by number from 0 or by the name
/// of an item: "groom.scalp.count"). The key need not be
/// there yet, what holds it must. Throws InputError naming the override.
void apply_override(Value& tree, const Override& change);

}  // namespace capstan::scene_text
