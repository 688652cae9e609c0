#pragma once
#include <algorithm>
#include <functional>

namespace capstan {

/// The one door through which threads reach the core. The base class is serial; parallel/tbb_executor.hpp
/// runs on oneTBB. Nothing computed through it may depend on the number of threads or on their timing.
class Executor {
 public:
  virtual ~Executor() = default;

  /// How many jobs may run at the same time.
  virtual int width() const { return 1; }

  /// Whether several are likely to run now. What is computed may not depend on it, how it is may.
  virtual bool helped() const { return width() > 1; }

  /// Runs job(0) ... job(count - 1), in any order, and returns when all are done.
  virtual void for_each(int count, const std::function<void(int)>& job) const {
    for (int i = 0; i < count; ++i) job(i);
  }

  /// The same; the job is not copied, so that short phases allocate nothing.
  template <class Job>
  void run(int count, const Job& job) const {
    for_each(count, std::cref(job));
  }

  /// Asks up to width() - 1 idle threads to run `helper`, and returns at once. There is no promise that any
  /// comes: the caller must be able to finish alone. `helper` must end by itself, and `join` waits for that.
  virtual void invite(std::function<void()> /*helper*/) const {}
  virtual void join() const {}
};

/// The serial executor.
inline const Executor& serial_executor() {
  static const Executor executor;
  return executor;
}

/// job(begin, end) over [0, count) in chunks that do not depend on the number of threads.
template <class Job>
void for_each_chunk(const Executor& executor, int count, const Job& job, int chunk = 512) {
  executor.for_each((count + chunk - 1) / chunk,
                    [&](int c) { job(c * chunk, std::min((c + 1) * chunk, count)); });
}

}  // namespace capstan
