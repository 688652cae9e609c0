#include "bindings/bind.hpp"
#include "capstan/errors.hpp"

NB_MODULE(_core, module) {
  module.doc() = "The compiled part of capstan; its users are the Python modules beside it.";
  module.attr("version") = CAPSTAN_VERSION;
  nanobind::exception<capstan::InputError>(module, "InputError", PyExc_ValueError).doc() =
      "An argument or a file is not as it should be; the message begins with its name.";
  capstan::python::bind_problem(module);
  capstan::python::bind_solve(module);
  capstan::python::bind_batch(module);
  capstan::python::bind_files(module);
  capstan::python::bind_picture(module);
  capstan::python::bind_simulation(module);
  capstan::python::bind_record(module);
}
