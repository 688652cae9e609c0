#pragma once
#include <vector>

#include "capstan/collide/contact.hpp"
#include "capstan/law/contact_law.hpp"
#include "capstan/step/world.hpp"

namespace capstan {

/// The law of each contact at time t, from the friction of the two families and the grains of the surfaces
/// there. Where friction depends on the grain the tangents of the contact are turned to the axes of its cone.
std::vector<ContactLaw> choose_laws(const World& world, std::vector<Contact>& contacts, double t);

}  // namespace capstan
