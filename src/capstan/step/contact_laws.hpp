#pragma once
#include <vector>

#include "capstan/collide/contact.hpp"
#include "capstan/law/contact_law.hpp"
#include "capstan/solve/one_sided.hpp"
#include "capstan/step/world.hpp"

namespace capstan {

/// The law of each contact at time t, from the friction of the two families and the grains of the surfaces
/// there. Where friction depends on the grain the tangents of the contact are turned to the axes of its cone.
/// One-sided contacts have the law of either side, until the solve knows which.
struct ChosenLaws {
  std::vector<ContactLaw> laws;
  std::vector<OneSidedContact> one_sided;
};
ChosenLaws choose_laws(const World& world, std::vector<Contact>& contacts, double t);

}  // namespace capstan
