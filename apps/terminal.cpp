#include "apps/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>

namespace capstan::app {
namespace {

constexpr auto kRedraw = std::chrono::milliseconds(200);
constexpr double kQuiet = 2;                              // s before the first line, on a terminal
constexpr auto kBetweenLines = std::chrono::seconds(10);  // elsewhere
constexpr std::size_t kUsualWidth = 110;

std::atomic<int> interrupt_signal{0};  // 0: none
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may touch lock-free atomics only");

extern "C" void on_interrupt(int signal) { interrupt_signal = signal; }

std::size_t terminal_width() {
  struct winsize size = {};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 2) return kUsualWidth;
  return size.ws_col - 1u;
}

bool use_colour() {
  static const bool colour = is_terminal(stdout) && std::getenv("NO_COLOR") == nullptr;
  return colour;
}

const char* code_of(Style style) {
  switch (style) {
    case Style::bold:
      return "\033[1m";
    case Style::good:
      return "\033[32m";
    case Style::fair:
      return "\033[33m";
    case Style::bad:
      return "\033[31m";
    case Style::plain:
      break;
  }
  return "";
}

}  // namespace

bool is_terminal(std::FILE* stream) { return isatty(fileno(stream)) == 1; }

std::string styled(const std::string& text, Style style) {
  if (style == Style::plain || !use_colour()) return text;
  return code_of(style) + text + "\033[0m";
}

InterruptGuard::InterruptGuard() {
  interrupt_signal = 0;
  struct sigaction action = {};
  action.sa_handler = on_interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;  // the second Ctrl-C has its usual effect
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

InterruptGuard::~InterruptGuard() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool interrupted() { return interrupt_signal != 0; }

int interrupted_code() { return 128 + interrupt_signal; }

std::string duration_text(double seconds) {
  const auto whole = static_cast<long long>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

std::string short_duration_text(double seconds) {
  if (seconds >= 9.95) return duration_text(seconds);
  return seconds < 0.0995 ? fmt::format("{:.2g} ms", 1e3 * seconds) : fmt::format("{:.2g} s", seconds);
}

Progress::Progress() : thread_([this] { loop(); }) {}

Progress::~Progress() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  thread_.join();
  clear();
}

void Progress::start(const std::string& text) {
  const std::lock_guard lock(mutex_);
  text_ = text;
  task_start_ = last_line_ = Clock::now();
  fraction_ = 0;
  idle_ = false;
}

void Progress::set_text(const std::string& text) {
  const std::lock_guard lock(mutex_);
  text_ = text;
}

void Progress::hide() {
  const std::lock_guard lock(mutex_);
  if (visible_) fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  visible_ = false;
}

void Progress::clear() {
  hide();
  const std::lock_guard lock(mutex_);
  idle_ = true;
}

void Progress::loop() {
  std::unique_lock lock(mutex_);
  while (!stop_) {
    wake_.wait_for(lock, kRedraw);
    if (!stop_ && !idle_) show();
  }
}

void Progress::show() {
  const Clock::time_point now = Clock::now();
  const double elapsed = std::chrono::duration<double>(now - task_start_).count();
  if (is_terminal(stderr) ? elapsed < kQuiet : now - last_line_ < kBetweenLines) return;
  last_line_ = now;
  const double done = std::clamp(fraction_.load(), 0.0, 1.0);
  std::string line = fmt::format("{}: {}", text_, duration_text(elapsed));
  if (done > 0.01) line += fmt::format(", about {} left", duration_text(elapsed * (1 - done) / done));
  visible_ = is_terminal(stderr);
  if (visible_)
    fmt::print(stderr, "\r\033[K{}", line.substr(0, terminal_width()));
  else
    fmt::print(stderr, "{}\n", line);
  std::fflush(stderr);
}

}  // namespace capstan::app
