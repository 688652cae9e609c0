#pragma once
#include <string>

#include "capstan/record/checkpoint.hpp"
#include "capstan/record/manifest.hpp"
#include "capstan/record/snapshot.hpp"
#include "capstan/record/statistics.hpp"
#include "capstan/scene/scene.hpp"
#include "capstan/step/simulation.hpp"

/// What a record keeps of a simulation.
namespace capstan {

record::Manifest manifest_of(const Scene& scene, const World& world, const std::string& scene_name);

/// Where all is, without contacts.
record::Snapshot places_of(const Simulation& simulation);
/// With the contacts of the last step, whose dt turns impulses into forces.
record::Snapshot snapshot_of(const Simulation& simulation, double dt);

record::StepStatistics row_of(const StepReport& report, int step, const Energy& energy);
record::Overlap recorded(const OverlapReport& overlap);

record::Checkpoint checkpoint_of(const Simulation::State& state, int frames);
/// Throws InputError if an array is missing.
Simulation::State state_of(const record::Checkpoint& checkpoint);

}  // namespace capstan
