#pragma once
#include <string>
#include <vector>

#include "apps/terminal.hpp"

namespace capstan::app {

struct Column {
  std::string title;
  int width;          ///< at least; widened to the title
  bool left = false;  ///< text is left-aligned, numbers are not
};

struct Cell {
  std::string text;
  Style style = Style::plain;
};

/// Rows of aligned text, made one at a time so that each can be shown as soon as it is known.
class TextTable {
 public:
  explicit TextTable(std::vector<Column> columns);
  std::string header() const;  ///< titles and a rule below them
  std::string row(const std::vector<Cell>& cells) const;

 private:
  std::vector<Column> columns_;
};

}  // namespace capstan::app
