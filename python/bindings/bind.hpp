#pragma once
#include <nanobind/nanobind.h>

/// Each file of this folder binds its own part of capstan._core; module.cpp calls them all. These are for the
/// Python modules beside them, which check what the user gave and say what was wrong with it by its name:
/// arguments must have the types asked for exactly, nothing is converted here.
namespace capstan::python {

void bind_problem(nanobind::module_& module);
void bind_solve(nanobind::module_& module);
void bind_batch(nanobind::module_& module);
void bind_files(nanobind::module_& module);
void bind_simulation(nanobind::module_& module);
void bind_record(nanobind::module_& module);
void bind_picture(nanobind::module_& module);

}  // namespace capstan::python
