#pragma once
#include <string>
#include <vector>

#include "capstan/scene/scene.hpp"
#include "capstan/scene/table_reader.hpp"

/// One function a kind of table; parse_scene.cpp calls them in the order in which they refer to each other.
namespace capstan::scene_text {

void read_simulation(TableReader table, SimulationSettings& simulation);
void read_material(TableReader table, Scene& scene);
void read_obstacle(TableReader table, Scene& scene);
void read_rigid(TableReader table, Scene& scene);
void read_cloth(TableReader table, Scene& scene);
void read_soft(TableReader table, Scene& scene);
void read_strand(TableReader table, Scene& scene);
void read_groom(TableReader table, Scene& scene);
void read_bundle(TableReader table, Scene& scene);
void read_friction(TableReader table, Scene& scene);

/// Reads shape and sizes, of the section `solid`.
void read_solid(TableReader& table, const Scene& scene, SolidSpec& solid);
/// The table `structure` of a solid, if it has one; without a shape if that is unknown.
std::optional<StructureSpec> read_structure(TableReader& owner, const Scene& scene,
                                            std::optional<SolidSpec::Shape> shape);
/// Position and rotation, or the normal of a plane.
Frame read_pose(TableReader& table, const SolidSpec& solid);

/// The keys of the section `motion`; the obstacle it follows must be there already.
MotionScript read_motion(TableReader& table, const Scene& scene);
/// Turns a script into a steerable motion of a frame that lies at `rest` (world, at t = 0).
Motion placed(const MotionScript& script, const Frame& rest, const Scene& scene);

}  // namespace capstan::scene_text
