// Every file of malformed/ begins with what must be said about it, one line "# expect: ..." an error, whole
// message with file, line and column.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "capstan/errors.hpp"
#include "capstan/scene/scene.hpp"
#include "support/scratch.hpp"

namespace capstan {
namespace {

namespace fs = std::filesystem;
using testing_support::contents;

std::string expected_in(const std::string& text) {
  const std::string mark = "# expect: ";
  std::istringstream lines(text);
  std::string all;
  for (std::string line; std::getline(lines, line) && line.rfind(mark, 0) == 0;)
    all += (all.empty() ? "" : "\n") + line.substr(mark.size());
  return all;
}

std::vector<fs::path> malformed_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(CAPSTAN_SOURCE_DIR) / "tests/scene/malformed"))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

TEST(MalformedScenes, AreAtLeastFifty) { EXPECT_GE(malformed_files().size(), 50u); }

TEST(MalformedScenes, GiveExactlyTheExpectedMessages) {
  for (const fs::path& path : malformed_files()) {
    const std::string text = contents(path), expected = expected_in(text);
    ASSERT_FALSE(expected.empty()) << path;
    try {
      parse_scene(text, path.filename().string());
      ADD_FAILURE() << path << ": nothing was wrong";
    } catch (const InputError& error) {
      EXPECT_EQ(error.what(), expected);
    }
  }
}

}  // namespace
}  // namespace capstan
