// What is left of files that were being written when the process was killed.
#include "capstan/files/whole_file.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/scratch.hpp"

namespace capstan::files {
namespace {

namespace fs = std::filesystem;
using testing_support::contents;
using testing_support::Scratch;
using testing_support::set_contents;

/// The number of a process that has ended.
pid_t ended_process() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ::waitpid(child, nullptr, 0);
  return child;
}

TEST(WholeFile, WritingRemovesWhatAKilledProcessLeftOfTheSameFile) {
  const Scratch scratch;
  const std::string dead = std::to_string(ended_process());
  const fs::path left = scratch / ("x.png.part-" + dead + "-0");
  const fs::path of_another_file = scratch / ("y.png.part-" + dead + "-0");
  const fs::path being_written = scratch / ("x.png.part-" + std::to_string(::getpid()) + "-77");
  const fs::path of_the_user = scratch / ("x.png.part-" + dead);
  for (const fs::path& path : {left, of_another_file, being_written, of_the_user}) set_contents(path, "half");
  write_whole_file(scratch / "x.png", "whole");
  EXPECT_EQ(contents(scratch / "x.png"), "whole");
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(of_another_file));
  EXPECT_TRUE(fs::exists(being_written));
  EXPECT_TRUE(fs::exists(of_the_user));
}

}  // namespace
}  // namespace capstan::files
