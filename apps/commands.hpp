#pragma once
#include <CLI/CLI.hpp>
#include <functional>

/// One function a subcommand: declares its arguments, and sets the action that main runs after parsing. An
/// action returns the exit code: 0 all converged, 1 some did not, 2 bad input or usage, 130 or 143
/// interrupted (interrupted_code).
namespace capstan::app {

using Action = std::function<int()>;

enum ExitCode { kAllConverged = 0, kSomeDidNot = 1, kBadInput = 2 };

void add_solve_command(CLI::App& app, Action& action);
void add_run_command(CLI::App& app, Action& action);
void add_bench_command(CLI::App& app, Action& action);
void add_certify_command(CLI::App& app, Action& action);
void add_sample_command(CLI::App& app, Action& action);
void add_solvers_command(CLI::App& app, Action& action);
void add_check_command(CLI::App& app, Action& action);
void add_new_command(CLI::App& app, Action& action);
void add_plot_command(CLI::App& app, Action& action);
void add_frame_command(CLI::App& app, Action& action);
void add_view_command(CLI::App& app, Action& action);
void add_live_command(CLI::App& app, Action& action);
void add_render_command(CLI::App& app, Action& action);
void add_export_command(CLI::App& app, Action& action);
void add_import_command(CLI::App& app, Action& action);

}  // namespace capstan::app
