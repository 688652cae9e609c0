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
  double slowest_bounce = 0.1;       ///< m/s; what meets more slowly does not bounce
};

/// Returns the overlap that is left of a gap when a step of dt has undone its part of it, m.
double overlap_after(double gap, double dt, const GapOptions& options);

/// Tells the soft bodies which of their nodes these contacts reach.
void touch_nodes(World& world, const std::vector<Contact>& contacts, const Executor& executor);

/// The contact problem of a step that all bodies have begun: A, f from the bodies, H and w from the contacts,
/// one law for each. The normal row is u_N + gap/dt >= 0: what is apart may close its
/// gap, and no more; an overlap is undone little by little. The problem has dimension 4 if a law has friction
/// about the normal. What has bonds does not bounce.
/// `borne`: known impulses at the contacts, N s in their frames (see stick), one a contact or none.
ContactProblem assemble(const World& world, const std::vector<Contact>& contacts,
                        std::vector<ContactLaw> laws, const std::vector<Eigen::Vector3d>& borne, double dt,
                        const GapOptions& options, const Executor& executor);

}  // namespace capstan
