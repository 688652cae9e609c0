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

/// While one of these lives, Ctrl-C asks to stop instead of ending the program; a second one ends it.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
};
/// Whether Ctrl-C was pressed under a guard.
bool interrupted();

/// A line on standard error that says what is going on, and how long it will still take, after two seconds.
/// Does nothing if standard error is not a terminal.
class Progress {
 public:
  Progress();
  ~Progress();
  /// A new task; the clock for the estimate starts again.
  void start(const std::string& text);
  /// How much of the task is done, 0 to 1; may be called from any thread.
  void set_fraction(double fraction) { fraction_ = fraction; }
  void set_text(const std::string& text);
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
  Clock::time_point task_start_ = Clock::now();
  std::atomic<double> fraction_{0};
  bool visible_ = false, stop_ = false, idle_ = true;
  std::thread thread_;  // only with a terminal
};

/// "3 s", "2 min 05 s", "1 h 12 min".
std::string duration_text(double seconds);

}  // namespace capstan::app
