#pragma once
#include <vector>

#include "capstan/scene/drape.hpp"
#include "capstan/scene/strand_spec.hpp"

/// What expand.cpp is made of: one function a kind of source.
namespace capstan::scene_text {

/// What all strands of a source have in common; the shape has its rest and nothing else.
StrandSpec common_spec(const Scene& scene, const RodChoice& rods, int family);

/// Puts the ends where the shape begins and ends, held and moving as told.
void hold_ends(StrandSpec& strand, const EndScript& root, const EndScript& tip, const Scene& scene);

StrandSpec grow_strand(const Scene& scene, const StrandScript& script, int family);
/// `carrier` is the obstacle it grows on.
std::vector<StrandSpec> grow_groom(const Scene& scene, const Groom& groom, int family,
                                   const Obstacle& carrier, const Surroundings& surroundings);
std::vector<StrandSpec> read_groom_file(const Scene& scene, const Groom& groom, int family);
std::vector<StrandSpec> grow_bundle(const Scene& scene, const Bundle& bundle, int family,
                                    const Surroundings& surroundings);

/// "hair[17]"
std::string numbered(const std::string& name, std::size_t index);

}  // namespace capstan::scene_text
