#include "capstan/solve/sweep/team.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

namespace capstan {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kLongWait = std::chrono::microseconds(150);
constexpr int kSpinsBeforeYield = 2000;
constexpr int kMostChunks = 0xffff;  // a phase
constexpr int kMostCaution = 64;
constexpr long long kForgiven = 1000;  // phases together without a long wait

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

bool Team::take_chunk(std::uint64_t ticket, Side side) {
  const int front = static_cast<int>(ticket >> 16 & kMostChunks),
            back = static_cast<int>(ticket & kMostChunks);
  const Job job = job_.load(std::memory_order_relaxed);
  void* const context = context_.load(std::memory_order_relaxed);
  const int count = count_.load(std::memory_order_relaxed);
  if (front + back >= count) return false;
  const std::uint64_t taken = side == Side::front ? std::uint64_t(1) << 16 : 1;
  if (!ticket_.compare_exchange_weak(ticket, ticket + taken, std::memory_order_acq_rel))
    return true;  // try again
  job(context, side == Side::front ? front : count - 1 - back);
  done_.fetch_add(1, std::memory_order_release);
  return true;
}

void Team::help() {
  int idle = 0;
  while (!dismissed_.load(std::memory_order_acquire)) {
    if (take_chunk(ticket_.load(std::memory_order_acquire), Side::back)) {
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

void Team::wait_until_done(int count) {
  for (int spin = 0; spin < kSpinsBeforeYield; ++spin) {
    if (done_.load(std::memory_order_acquire) == count) return;
    pause();
  }
  const auto start = Clock::now();
  while (done_.load(std::memory_order_acquire) != count) std::this_thread::yield();
  const auto waited = Clock::now() - start;
  if (waited < kLongWait) return;
  // Someone else has the helper's core. Work alone for as long as was lost, and twice as long each time
  // it happens again soon, so that the waiting stays a small part of the whole.
  caution_ = phases_ - last_wait_ < kForgiven ? std::clamp(2 * caution_, 1, kMostCaution) : 1;
  last_wait_ = phases_;
  alone_until_ = Clock::now() + caution_ * waited;
}

void Team::run_erased(int count, Job job, void* context) {
  if (alone_ || count < 2 || (caution_ > 0 && Clock::now() < alone_until_)) {
    for (int chunk = 0; chunk < count; ++chunk) job(context, chunk);
    return;
  }
  ++phases_;
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
  while (take_chunk(ticket_.load(std::memory_order_acquire), Side::front)) {
  }
  wait_until_done(count);
}

}  // namespace capstan
