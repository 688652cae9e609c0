#pragma once
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "support/scratch.hpp"

namespace capstan::app {

namespace fs = std::filesystem;
using testing_support::contents;

/// Runs the program in a folder of its own.
class ProgramTest : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const {
    testing_support::set_contents(folder / name, text);
  }
  /// Its exit code, -1 after a signal.
  int run(const std::string& arguments) const {
    const std::string command =
        "cd '" + folder.string() + "' && '" + CAPSTAN_BINARY + "' " + arguments + " >stdout 2>stderr";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  std::string out() const { return contents(folder / "stdout"); }
  std::string err() const { return contents(folder / "stderr"); }

 private:
  const testing_support::Scratch scratch_;

 protected:
  const fs::path folder = scratch_.path();
};

}  // namespace capstan::app
