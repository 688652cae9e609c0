#include "capstan/solve/sweep/team.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "capstan/solve/sweep/core_watch.hpp"

namespace capstan {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;
constexpr int kMostChunks = 0xffff;  // a phase
constexpr int kTurns = 4;            // each takes this part of what is left of a phase
constexpr int kSpinsBeforeYield = 2000;
constexpr int kSpinsBeforeSleep = 2 * kSpinsBeforeYield;
constexpr microseconds kIdleSleep{100};
// A scheduler takes a core away for some 4 ms at a time. A loss now and then is chance, or somebody who is
// seen then; a core that is lost within kSoon is busy, whatever is seen (a container's share may be used up),
// and tried so seldom that the trials cost little.
constexpr microseconds kFirstAside{10'000}, kLongestAside{640'000};
constexpr int kLonger = 8;
constexpr microseconds kSoon{20'000};
constexpr microseconds kTrial{8'000};  // two of the scheduler's turns
constexpr microseconds kRemembered{1'000'000};
// Between two looks whether all cores are taken, which cost next to nothing.
constexpr microseconds kFirstLook{1'000}, kRarestLook{100'000};

/// When a helper of any team last lost its core soon: the next team begins with a trial.
std::atomic<Clock::rep> last_loss{Clock::time_point::min().time_since_epoch().count()};

bool lost_lately() {
  const Clock::time_point loss{Clock::duration(last_loss.load(std::memory_order_relaxed))};
  return loss > Clock::time_point::min() && Clock::now() - loss < kRemembered;
}

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
  {
    const std::lock_guard lock(asleep_);
    dismissed_.store(true, std::memory_order_release);
  }
  wake_.notify_all();
  if (!alone_) executor_.join();
}

bool Team::take_chunks(std::uint64_t ticket, Side side) {
  const int front = static_cast<int>(ticket >> 16 & kMostChunks),
            back = static_cast<int>(ticket & kMostChunks);
  const Job job = job_.load(std::memory_order_relaxed);
  void* const context = context_.load(std::memory_order_relaxed);
  const int count = count_.load(std::memory_order_relaxed);
  if (front + back >= count) return false;
  // Many while many are left: each turn waits for all writes before it to reach the cache.
  const int some = (count - front - back + kTurns - 1) / kTurns;
  const std::uint64_t taken = std::uint64_t(some) << (side == Side::front ? 16 : 0);
  if (!ticket_.compare_exchange_weak(ticket, ticket + taken, std::memory_order_acq_rel))
    return true;  // try again
  const int first = side == Side::front ? front : count - back - some;
  for (int chunk = first; chunk < first + some; ++chunk) job(context, chunk);
  done_.fetch_add(some, std::memory_order_release);
  return true;
}

void Team::help() {
  if (helpers_.fetch_add(1) >= cores_of_machine() - 1) return;  // they would take each other's core
  microseconds aside{0};
  bool trusted = !lost_lately();
  for (;;) {
    await_free_core();
    const auto back = Clock::now();
    if (trusted || keeps_core()) help_until_core_is_lost();
    if (dismissed_.load(std::memory_order_acquire)) return;
    trusted = Clock::now() - back > kSoon;
    if (trusted) {
      aside = {};
      continue;
    }
    last_loss.store(Clock::now().time_since_epoch().count(), std::memory_order_relaxed);
    aside = std::clamp(kLonger * aside, kFirstAside, kLongestAside);
    step_aside(aside);
  }
}

void Team::await_free_core() {
  for (microseconds look = kFirstLook; !dismissed_.load(std::memory_order_acquire) && cores_are_taken();
       look = std::min(2 * look, kRarestLook))
    step_aside(look);
}

void Team::help_until_core_is_lost() {
  CoreWatch watch;
  int idle = 0;
  awake_.fetch_add(1);
  while (!dismissed_.load(std::memory_order_acquire) && !watch.lost_core()) {
    if (take_chunks(ticket_.load(std::memory_order_acquire), Side::back)) {
      idle = 0;
    } else if (idle < kSpinsBeforeYield) {
      ++idle;
      pause();
    } else if (idle < kSpinsBeforeSleep) {
      ++idle;
      std::this_thread::yield();
    } else {
      step_aside(kIdleSleep);
      watch.restart();
    }
  }
  awake_.fetch_sub(1);
}

/// Whether nobody else wants the core, tried without a chunk in hand, so that the caller waits for nothing.
bool Team::keeps_core() const {
  CoreWatch watch;
  const auto start = Clock::now();
  while (Clock::now() - start < kTrial) {
    if (dismissed_.load(std::memory_order_relaxed) || watch.lost_core()) return false;
    pause();
  }
  return true;
}

void Team::step_aside(microseconds at_most) {
  std::unique_lock lock(asleep_);
  wake_.wait_for(lock, at_most, [this] { return dismissed_.load(std::memory_order_relaxed); });
}

void Team::wait_until_done(int count) {
  for (int spin = 0; spin < kSpinsBeforeYield; ++spin) {
    if (done_.load(std::memory_order_acquire) == count) return;
    pause();
  }
  while (done_.load(std::memory_order_acquire) != count) std::this_thread::yield();
}

void Team::run_erased(int count, Job job, void* context) {
  if (alone_ || count < 2 || awake_.load(std::memory_order_relaxed) == 0) {
    for (int chunk = 0; chunk < count; ++chunk) job(context, chunk);
    return;
  }
  if (count <= kMostChunks) return run_phase(count, job, context);
  struct Block {
    Job job;
    void* context;
    int first;
  } block{job, context, 0};
  const Job shifted = [](void* b, int chunk) {
    const Block& it = *static_cast<Block*>(b);
    it.job(it.context, it.first + chunk);
  };
  for (; block.first < count; block.first += kMostChunks)
    run_phase(std::min(count - block.first, kMostChunks), shifted, &block);
}

void Team::run_phase(int count, Job job, void* context) {
  // Close the last phase for good before its job is overwritten.
  ticket_.store(++phase_ << 32 | 0xffffffffu, std::memory_order_release);
  done_.store(0, std::memory_order_relaxed);
  job_.store(job, std::memory_order_relaxed);
  context_.store(context, std::memory_order_relaxed);
  count_.store(count, std::memory_order_relaxed);
  ticket_.store(++phase_ << 32, std::memory_order_release);
  while (take_chunks(ticket_.load(std::memory_order_acquire), Side::front)) {
  }
  wait_until_done(count);
}

}  // namespace capstan
