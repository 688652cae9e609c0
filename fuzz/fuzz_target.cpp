// libFuzzer for one reader, which CAPSTAN_FUZZ_READER names: any bytes are read or refused by an InputError.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "fuzz/readers.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const capstan::fuzz::Reader& reader = capstan::fuzz::reader(CAPSTAN_FUZZ_READER);
  const capstan::fuzz::Outcome outcome =
      capstan::fuzz::run(reader, {reinterpret_cast<const char*>(data), size});
  if (outcome.largest_allocation > outcome.allowed) {
    std::fprintf(stderr, "%s: one allocation of %zu bytes for a file of %zu, allowed are %zu\n", reader.name,
                 outcome.largest_allocation, size, outcome.allowed);
    std::abort();
  }
  return 0;
}
