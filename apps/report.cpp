#include "apps/report.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>

namespace capstan::app {

nlohmann::ordered_json certificate_json(const Certificate& c) {
  return {{"error", c.error},
          {"natural_map_error", c.natural_map_error},
          {"worst_contact", c.worst_contact},
          {"penetration_velocity", c.penetration_velocity},
          {"worst_penetration", c.worst_penetration},
          {"cone_violation", c.cone_violation},
          {"worst_cone", c.worst_cone},
          {"dissipation_defect", c.dissipation_defect},
          {"worst_dissipation", c.worst_dissipation},
          {"fischer_burmeister", c.fischer_burmeister},
          {"alart_curnier", c.alart_curnier},
          {"open", c.open},
          {"stick", c.stick},
          {"slide", c.slide}};
}

nlohmann::ordered_json report_json(const std::string& name, const std::string& argument,
                                   const ContactProblem& problem, const SolveReport& report) {
  nlohmann::ordered_json json = {{"problem", name},
                                 {"file", argument},
                                 {"dimension", problem.dimension()},
                                 {"contacts", problem.contacts()},
                                 {"dofs", problem.dofs()},
                                 {"islands", report.islands},
                                 {"solver", report.solver},
                                 {"status", to_string(report.status)},
                                 {"iterations", report.iterations}};
  json.update(certificate_json(report.certificate));
  json["seconds_setup"] = report.seconds_setup;
  json["seconds_solve"] = report.seconds_solve;
  return json;
}

Style style_of(Status status) {
  if (status == Status::converged) return Style::good;
  return status == Status::no_solution ? Style::bad : Style::fair;
}

std::string states_text(const Certificate& c) { return fmt::format("{}/{}/{}", c.open, c.stick, c.slide); }

std::string seconds_text(double seconds) {
  if (seconds == 0) return "0";
  return seconds < 0.001 ? fmt::format("{:.1e}", seconds) : fmt::format("{:#.4g}", seconds);
}

std::string error_text(double error) { return fmt::format("{:.1e}", error); }

std::string hash_of(const Eigen::VectorXd& r) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const double value : r) {
    std::uint64_t bits;
    const double positive = value + 0.0;  // -0 and 0 are the same impulse
    std::memcpy(&bits, &positive, sizeof bits);
    for (int shift = 0; shift < 64; shift += 8) hash = (hash ^ (bits >> shift & 0xff)) * 0x100000001b3u;
  }
  return fmt::format("{:016x}", hash);
}

}  // namespace capstan::app
