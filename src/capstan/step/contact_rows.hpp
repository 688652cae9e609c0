#pragma once
#include <vector>

#include "capstan/collide/contact.hpp"
#include "capstan/executor.hpp"
#include "capstan/problem/contact_problem.hpp"
#include "capstan/step/world.hpp"

namespace capstan {

/// How gaps and overlaps enter the velocity of a contact.
struct GapOptions {
  double correction = 0.1;           ///< part of an overlap that a step undoes
  double largest_correction = 0.05;  ///< m/s; slow, so that undoing an overlap throws nothing
};

/// The contact problem of a step that all strands have begun: A, f from the strands, H and w from the
/// contacts. The normal row is u_N + gap/dt >= 0: what is apart may close its gap, and no more; an overlap is
/// undone little by little.
ContactProblem assemble(const World& world, const std::vector<Contact>& contacts, double dt,
                        const GapOptions& options, const Executor& executor);

}  // namespace capstan
