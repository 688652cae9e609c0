#include "apps/terminal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>

namespace capstan::app {
namespace {

std::atomic<bool> interrupt_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch lock-free atomics only");

extern "C" void on_interrupt(int) { interrupt_requested = true; }

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
  interrupt_requested = false;
  struct sigaction action = {};
  action.sa_handler = on_interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;  // the second Ctrl-C has its usual effect
  sigaction(SIGINT, &action, nullptr);
}

InterruptGuard::~InterruptGuard() { std::signal(SIGINT, SIG_DFL); }

bool interrupted() { return interrupt_requested; }

std::string duration_text(double seconds) {
  const auto whole = static_cast<long long>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

Progress::Progress() {
  if (is_terminal(stderr)) thread_ = std::thread([this] { loop(); });
}

Progress::~Progress() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
  clear();
}

void Progress::start(const std::string& text) {
  const std::lock_guard lock(mutex_);
  text_ = text;
  task_start_ = Clock::now();
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
    wake_.wait_for(lock, std::chrono::milliseconds(500));
    if (!stop_ && !idle_) show();
  }
}

void Progress::show() {
  const double elapsed = std::chrono::duration<double>(Clock::now() - task_start_).count();
  if (elapsed < 2) return;
  const double done = std::clamp(fraction_.load(), 0.0, 1.0);
  std::string line = fmt::format("{}: {}", text_, duration_text(elapsed));
  if (done > 0.01) line += fmt::format(", about {} left", duration_text(elapsed * (1 - done) / done));
  fmt::print(stderr, "\r\033[K{}", line.substr(0, 110));
  std::fflush(stderr);
  visible_ = true;
}

}  // namespace capstan::app
