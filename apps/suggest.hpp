#pragma once
#include "capstan/scene/suggest.hpp"

namespace capstan::app {

using capstan::did_you_mean;
using capstan::edit_distance;

}  // namespace capstan::app
