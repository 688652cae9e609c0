#pragma once
#include <vector>

#include "capstan/problem/contact_jacobian.hpp"

namespace capstan {

/// The bodies in an order in which those that touch lie near each other: threads that take the first and the
/// last of them seldom meet at a body, which is slow where cores share no cache.
std::vector<int> neighbours_together(const ContactJacobian& H);

}  // namespace capstan
