#include "apps/run_summary.hpp"

#include <fmt/format.h>

#include "apps/text_table.hpp"

namespace capstan::app {

std::string summary_table(const std::string& name, const record::Manifest& manifest,
                          const record::Summary& s) {
  const TextTable table({{"run", std::max(8, int(name.size())), true},
                         {"strands", 7},
                         {"dofs", 7},
                         {"mu", std::max(4, int(manifest.friction.size()))},
                         {"contacts", 8},
                         {"max", 7},
                         {"% > tol", 7},
                         {"max error", 9},
                         {"sweeps", 6},
                         {"T_GS / T_solv (s)", 17},
                         {"T_dt (s)", 8},
                         {"T_frame (s)", 11},
                         {"T_tot", 9}});
  std::string text = table.header();
  text += table.row({{name},
                     {fmt::format("{}", s.strands)},
                     {fmt::format("{}", s.dofs)},
                     {manifest.friction.empty() ? "-" : manifest.friction},
                     {fmt::format("{:.0f}", s.mean_contacts)},
                     {fmt::format("{}", s.max_contacts)},
                     {fmt::format("{:.3g}", 100 * s.above_tolerance)},
                     {fmt::format("{:.1e}", s.max_error)},
                     {fmt::format("{:.1f}", s.mean_sweeps)},
                     {fmt::format("{:.3g} / {:.3g}", s.mean_solve, s.mean_contact())},
                     {fmt::format("{:.3g}", s.mean_step)},
                     {fmt::format("{:.3g}", s.mean_frame)},
                     {duration_text(s.total)}});
  return text + fmt::format(
                    "{} steps, {} frames, {:.4g} s simulated; nu {:.3g} (max {:.3g}); mean error {:.1e}; "
                    "deepest overlap {:.2g} mm, with an obstacle {:.2g} mm\n"
                    "a step: detect {:.3g} s, assemble {:.3g} s, solve {:.3g} s, advance {:.3g} s, record "
                    "{:.3g} s\n",
                    s.steps, s.frames, s.simulated, s.mean_nu, s.max_nu, s.mean_error,
                    1e3 * s.max_penetration, 1e3 * s.max_obstacle_penetration, s.mean_detect, s.mean_assemble,
                    s.mean_solve, s.mean_advance, s.mean_record);
}

}  // namespace capstan::app
