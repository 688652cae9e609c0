#pragma once
#include <string>

namespace capstan::app {

/// Where the rigid things of a run are in each frame, as CSV: t (s), name, x, y, z (m), rx, ry, rz (rotation
/// vector, rad). Obstacles first, then rigid bodies; empty if there are none.
std::string body_table(const std::string& run);

}  // namespace capstan::app
