#include "capstan/solve/sweep/team.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

namespace capstan {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kLongWait = std::chrono::microseconds(150);
constexpr int kSpinsBeforeYield = 2000;

void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

Team::Team(const Executor& executor) : executor_(executor), alone_(executor.width() < 2) {
  if (!alone_) executor_.invite([this] { help(); });
}

Team::~Team() {
  dismissed_.store(true, std::memory_order_release);
  if (!alone_) executor_.join();
}

bool Team::take_chunk(std::uint64_t ticket) {
  const auto chunk = static_cast<std::uint32_t>(ticket);
  const Job job = job_.load(std::memory_order_relaxed);
  void* const context = context_.load(std::memory_order_relaxed);
  if (chunk >= static_cast<std::uint32_t>(count_.load(std::memory_order_relaxed))) return false;
  if (!ticket_.compare_exchange_weak(ticket, ticket + 1, std::memory_order_acq_rel)) return true;  // try again
  job(context, static_cast<int>(chunk));
  done_.fetch_add(1, std::memory_order_release);
  return true;
}

void Team::help() {
  int idle = 0;
  while (!dismissed_.load(std::memory_order_acquire)) {
    if (take_chunk(ticket_.load(std::memory_order_acquire))) {
      idle = 0;
    } else if (++idle < kSpinsBeforeYield) {
      pause();
    } else if (idle < 2 * kSpinsBeforeYield) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  }
}

/// Returns whether it took long.
bool Team::wait_until_done(int count) {
  for (int spin = 0; spin < kSpinsBeforeYield; ++spin) {
    if (done_.load(std::memory_order_acquire) == count) return false;
    pause();
  }
  const auto start = Clock::now();
  while (done_.load(std::memory_order_acquire) != count) std::this_thread::yield();
  return Clock::now() - start > kLongWait;
}

void Team::run_erased(int count, Job job, void* context) {
  ++phases_;
  if (alone_ || count < 2 || phases_ < alone_until_) {
    for (int chunk = 0; chunk < count; ++chunk) job(context, chunk);
    return;
  }
  // Close the last phase for good before its job is overwritten.
  ticket_.store(++phase_ << 32 | 0xffffffffu, std::memory_order_release);
  done_.store(0, std::memory_order_relaxed);
  job_.store(job, std::memory_order_relaxed);
  context_.store(context, std::memory_order_relaxed);
  count_.store(count, std::memory_order_relaxed);
  ticket_.store(++phase_ << 32, std::memory_order_release);
  while (take_chunk(ticket_.load(std::memory_order_acquire))) {
  }
  if (wait_until_done(count)) {
    alone_until_ = phases_ + back_off_;
    back_off_ = std::min<long long>(2 * back_off_, 1 << 20);
  }
}

}  // namespace capstan
