#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "capstan/executor.hpp"

namespace capstan {

/// Runs short phases of independent chunks, thousands a second, on the calling thread and on helpers that an
/// Executor sends. The caller never waits for a helper to arrive, only for one to finish a chunk it has
/// taken. A helper stays away while other programs want all cores; one that loses its core all the same (it
/// then holds up the caller) steps aside and sleeps, for longer each time it happens again soon, and helps
/// again when it keeps the core for a while.
class Team : public Executor {
 public:
  explicit Team(const Executor& executor);
  ~Team() override;
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int width() const override { return executor_.width(); }
  bool helped() const override { return awake_.load(std::memory_order_relaxed) > 0; }
  /// While a team is alive, its executor's threads belong to it: others who want them go through the team.
  void for_each(int count, const std::function<void(int)>& job) const override {
    const_cast<Team*>(this)->run(count, [&job](int chunk) { job(chunk); });
  }
  /// f(chunk) for every chunk in [0, count); returns when all are done. From the thread that made the team.
  template <class F>
  void run(int count, F&& f) {
    run_erased(
        count, [](void* context, int chunk) { (*static_cast<F*>(context))(chunk); }, &f);
  }

 private:
  using Job = void (*)(void*, int);
  void run_erased(int count, Job job, void* context);
  void help();
  void await_free_core();
  void help_until_core_is_lost();
  enum class Side { front, back };
  bool take_chunks(std::uint64_t ticket, Side side);
  void run_phase(int count, Job job, void* context);
  void wait_until_done(int count);
  bool keeps_core() const;
  void step_aside(std::chrono::microseconds at_most);

  const Executor& executor_;
  bool alone_;
  // One phase at a time: job_, context_ and count_ are written before ticket_ is released, and a helper that
  // has read them can only use them if it then moves ticket_ on, which fails once the phase is over.
  // The caller takes chunks from the front and helpers from the back, so that what a thread wrote in one
  // phase is still in its own cache in the next.
  alignas(64) std::atomic<std::uint64_t> ticket_{0};  // phase << 32 | taken at the front << 16 | at the back
  alignas(64) std::atomic<int> done_{0};
  alignas(64) std::atomic<Job> job_{nullptr};
  std::atomic<void*> context_{nullptr};
  std::atomic<int> count_{0};
  std::atomic<bool> dismissed_{false};
  alignas(64) std::atomic<int> awake_{0};  // helpers that look for chunks
  std::atomic<int> helpers_{0};            // that have come
  std::uint64_t phase_ = 0;
  std::mutex asleep_;
  std::condition_variable wake_;
};

}  // namespace capstan
