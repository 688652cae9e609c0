#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// Every reader of Capstan behind one signature, for libFuzzer, for the test of mutations, and for long runs
/// by hand.
namespace capstan::fuzz {

struct Reader {
  const char* name;
  /// Reads or refuses any bytes. An exception that is no InputError is a finding, and so is a crash.
  void (*read)(std::string_view bytes);
  /// Files that the reader accepts.
  std::vector<std::string> (*seeds)();
  std::size_t always_allowed;  ///< bytes in a single allocation, however small the file is
  int relative_time = 1;       ///< of one input, about; of a list of numbers in text it is 1
};

constexpr std::size_t kAllowedPerByte = 64;  ///< bytes in a single allocation, for each byte of the file

const std::vector<Reader>& readers();
/// Throws InputError if there is no reader of that name.
const Reader& reader(std::string_view name);

/// What one input did.
struct Outcome {
  bool accepted = false;
  std::size_t largest_allocation = 0, allowed = 0;  ///< bytes
};

/// Reads one input and measures. InputErrors are caught, others are not.
Outcome run(const Reader& reader, std::string_view bytes);

}  // namespace capstan::fuzz
