#pragma once
#include <CLI/CLI.hpp>
#include <string>

namespace capstan::app {

/// Checks of numbers on the command line, in words: CLI11's own quote the largest double in full.
inline CLI::Validator number_check(const std::string& expected, bool (*holds)(double)) {
  return CLI::Validator(
      [expected, holds](std::string& text) {
        double value = 0;
        if (CLI::detail::lexical_cast(text, value) && holds(value)) return std::string();
        return "is '" + text + "', expected " + expected;
      },
      "");
}
inline CLI::Validator above_zero() {
  return number_check("a number > 0", [](double x) { return x > 0; });
}
inline CLI::Validator not_negative() {
  return number_check("a number >= 0", [](double x) { return x >= 0; });
}

}  // namespace capstan::app
