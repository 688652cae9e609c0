#include "capstan/solve/team.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "capstan/solve/core_watch.hpp"

namespace capstan {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;
using Job = std::function<void(int)>;
constexpr int kMostChunks = 0xffff;  // a phase
constexpr int kChunksAlone = 16;     // without help, between two questions whether there is some
constexpr int kSpinsBeforeYield = 2000;
// A helper without work for some 10 ms leaves.
constexpr int kSpinsBeforeLeaving = 20 * kSpinsBeforeYield;
// Looks for idle cores while there are none, or fewer than wanted.
constexpr microseconds kFirstPause{200}, kLongestPause{100'000};
// A scheduler takes a core away for some 4 ms at a time. A loss now and then is chance, or somebody who is
// seen then; a core that is lost within kSoon is busy, whatever is seen (a container's share may be used up),
// and tried so seldom that the trials cost little.
constexpr microseconds kFirstAside{10'000}, kLongestAside{640'000};
constexpr int kLonger = 8;
constexpr microseconds kSoon{20'000};
constexpr microseconds kTrial{8'000};  // two of the scheduler's turns
constexpr microseconds kRemembered{1'000'000};

/// When a helper of any team last lost its core soon: the next team begins with a trial.
std::atomic<Clock::time_point> last_loss{Clock::time_point::min()};

bool lost_lately() {
  const Clock::time_point loss = last_loss.load(std::memory_order_relaxed);
  return loss > Clock::time_point::min() && Clock::now() - loss < kRemembered;
}

void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

class Team::Crew {
 public:
  explicit Crew(const Executor& executor)
      : executor_(executor), wanted_(std::min(executor.width(), cores_of_machine()) - 1) {
    if (wanted_ > 0) ask_for_helpers();
  }

  ~Crew() {
    dismissed_.store(true, std::memory_order_release);
    if (invited_) executor_.join();
  }

  int width() const { return executor_.width(); }
  bool helped() const { return helping_.load(std::memory_order_relaxed) > 0; }

  void run(int count, const Job& job) {
    int first = 0;
    while (first < count && !may_be_helped(count - first))
      for (const int end = std::min(first + kChunksAlone, count); first < end; ++first) job(first);
    if (first == count) return;
    in_phase_ = true;
    for (; first < count; first += kMostChunks) {
      const Job shifted = [&job, first](int chunk) { job(first + chunk); };
      run_phase(std::min(count - first, kMostChunks), first == 0 ? job : shifted);
    }
    in_phase_ = false;
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  int coming() const {
    return helpers_.load(std::memory_order_relaxed) + seats_.load(std::memory_order_relaxed);
  }

  bool may_be_helped(int count) {
    if (wanted_ < 1 || count < 2 || std::this_thread::get_id() != owner_ || in_phase_) return false;
    if (coming() < wanted_) ask_for_helpers();
    return coming() > 0;
  }

  void ask_for_helpers() {
    const auto now = Clock::now();
    if (now < next_look_.load(std::memory_order_relaxed)) return;
    const int idle = idle_cores();
    pause_ = idle > 0 ? kLongestPause : std::clamp(2 * pause_, kFirstPause, kLongestPause);
    next_look_.store(now + pause_, std::memory_order_relaxed);
    if (idle == 0) return;
    pause_ = {};
    seats_.store(std::min(idle, wanted_ - helpers_.load(std::memory_order_relaxed)));
    invited_ = true;
    executor_.invite([this] { help(); });
  }

  bool take_seat() {
    helpers_.fetch_add(1);
    for (int seats = seats_.load(); seats > 0;)
      if (seats_.compare_exchange_weak(seats, seats - 1)) return true;
    helpers_.fetch_sub(1);
    return false;
  }

  void help() {
    if (dismissed_.load(std::memory_order_acquire) || !take_seat()) return;
    const auto came = Clock::now();
    const bool keeps =
        (trusted_.load(std::memory_order_relaxed) || keeps_core()) && help_while_core_is_kept();
    const auto now = Clock::now();
    microseconds aside{0};
    if (!keeps && !dismissed_.load(std::memory_order_relaxed)) {
      const bool soon = now - came < kSoon;
      if (soon) {
        aside = std::clamp(kLonger * aside_.load(std::memory_order_relaxed), kFirstAside, kLongestAside);
        last_loss.store(now, std::memory_order_relaxed);
      }
      aside_.store(aside, std::memory_order_relaxed);
      trusted_.store(!soon, std::memory_order_relaxed);
    }
    next_look_.store(now + aside, std::memory_order_relaxed);
    helpers_.fetch_sub(1);
  }

  /// Until there is nothing to do for some time, or the team is dismissed: true; until the core is lost:
  /// false.
  bool help_while_core_is_kept() {
    CoreWatch watch;
    bool keeps = true;
    helping_.fetch_add(1);
    for (int idle = 0; idle < kSpinsBeforeLeaving && keeps;) {
      if (dismissed_.load(std::memory_order_acquire)) break;
      if (take_chunks(ticket_.load(std::memory_order_acquire), Side::back)) {
        idle = 0;
      } else if (++idle < kSpinsBeforeYield) {
        pause();
      } else {
        std::this_thread::yield();
      }
      keeps = !watch.lost_core();
    }
    helping_.fetch_sub(1);
    return keeps;
  }

  /// Whether nobody else wants the core, tried without a chunk in hand, so that the caller waits for nothing.
  bool keeps_core() const {
    CoreWatch watch;
    const auto start = Clock::now();
    while (Clock::now() - start < kTrial) {
      if (dismissed_.load(std::memory_order_relaxed) || watch.lost_core()) return false;
      pause();
    }
    return true;
  }

  enum class Side { front, back };
  /// False if none are left.
  bool take_chunks(std::uint64_t ticket, Side side) {
    const int front = static_cast<int>(ticket >> 16 & kMostChunks),
              back = static_cast<int>(ticket & kMostChunks);
    const Job* const job = job_.load(std::memory_order_relaxed);
    const int count = count_.load(std::memory_order_relaxed);
    if (front + back >= count) return false;
    // Many while many are left: each turn waits for all writes before it to reach the cache. Half of what
    // would be one's share, so that who is slower for once does not keep the others waiting.
    const int turns = 2 * (1 + wanted_), some = (count - front - back + turns - 1) / turns;
    const std::uint64_t taken = std::uint64_t(some) << (side == Side::front ? 16 : 0);
    if (!ticket_.compare_exchange_weak(ticket, ticket + taken, std::memory_order_acq_rel))
      return true;  // try again
    const int first = side == Side::front ? front : count - back - some;
    try {
      for (int chunk = first; chunk < first + some; ++chunk) (*job)(chunk);
    } catch (...) {
      const std::lock_guard lock(failing_);
      if (!failure_) failure_ = std::current_exception();
    }
    done_.fetch_add(some, std::memory_order_release);
    return true;
  }

  void run_phase(int count, const Job& job) {
    // Close the last phase for good before its job is overwritten.
    ticket_.store(++phase_ << 32 | 0xffffffffu, std::memory_order_release);
    done_.store(0, std::memory_order_relaxed);
    job_.store(&job, std::memory_order_relaxed);
    count_.store(count, std::memory_order_relaxed);
    ticket_.store(++phase_ << 32, std::memory_order_release);
    while (take_chunks(ticket_.load(std::memory_order_acquire), Side::front)) {
    }
    wait_until_done(count);
  }

  void wait_until_done(int count) {
    for (int spin = 0; spin < kSpinsBeforeYield; ++spin) {
      if (done_.load(std::memory_order_acquire) == count) return;
      pause();
    }
    while (done_.load(std::memory_order_acquire) != count) std::this_thread::yield();
  }

  const Executor& executor_;
  const int wanted_;  // helpers
  const std::thread::id owner_ = std::this_thread::get_id();
  // The owner's own.
  bool invited_ = false, in_phase_ = false;
  microseconds pause_{0};
  std::uint64_t phase_ = 0;
  // One phase at a time: job_ and count_ are written before ticket_ is released, and a helper that has read
  // them can only use them if it then moves ticket_ on, which fails once the phase is over.
  // The caller takes chunks from the front and helpers from the back, so that what a thread wrote in one
  // phase is still in its own cache in the next.
  alignas(64) std::atomic<std::uint64_t> ticket_{0};  // phase << 32 | taken at the front << 16 | at the back
  alignas(64) std::atomic<int> done_{0};
  alignas(64) std::atomic<const Job*> job_{nullptr};
  std::atomic<int> count_{0};
  std::atomic<bool> dismissed_{false};
  // Helpers that are here, that look for chunks, and that may still come.
  alignas(64) std::atomic<int> helpers_{0}, helping_{0}, seats_{0};
  std::atomic<Clock::time_point> next_look_{Clock::time_point::min()};
  std::atomic<microseconds> aside_{microseconds(0)};
  std::atomic<bool> trusted_{!lost_lately()};
  std::mutex failing_;
  std::exception_ptr failure_;
};

Team::Team(const Executor& executor) : crew_(std::make_unique<Crew>(executor)) {}
Team::~Team() = default;

int Team::width() const { return crew_->width(); }
bool Team::helped() const { return crew_->helped(); }
void Team::for_each(int count, const std::function<void(int)>& job) const { crew_->run(count, job); }

}  // namespace capstan
