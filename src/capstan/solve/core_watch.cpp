#include "capstan/solve/core_watch.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <memory>
#include <thread>

namespace capstan {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;
constexpr microseconds kWindow{1000}, kLost{500};

/// Processor time of this thread; without such a clock the time itself, as if no core was ever lost.
microseconds worked() {
#if defined(CLOCK_THREAD_CPUTIME_ID)
  timespec t{};
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) == 0)
    return microseconds(t.tv_sec * 1'000'000LL + t.tv_nsec / 1000);
#endif
  return std::chrono::duration_cast<microseconds>(Clock::now().time_since_epoch());
}

/// That run or could run, this one included; 0 where the system does not tell.
int running_threads() {
  int running = 0;
#ifdef __linux__
  // "0.39 0.13 0.05 3/88 4913": three of 88.
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen("/proc/loadavg", "r"), &std::fclose);
  if (!file || std::fscanf(file.get(), "%*f %*f %*f %d/", &running) != 1) return 0;
#endif
  return running;
}

}  // namespace

void CoreWatch::restart() {
  start_ = Clock::now();
  worked_ = worked();
}

bool CoreWatch::lost_core() {
  if (Clock::now() - start_ < kWindow) return false;
  const auto start = start_;
  const auto before = worked_;
  restart();
  return start_ - start - (worked_ - before) > kLost;
}

int cores_of_machine() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

int idle_cores() { return std::max(0, cores_of_machine() - std::max(1, running_threads())); }

}  // namespace capstan
