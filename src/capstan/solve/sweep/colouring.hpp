#pragma once
#include <vector>

#include "capstan/problem/contact_jacobian.hpp"

namespace capstan {

/// Contacts of one colour touch no common body, so they can be updated in any order, or at the same time,
/// with the same result. Greedy, in the order of the contacts; each takes the emptiest colour that is free
/// among those in use.
std::vector<std::vector<int>> colour_contacts(const ContactJacobian& H);

}  // namespace capstan
