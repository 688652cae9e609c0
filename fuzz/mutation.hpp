#pragma once
#include <cstdint>
#include <string>
#include <vector>

/// Damage to files, the same from the same seed on every machine and with every compiler.
namespace capstan::fuzz {

/// One to eight changes to one of the seeds: bits, bytes, numbers in binary and in text, pieces that are left
/// out, repeated, moved or taken from another seed.
std::string mutated(const std::vector<std::string>& seeds, std::uint64_t seed);

}  // namespace capstan::fuzz
