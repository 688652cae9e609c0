#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "apps/terminal.hpp"
#include "capstan/solve/solver.hpp"

namespace capstan::app {

/// The fields of the certificate, in the units of certificate.hpp.
nlohmann::ordered_json certificate_json(const Certificate& certificate);

/// What `capstan solve --json` prints for a problem.
nlohmann::ordered_json report_json(const std::string& name, const std::string& argument,
                                   const ContactProblem& problem, const SolveReport& report);

/// Green, yellow or red.
Style style_of(Status status);

/// "open/stick/slide".
std::string states_text(const Certificate& certificate);

/// 4 significant digits, and 0 rather than 0.000.
std::string seconds_text(double seconds);
std::string error_text(double error);

/// FNV-1a over the bits of r: two answers with the same hash are the same to the last bit.
std::string hash_of(const Eigen::VectorXd& r);

}  // namespace capstan::app
