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

/// Cores on which nobody wants to run at this moment, by the system's own count, so that nobody's core has to
/// be tried to find out; all but this thread's where there is no such count. Takes some microseconds.
int idle_cores();

}  // namespace capstan
