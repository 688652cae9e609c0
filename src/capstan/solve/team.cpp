#include "capstan/solve/team.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "capstan/solve/core_watch.hpp"

namespace capstan {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;
using Job = std::function<void(int)>;
constexpr int kMaxChunks = 0xffff;  // a phase
constexpr int kChunksAlone = 16;    // without help, between two questions whether there is some
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
    for (; first < count; first += kMaxChunks) {
      const Job shifted = [&job, first](int chunk) { job(first + chunk); };
      run_phase(std::min(count - first, kMaxChunks), first == 0 ? job : shifted);
    }
    in_phase_ = false;
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  int coming() const {
    return helpers_.load(std::memory_order_relaxed) + expected_.load(std::memory_order_relaxed);
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
    expected_.store(std::min(idle, wanted_ - helpers_.load(std::memory_order_relaxed)));
    invited_ = true;
    executor_.invite([this] { help(); });
  }

  bool may_come() {
    helpers_.fetch_add(1);
    for (int expected = expected_.load(); expected > 0;)
      if (expected_.compare_exchange_weak(expected, expected - 1)) return true;
    helpers_.fetch_sub(1);
    return false;
  }

  void help() {
    if (dismissed_.load(std::memory_order_acquire) || !may_come()) return;
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
    const int me = take_share();
    CoreWatch watch;
    bool keeps = true;
    std::uint64_t last = 0;
    helping_.fetch_add(1);
    for (int idle = 0; idle < kSpinsBeforeLeaving && keeps;) {
      if (dismissed_.load(std::memory_order_acquire)) break;
      if (const auto phase = open_phase(); phase && phase->number != last) {
        work_on(*phase, me);
        last = phase->number;
        idle = 0;
      } else if (++idle < kSpinsBeforeYield) {
        pause();
      } else {
        std::this_thread::yield();
      }
      keeps = !watch.lost_core();
    }
    helping_.fetch_sub(1);
    shares_[me].owned.store(false, std::memory_order_relaxed);
    return keeps;
  }

  /// One that nobody has: there are as many as helpers may be here.
  int take_share() {
    for (int k = 1;; k = k % wanted_ + 1)
      if (!shares_[k].owned.exchange(true, std::memory_order_acq_rel)) return k;
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

  struct Phase {
    std::uint64_t number = 0;
    const Job* job = nullptr;
    int count = 0;
  };

  /// None while the caller writes it.
  std::optional<Phase> open_phase() const {
    Phase phase{.number = number_.load(std::memory_order_acquire)};
    phase.job = job_.load(std::memory_order_acquire);
    phase.count = count_.load(std::memory_order_acquire);
    if (phase.number % 2 == 1 || number_.load(std::memory_order_relaxed) != phase.number) return std::nullopt;
    return phase;
  }

  int begin_of_share(int k, int count) const {
    return static_cast<int>(std::int64_t(count) * k / (wanted_ + 1));
  }

  /// One's own share, then what is left of others'.
  void work_on(const Phase& phase, int me) {
    for (int k = 0; k <= wanted_; ++k)
      while (take_chunks(phase, (me + k) % (wanted_ + 1), me)) {
      }
  }

  /// Half of what is left of a share, the owner from the front, others from the back. False if there is
  /// nothing left.
  bool take_chunks(const Phase& phase, int owner, int me) {
    std::atomic<std::uint64_t>& place = shares_[owner].ticket;
    std::uint64_t ticket = place.load(std::memory_order_acquire);
    const std::uint64_t opened = phase.number << 32;
    const auto behind = static_cast<std::int64_t>(opened - (ticket >> 32 << 32));  // numbers may begin anew
    if (behind < 0) return false;                                                  // this phase is over
    const std::uint64_t now = behind > 0 ? opened : ticket;
    const int front = static_cast<int>(now >> 16 & kMaxChunks), back = static_cast<int>(now & kMaxChunks);
    const int begin = begin_of_share(owner, phase.count), end = begin_of_share(owner + 1, phase.count);
    const int left = end - begin - front - back, some = (left + 1) / 2;
    if (left <= 0) return false;
    const std::uint64_t taken = std::uint64_t(some) << (owner == me ? 16 : 0);
    if (!place.compare_exchange_weak(ticket, now + taken, std::memory_order_acq_rel))
      return true;  // try again
    const int first = owner == me ? begin + front : end - back - some;
    try {
      for (int chunk = first; chunk < first + some; ++chunk) (*phase.job)(chunk);
    } catch (...) {
      const std::lock_guard lock(failing_);
      if (!failure_) failure_ = std::current_exception();
    }
    shares_[me].done.fetch_add(some, std::memory_order_release);
    return true;
  }

  void run_phase(int count, const Job& job) {
    const std::uint64_t number = number_.load(std::memory_order_relaxed);
    number_.store(number + 1, std::memory_order_relaxed);
    job_.store(&job, std::memory_order_release);
    count_.store(count, std::memory_order_release);
    number_.store(number + 2, std::memory_order_release);
    asked_ += count;
    const Phase phase{number + 2, &job, count};
    work_on(phase, 0);
    for (int spin = 0; !all_done(); ++spin) spin < kSpinsBeforeYield ? pause() : std::this_thread::yield();
  }

  bool all_done() const {
    std::uint64_t done = 0;
    for (int k = 0; k <= wanted_; ++k) done += shares_[k].done.load(std::memory_order_acquire);
    return done == asked_;
  }

  const Executor& executor_;
  const int wanted_;  // helpers
  const std::thread::id owner_ = std::this_thread::get_id();
  // The caller's own.
  bool invited_ = false, in_phase_ = false;
  microseconds pause_{0};
  std::uint64_t asked_ = 0;  // chunks, in all phases

  /// A thread's part of every phase, the caller's first. It is always the same part, so that what the thread
  /// needs is still in its own cache, and its counters have cache lines of their own: to fetch one from a
  /// core that shares no cache takes 0.2 microseconds.
  struct Share {
    alignas(64) std::atomic<std::uint64_t> ticket{0};  // phase << 32 | taken at the front << 16 | at the back
    alignas(64) std::atomic<std::uint64_t> done{0};    // chunks, by its owner, in all phases
    alignas(64) std::atomic<bool> owned{false};
  };
  const std::unique_ptr<Share[]> shares_ = std::make_unique<Share[]>(std::max(0, wanted_) + 1);

  // One phase at a time. A helper that has read it can only use it if it then moves a ticket on, which fails
  // once the phase is over: all of its chunks have been taken, so no ticket says otherwise.
  alignas(64) std::atomic<std::uint64_t> number_{0};  // odd while the rest is written
  std::atomic<const Job*> job_{nullptr};
  std::atomic<int> count_{0};
  std::atomic<bool> dismissed_{false};
  // Helpers that are here, that look for chunks, and that may still come.
  alignas(64) std::atomic<int> helpers_{0}, helping_{0}, expected_{0};
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
