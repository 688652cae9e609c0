#pragma once
#include <string>
#include <string_view>

#include "capstan/problem/contact_problem.hpp"

namespace capstan::files {

ContactProblem parse_siconos(std::string_view text, const std::string& name);
std::string siconos_text(const ContactProblem& problem, const std::string& name);

}  // namespace capstan::files
