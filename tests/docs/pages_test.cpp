// The pages: links lead somewhere, and what docs/coverage.md names is there.
#include <array>
#include <filesystem>
#include <regex>
#include <sstream>

#include "support/scratch.hpp"

namespace capstan {
namespace {

namespace fs = std::filesystem;
using testing_support::contents;

const fs::path kRoot = CAPSTAN_SOURCE_DIR;

std::vector<fs::path> files_below(const fs::path& folder, const std::string& extension) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == extension) files.push_back(entry.path());
  return files;
}

/// The first group of every match.
std::vector<std::string> all_matches(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at)
    found.push_back((*at)[1]);
  return found;
}

TEST(Pages, LinkToFilesThatExist) {
  std::vector<fs::path> pages = files_below(kRoot / "docs", ".md");
  for (const char* page : {"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "viewer/README.md"})
    pages.push_back(kRoot / page);
  std::size_t links = 0;
  for (const fs::path& page : pages)
    for (const std::string& link : all_matches(contents(page), R"(\]\(([^)#\s]*\.[^)#\s]+)[^)\s]*\))")) {
      if (link.find("://") != std::string::npos) continue;
      EXPECT_TRUE(fs::exists(page.parent_path() / link)) << page << " links to " << link;
      ++links;
    }
  EXPECT_GT(links, 100u);  // or the pattern is wrong
}

/// What a cell of docs/coverage.md has in backticks.
struct Names {
  std::vector<std::string> paths, tests, others;
};

Names names_in(const std::string& text) {
  static const std::regex test("[A-Z]\\w*\\.[A-Z]\\w*");
  Names names;
  for (const std::string& name : all_matches(text, "`([^`]+)`"))
    if (name.find('/') != std::string::npos)
      names.paths.push_back(name);
    else
      (std::regex_match(name, test) ? names.tests : names.others).push_back(name);
  return names;
}

/// Paths are below one of three folders; where there is no such file, the one of the first.
fs::path located(const std::string& path) {
  for (const fs::path& folder : {kRoot / "src/capstan", kRoot / "scenes", kRoot})
    if (fs::is_regular_file(folder / path)) return folder / path;
  return kRoot / "src/capstan" / path;
}

/// Rows of the tables with three columns: what, where, shown by. There is none with more.
std::vector<std::array<std::string, 3>> coverage_rows() {
  std::istringstream page(contents(kRoot / "docs/coverage.md"));
  std::vector<std::array<std::string, 3>> rows;
  for (std::string line; std::getline(page, line);) {
    const std::vector<std::string> cells = all_matches(line, "\\|([^|]*)(?=\\|)");
    if (cells.size() < 3) continue;
    EXPECT_EQ(cells.size(), 3u) << line;
    rows.push_back({cells[0], cells[1], cells[2]});
  }
  return rows;
}

TEST(CoveragePage, NamesFilesAndWhatIsInThem) {
  std::size_t named = 0;
  for (const auto& [what, where, shown] : coverage_rows()) {
    const Names names = names_in(where);
    std::string code;
    for (const std::string& path : names.paths) {
      EXPECT_TRUE(fs::exists(located(path))) << path << " in the row" << what;
      code += contents(located(path));
    }
    for (const std::string& name : names.others)
      EXPECT_TRUE(std::regex_search(code, std::regex("\\b" + name + "\\b"))) << name << " in the row" << what;
    for (const std::string& path : names_in(shown).paths)
      EXPECT_TRUE(fs::exists(located(path))) << path << " in the row" << what;
    named += names.paths.size();
  }
  EXPECT_GT(named, 50u);
}

TEST(CoveragePage, NamesTestsThatExist) {
  std::string tests;
  for (const fs::path& file : files_below(kRoot / "tests", ".cpp")) tests += contents(file);
  std::size_t named = 0;
  for (const auto& [what, where, shown] : coverage_rows())
    for (std::string name : names_in(shown).tests) {
      name.replace(name.find('.'), 1, ", ");
      EXPECT_NE(tests.find("(" + name + ")"), std::string::npos) << name << " in the row" << what;
      ++named;
    }
  EXPECT_GT(named, 50u);
}

}  // namespace
}  // namespace capstan
