#pragma once
#include <cstddef>

/// The largest single allocation of this process, also those of libraries in C. The allocations are seen
/// through the sanitizers' hooks, or through malloc itself where there is no sanitizer.
namespace capstan::fuzz {

/// Starts to measure from 0, in this thread.
void start_measuring();
/// Returns the size of the largest allocation since then, in bytes.
std::size_t largest_allocation();

}  // namespace capstan::fuzz
