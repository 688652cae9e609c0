#include "bench/scenarios/trials.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <new>
#include <thread>

#include "capstan/errors.hpp"

namespace capstan::scenarios {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

void limit_process(const TrialLimits& limits) {
  const rlim_t seconds = static_cast<rlim_t>(limits.seconds);
  const rlimit time{seconds, seconds + 1},
      memory{rlim_t(limits.megabytes) << 20, rlim_t(limits.megabytes) << 20};
  const rlimit no_dump{0, 0};
  ::setrlimit(RLIMIT_CPU, &time);
  ::setrlimit(RLIMIT_AS, &memory);
  ::setrlimit(RLIMIT_CORE, &no_dump);
}

/// Runs in the child. The row is written now and then, so that there is one even if it does not come back.
void run_in_child(const fs::path& scene, const std::vector<Override>& overrides, const fs::path& row_path,
                  TrialOptions options) {
  auto next_write = Clock::now();
  Row last;
  last.name = scene.stem().string();
  options.on_step = [&](const Row& row) {
    last = row;
    if (Clock::now() < next_write) return;
    write_row(row, row_path);
    next_write = Clock::now() + std::chrono::milliseconds(500);
  };
  try {
    last = run_scenario(scene, overrides, options);
  } catch (const std::bad_alloc&) {
    last.end = "out of memory";
  } catch (const std::exception& error) {
    last.end = std::string("error: ") + error.what();
  }
  write_row(last, row_path);
}

/// Waits for a child, not for ever; in words how it ended, or nothing if it ended by itself.
std::string wait_for(pid_t child, const TrialLimits& limits) {
  const auto stop = Clock::now() + std::chrono::seconds(60 * limits.seconds);
  int status = 0;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    if (Clock::now() > stop) {
      ::kill(child, SIGKILL);
      ::waitpid(child, &status, 0);
      return "clock limit";
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL))
    return "time limit";
  if (WIFSIGNALED(status)) return fmt::format("crash: signal {}", WTERMSIG(status));
  if (WEXITSTATUS(status) != 0) return fmt::format("crash: exit code {}", WEXITSTATUS(status));
  return "";
}

}  // namespace

Row try_scene(const fs::path& scene, const std::vector<Override>& overrides, const fs::path& folder,
              const TrialOptions& options, const TrialLimits& limits) {
  fs::create_directories(folder / "rows");
  const fs::path done = folder / "rows" / (scene.stem().string() + ".json");
  if (fs::exists(done)) return read_row(done);
  const fs::path unfinished = done.string() + ".part";
  Row row;
  row.name = scene.stem().string();
  write_row(row, unfinished);
  const pid_t child = ::fork();
  if (child < 0) throw InputError("no process could be started");
  if (child == 0) {
    limit_process(limits);
    run_in_child(scene, overrides, unfinished, options);
    ::_exit(0);
  }
  const std::string end = wait_for(child, limits);
  row = read_row(unfinished);
  if (!end.empty()) row.end = end;
  write_row(row, done);
  fs::remove(unfinished);
  return row;
}

Row try_scenario(const Scenario& scenario, const fs::path& folder, const TrialOptions& options,
                 const TrialLimits& limits) {
  fs::create_directories(folder / "scenes");
  return try_scene(write_scenario(scenario, folder / "scenes"), scenario.overrides, folder, options, limits);
}

}  // namespace capstan::scenarios
