#pragma once
#include <Eigen/Core>
#include <span>
#include <vector>

#include "capstan/collide/contact.hpp"
#include "capstan/law/contact_law.hpp"
#include "capstan/solve/box_law.hpp"
#include "capstan/step/world.hpp"

namespace capstan {

/// Two points of matter that stick to each other. They stay the contact they once were, however the bodies
/// move, until the bond breaks.
struct Bond {
  ContactSide a, b;
  Eigen::Vector3d place_a, place_b;  ///< in the frames of the bodies there, m
  Eigen::Matrix3d frame;             ///< n, t1, t2 in the axes of B, as they were when it was made
  double thickness = 0;              ///< n.(a - b) where the surfaces touch, m: the radii of strands
  double beta = 0, area = 0;         ///< intensity; m^2
  Eigen::Vector3d impulse = Eigen::Vector3d::Zero();  ///< of the last step on A, without that of the slip
};

const Adhesion* adhesion_of(const World& world, const Contact& contact);  ///< nullptr: they do not stick

/// Sets the area of each contact that may stick: an equal part of the polygon that touches, or, of what is
/// round, the strip or disc where the gap is below the one at which bonds break; contacts along a strand
/// share its length. Soft bodies have found theirs; what does not stick gets 0.
void measure_areas(const World& world, std::vector<Contact>& contacts);

/// Half the length of the patch that a bond stands for, m: a square, or a strip along a strand.
double patch_reach(const World& world, const Contact& bonded);

/// A bond where this contact is, at time t.
Bond bond_at(const World& world, const Contact& contact, double beta, double t);

/// Where the bonded points are at time t, as a contact. The normal is fixed to B; that of two strands, which
/// roll over each other, leads from one to the other.
Contact contact_of(const World& world, const Bond& bond, double t);

/// Which contacts a bond already stands for: those of the same bodies within the patch of one.
std::vector<char> covered_by(const World& world, std::span<const Contact> bonded,
                             std::span<const Contact> contacts);

/// Makes the law of a bonded contact that of Raous, Cangemi and Cocou: friction mu (1 - beta), none where
/// that is below 1e-3, and springs. Returns what the springs along the surface already bear at the start of
/// the step, N s in the contact frame: a known impulse -k slip/dt, which is no part of the law since friction
/// opposes velocity, not slip.
Eigen::Vector3d stick(const Adhesion& adhesion, const Bond& bond, const Contact& contact, double dt,
                      ContactLaw& law);

/// The same for the coupling `box`, which needs no law but friction. It counts as pressed if it was so in the
/// step before.
BoxContact box_of(const Adhesion& adhesion, const Bond& bond, const Contact& contact, int index, double dt);

/// What bonds make of the contacts of a step, each by its coupling: tractions in `laws`, or boxes.
struct BondedContacts {
  std::vector<Eigen::Vector3d> borne;  ///< one a contact, see stick
  std::vector<BoxContact> boxes;
};
/// bond_of: of each contact, in `bonds`; -1: none.
BondedContacts stick_all(const World& world, std::span<const Bond> bonds, std::span<const int> bond_of,
                         std::span<const Contact> contacts, double dt, std::vector<ContactLaw>& laws);

/// Changes the intensity by what the step did: normal impulse r_N of the contact, and where the points are
/// now, at time t. New bonds bear no load, so that the slip shrinks as beta grows. Returns whether the bond
/// holds.
bool evolve(const World& world, const Adhesion& adhesion, double r_N, double t, double dt, Bond& bond);

}  // namespace capstan
