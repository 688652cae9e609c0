// A word that does not exist is one mistake: what follows from it is not reported.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>

#include "capstan/errors.hpp"
#include "capstan/scene/keys.hpp"
#include "capstan/scene/scene.hpp"
#include "support/scratch.hpp"

namespace capstan {
namespace {

namespace fs = std::filesystem;
using testing_support::contents;

bool is_choice(const std::string& key, const std::string& word) {
  return std::any_of(scene_keys().begin(), scene_keys().end(), [&](const KeyInfo& info) {
    return info.key == key && std::count(info.choices.begin(), info.choices.end(), word) > 0;
  });
}

/// Calls use(text) for the text with one of the words that are choices misspelt, for each of them.
template <typename Use>
void for_each_misspelling(const std::string& text, Use&& use) {
  static const std::regex pattern("(\\w+)\\s*=\\s*\"(\\w+)\"");
  for (std::sregex_iterator it(text.begin(), text.end(), pattern); it != std::sregex_iterator(); ++it) {
    const std::size_t line = text.rfind('\n', static_cast<std::size_t>(it->position())) + 1;
    if (text[line] == '#' || !is_choice((*it)[1], (*it)[2])) continue;
    std::string changed = text;
    changed.insert(static_cast<std::size_t>(it->position(2) + it->length(2)), "x");
    use(changed);
  }
}

TEST(MisspeltWords, GiveOneErrorEach) {
  int tried = 0;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(CAPSTAN_SOURCE_DIR) / "scenes")) {
    if (entry.path().extension() != ".toml") continue;
    for_each_misspelling(contents(entry.path()), [&](const std::string& text) {
      ++tried;
      try {
        parse_scene(text, entry.path().string());
        ADD_FAILURE() << entry.path() << ": nothing was wrong";
      } catch (const InputError& error) {
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
      }
    });
  }
  EXPECT_GT(tried, 100);
}

}  // namespace
}  // namespace capstan
