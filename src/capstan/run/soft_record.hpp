#pragma once
#include <vector>

#include "capstan/record/recorded_mesh.hpp"
#include "capstan/record/snapshot.hpp"
#include "capstan/step/world.hpp"

namespace capstan {

/// The surfaces of soft bodies as a record keeps them: inner nodes are left out.
std::vector<record::RecordedMesh> recorded_meshes(const World& world);
std::vector<int> points_of_meshes(const World& world);
/// Places and strains of their vertices now.
void record_soft(const World& world, record::Snapshot& snapshot);

}  // namespace capstan
