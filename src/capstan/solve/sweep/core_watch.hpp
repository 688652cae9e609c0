#pragma once
#include <chrono>

namespace capstan {

/// Tells a thread that does not sleep whether others had its core meanwhile.
class CoreWatch {
 public:
  CoreWatch() { restart(); }
  void restart();
  /// True if others had the core for more than half of the last window of a millisecond.
  bool lost_core();

 private:
  std::chrono::steady_clock::time_point start_;
  std::chrono::microseconds worked_;
};

/// Threads that this machine can run at the same time.
int cores_of_machine();

/// Whether more threads want to run for some time than the machine has cores, the asking one included. By the
/// system's own count, so that nobody's core has to be tried to find out; false where there is no such count.
/// Takes a third of a millisecond, asleep, if it is so.
bool cores_are_taken();

}  // namespace capstan
