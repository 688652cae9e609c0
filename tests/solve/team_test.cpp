#include "capstan/solve/team.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "capstan/parallel/tbb_executor.hpp"
#include "capstan/solve/core_watch.hpp"

namespace capstan {
namespace {

/// Until somebody helps, which nobody has to: a core must be idle.
bool wait_for_help(const Team& team) {
  for (int k = 0; k < 1000 && !team.helped(); ++k) {
    team.for_each(2, [](int) {});
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return team.helped();
}

// More chunks than a phase can count are done in several.
TEST(Team, DoesEveryChunkOnce) {
  const TbbExecutor executor(2);
  const Team team(executor);
  for (const int count : {0, 1, 2, 1000, 65535, 65536, 150000}) {
    std::vector<int> done(count, 0);
    team.for_each(count, [&](int chunk) { ++done[chunk]; });
    EXPECT_EQ(std::count(done.begin(), done.end(), 1), count) << count;
  }
}

TEST(Team, DoesEveryChunkOnceInThousandsOfPhases) {
  const TbbExecutor executor(4);
  const Team team(executor);
  wait_for_help(team);
  std::vector<int> done(37, 0);
  for (int phase = 0; phase < 20000; ++phase) team.for_each(37, [&](int chunk) { ++done[chunk]; });
  EXPECT_EQ(std::count(done.begin(), done.end(), 20000), 37);
}

TEST(Team, ThrowsWhatAJobThrewAndGoesOn) {
  const TbbExecutor executor(2);
  const Team team(executor);
  wait_for_help(team);
  for (int bad = 0; bad < 100; ++bad) {
    const auto job = [&](int chunk) {
      if (chunk == bad) throw std::runtime_error(std::to_string(chunk));
    };
    try {
      team.for_each(100, job);
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(error.what(), std::to_string(bad));
    }
  }
  std::atomic<int> done{0};
  team.for_each(100, [&](int) { ++done; });
  EXPECT_EQ(done, 100);
}

TEST(Team, CanBeUsedInsideOfItsOwnJobs) {
  const TbbExecutor executor(3);
  const Team team(executor);
  wait_for_help(team);
  std::vector<int> done(50 * 20, 0);
  team.for_each(50, [&](int k) { team.for_each(20, [&, k](int i) { ++done[k * 20 + i]; }); });
  EXPECT_EQ(std::count(done.begin(), done.end(), 1), 50 * 20);
}

// All that the caller has not begun, though half of it is the caller's share. Both may lose their cores, so
// that it may take several attempts to see.
TEST(Team, HelpersDoWhatIsLeftWhenTheCallerIsHeldUp) {
  constexpr int kChunks = 64, kBegun = kChunks / 4;
  const TbbExecutor executor(2);
  const Team team(executor);
  bool came = false;
  for (int attempt = 0; attempt < 20; ++attempt) {
    if (!wait_for_help(team)) continue;
    came = true;
    const std::thread::id caller = std::this_thread::get_id();
    std::atomic<int> by_helper{0};
    team.for_each(kChunks, [&](int chunk) {
      if (std::this_thread::get_id() != caller)
        ++by_helper;
      else if (chunk == 0)
        while (by_helper < kChunks - kBegun && team.helped()) std::this_thread::yield();
    });
    if (by_helper >= kChunks - kBegun) return;
  }
  if (!came) GTEST_SKIP() << "no core was idle for a second, again and again";
  FAIL() << "the helper left chunks to a caller that waited for it";
}

TEST(Team, IsLeftByHelpersWithoutWorkAndHelpedAgain) {
  const TbbExecutor executor(2);
  const Team team(executor);
  if (!wait_for_help(team)) GTEST_SKIP() << "no core was idle for a second";
  for (int k = 0; k < 10000 && team.helped(); ++k) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_FALSE(team.helped());
  wait_for_help(team);
  std::atomic<int> done{0};
  team.for_each(100, [&](int) { ++done; });
  EXPECT_EQ(done, 100);
}

#ifdef __linux__
TEST(Team, AsksForNobodyWhileAllCoresAreTaken) {
  std::atomic<bool> over{false};
  std::vector<std::thread> others(cores_of_machine());
  for (std::thread& other : others)
    other = std::thread([&] {
      while (!over) {
      }
    });
  EXPECT_EQ(idle_cores(), 0);
  const TbbExecutor executor(2);
  const Team team(executor);
  // Long enough for a helper to come, had it been asked.
  const auto start = std::chrono::steady_clock::now();
  bool helped = false;
  while (std::chrono::steady_clock::now() - start < std::chrono::milliseconds(200)) {
    team.for_each(2, [](int) {});
    helped = helped || team.helped();
  }
  EXPECT_FALSE(helped);
  over = true;
  for (std::thread& other : others) other.join();
}
#endif

}  // namespace
}  // namespace capstan
