#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace capstan::app {

/// Whether the stream is a terminal.
bool is_terminal(std::FILE* stream);

enum class Style { plain, bold, good, fair, bad };
/// The text in colour, if standard output is a terminal and NO_COLOR is not set.
std::string styled(const std::string& text, Style style);

/// While one of these lives, Ctrl-C and SIGTERM ask to stop instead of ending the program; a second one ends
/// it.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
};
/// Whether Ctrl-C was pressed, or SIGTERM received, under a guard.
bool interrupted();
/// The exit code that says so: 130 after Ctrl-C, 143 after SIGTERM.
int interrupted_code();

/// A line on standard error that says what is going on, and how long it will still take, after two seconds;
/// it is replaced five times a second. If standard error is not a terminal, a new line every ten seconds.
class Progress {
 public:
  Progress();
  ~Progress();
  /// A new task; the clock for the estimate starts again.
  void start(const std::string& text);
  /// How much of the task is done, 0 to 1; may be called from any thread.
  void set_fraction(double fraction) { fraction_ = fraction; }
  void set_text(const std::string& text);
  /// The same for a text that is needed often and shown seldom: it is made at most ten times a second.
  template <class MakeText>
  void update_text(MakeText&& make_text) {
    if (const Clock::time_point now = Clock::now(); now >= next_text_) {
      next_text_ = now + std::chrono::milliseconds(100);
      set_text(make_text());
    }
  }
  /// Takes the line away, so that something else can be printed; the task goes on.
  void hide();
  /// The task is over.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  void loop();
  void show();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::string text_;
  Clock::time_point task_start_ = Clock::now(), last_line_ = task_start_;
  Clock::time_point next_text_ = task_start_;  // of the thread that calls update_text
  std::atomic<double> fraction_{0};
  bool visible_ = false, stop_ = false, idle_ = true;
  std::thread thread_;
};

/// "3 s", "2 min 05 s", "1 h 12 min".
std::string duration_text(double seconds);
/// The same with two digits for what is short: "0.23 s", "8.1 ms".
std::string short_duration_text(double seconds);

}  // namespace capstan::app
