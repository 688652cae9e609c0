#include "capstan/scene/suggest.hpp"

#include <algorithm>

namespace capstan {

int edit_distance(const std::string& from, const std::string& to) {
  const std::size_t rows = from.size() + 1, columns = to.size() + 1;
  std::vector<std::vector<int>> d(rows, std::vector<int>(columns));
  for (std::size_t i = 0; i < rows; ++i) d[i][0] = int(i);
  for (std::size_t j = 0; j < columns; ++j) d[0][j] = int(j);
  for (std::size_t i = 1; i < rows; ++i)
    for (std::size_t j = 1; j < columns; ++j) {
      const int change = from[i - 1] != to[j - 1];
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + change});
      if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d.back().back();
}

std::string did_you_mean(const std::string& wrong, const std::vector<std::string>& words) {
  const auto nearest = std::min_element(words.begin(), words.end(), [&](const auto& a, const auto& b) {
    return edit_distance(wrong, a) < edit_distance(wrong, b);
  });
  if (nearest == words.end()) return "";
  const int limit = std::max(1, int(wrong.size()) / 2);  // at least half of what was written is right
  return edit_distance(wrong, *nearest) <= limit ? "; did you mean '" + *nearest + "'?" : "";
}

}  // namespace capstan
