#pragma once
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <string>

namespace capstan::bench {

/// What main of a benchmark returns: parse(app, arguments) says what it takes, run(arguments) does it.
/// Mistakes are answered in words, with exit code 2.
template <class Arguments, class Parse, class Run>
int bench_main(int argc, char** argv, const std::string& title, const Parse& parse, const Run& run) {
  CLI::App app(title);
  Arguments arguments;
  parse(app, arguments);
  try {
    app.parse(argc, argv);
    return run(arguments);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", app.get_name(), error.what());
    return 2;
  }
}

}  // namespace capstan::bench
