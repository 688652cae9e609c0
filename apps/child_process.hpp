#pragma once
#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

namespace capstan::app {

/// The full path of a program, or nothing.
std::string find_program(const std::vector<std::string>& names);

/// Another program, without a shell in between. Its output is thrown away unless a file is named. Killed when
/// this goes out of scope.
class ChildProcess {
 public:
  ChildProcess(const std::string& program, const std::vector<std::string>& arguments, const std::string& log);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// To its standard input; false if it does not listen any more.
  bool write(std::string_view bytes);
  bool has_ended();
  /// Closes its input and waits; its exit code, -1 after a signal.
  int wait();

 private:
  void close_input();
  pid_t pid_ = -1;
  int input_ = -1, status_ = -1;
};

}  // namespace capstan::app
