// libFuzzer: any bytes are either a valid problem or an InputError.
//     cmake -B build -DCMAKE_CXX_COMPILER=clang++ -DCAPSTAN_BUILD_FUZZERS=ON && build/bin/fuzz_readers corpus
// A corpus of text files keeps to our own code; damaged HDF5 files also try libhdf5 itself, which has its own
// bugs.
#include <cstdint>
#include <string_view>

#include "capstan/errors.hpp"
#include "capstan/files/problem_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    capstan::parse_problem({reinterpret_cast<const char*>(data), size}, "fuzz");
  } catch (const capstan::InputError&) {
  }
  return 0;
}
