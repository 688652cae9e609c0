#include "capstan/files/isolated.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <utility>

namespace capstan::files {
namespace {

constexpr std::size_t kMegabyte = 1 << 20;
constexpr std::size_t kMemoryAlways = 256 * kMegabyte, kMemoryPerByte = 256;
constexpr rlim_t kSecondsAlways = 30;

enum Outcome : char { done = 'd', refused = 'r' };  // first byte that the child sends

/// Size of this process's address space, or 0 where /proc does not say.
std::size_t address_space() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (!file) return 0;
  unsigned long pages = 0;
  const bool read = std::fscanf(file, "%lu", &pages) == 1;
  std::fclose(file);
  return read ? pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

void lower_limit(int resource, rlim_t value) {
  rlimit limit;
  if (::getrlimit(static_cast<__rlimit_resource_t>(resource), &limit) != 0) return;
  limit.rlim_cur = std::min(value, limit.rlim_max);
  ::setrlimit(static_cast<__rlimit_resource_t>(resource), &limit);
}

/// A crash of the child is an answer: nothing is printed, dumped, or handled by what the parent has set up.
void make_crashes_quiet() {
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU, SIGPIPE, SIGTERM})
    std::signal(signal, SIG_DFL);
  std::signal(SIGINT, SIG_IGN);  // Ctrl-C reaches the parent, which decides
  lower_limit(RLIMIT_CORE, 0);
  const int nowhere = ::open("/dev/null", O_WRONLY);
  if (nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
}

/// A file that stays open here would keep its lock after the parent was killed.
void close_other_files(int kept) {
  const auto end = static_cast<unsigned>(kept);
  if (end > STDERR_FILENO + 1) ::close_range(STDERR_FILENO + 1, end - 1, 0);
  ::close_range(end + 1, ~0u, 0);
}

void limit_resources(std::size_t file_bytes) {
  lower_limit(RLIMIT_CPU, kSecondsAlways + file_bytes / kMegabyte);
  if (const std::size_t now = address_space())
    lower_limit(RLIMIT_AS, now + kMemoryAlways + kMemoryPerByte * file_bytes);
}

void send(int pipe, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(pipe, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) ::_exit(1);  // the parent is gone
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

[[noreturn]] void be_child(int pipe, std::size_t file_bytes, const std::function<std::string()>& work) {
  close_other_files(pipe);
  make_crashes_quiet();
  limit_resources(file_bytes);
  try {
    const std::string result = work();
    send(pipe, std::string(1, done));
    send(pipe, result);
    ::_exit(0);
  } catch (const InputError& error) {
    send(pipe, std::string(1, refused));
    send(pipe, error.what());
    ::_exit(0);
  } catch (...) {
    ::_exit(1);
  }
}

/// Everything until the child closes its end.
std::string received(int pipe) {
  std::string bytes;
  std::vector<char> buffer(kMegabyte / 4);
  for (;;) {
    const ssize_t count = ::read(pipe, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return bytes;
    bytes.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

/// Whether the child ended by itself.
bool ended_well(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return true;  // the host program has taken its status; what it sent decides
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

std::string in_child_process(const std::string& name, std::size_t file_bytes,
                             const std::function<std::string()>& work) {
  std::array<int, 2> ends;
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw InputError(name + ": cannot be read: no pipe to a child process can be opened");
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    be_child(ends[1], file_bytes, work);
  }
  ::close(ends[1]);
  std::string bytes = child > 0 ? received(ends[0]) : std::string();
  ::close(ends[0]);
  if (child < 0) throw InputError(name + ": cannot be read: no child process can be started");
  const bool whole = ended_well(child) && !bytes.empty();
  if (whole && bytes[0] == refused) throw InputError(bytes.substr(1));
  if (!whole) throw InputError(name + ": is damaged: the HDF5 library does not survive reading it");
  bytes.erase(0, 1);
  return bytes;
}

}  // namespace capstan::files
