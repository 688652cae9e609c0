#pragma once
#include <atomic>
#include <chrono>
#include <exception>
#include <optional>
#include <thread>

#include "bindings/arrays.hpp"
#include "capstan/parallel/tbb_executor.hpp"
#include "capstan/solve/solver.hpp"

namespace capstan::python {

/// As many threads as asked for (0: one a core), but no more than cores, and one alone where the work is too
/// little for several.
class Threads {
 public:
  Threads(int threads, bool worth_several);
  const Executor& executor() const { return several_ ? *several_ : serial_executor(); }

 private:
  std::optional<TbbExecutor> several_;
};

/// Listens for what should end a long piece of work that runs without Python's lock: Ctrl-C, or a function of
/// the user's that returns False or raises.
class Watch {
 public:
  /// callback: None, or called with (iteration, value, seconds) of every iterate that is judged.
  explicit Watch(nb::object callback);
  /// Whether to go on. From any thread, with or without Python's lock; one at a time if there is a callback.
  bool go_on();
  bool go_on(const HistoryPoint& point);
  /// Raises in Python what was raised meanwhile. With the lock.
  void raise() const;

 private:
  bool time_to_look();
  void stop_for_error();  // in a catch block, with the lock

  nb::object callback_;
  bool has_callback_;
  const std::thread::id caller_ = std::this_thread::get_id();
  std::chrono::steady_clock::time_point last_look_ = std::chrono::steady_clock::now();
  std::atomic<bool> stopped_{false};
  std::exception_ptr raised_;
};

/// What Certificate and Solution of _solution.py are made of.
using Fields = nb::typed<nb::dict, nb::str, nb::any>;
Fields to_python(const Certificate& certificate);
Fields to_python(Solution solution);

}  // namespace capstan::python
