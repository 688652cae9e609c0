#pragma once
#include <memory>

#include "capstan/scene/strand_spec.hpp"
#include "capstan/step/simulation.hpp"

namespace capstan {

/// The bodies of a scene, at their start. Throws InputError naming the strand. Motions of worlds of one and
/// the same scene are steered together.
World build_world(const Scene& scene);
std::unique_ptr<Strand> make_strand(const StrandSpec& spec);

/// What a scene says about stepping.
StepOptions step_options(const SimulationSettings& settings, const Executor& executor);

}  // namespace capstan
