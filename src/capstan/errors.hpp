#pragma once
#include <stdexcept>
#include <string>

namespace capstan {

/// The caller's mistake: says what was found, where, and what was expected. Mathematics that does not
/// converge is never an InputError; it is a status in the report.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace capstan
