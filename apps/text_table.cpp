#include "apps/text_table.hpp"

#include <algorithm>

namespace capstan::app {
namespace {

/// Blanks around the styled text; escape codes take no place on the screen.
std::string padded(const Cell& cell, const Column& column) {
  const std::string blanks(std::max(0, column.width - int(cell.text.size())), ' ');
  return column.left ? styled(cell.text, cell.style) + blanks : blanks + styled(cell.text, cell.style);
}

}  // namespace

TextTable::TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {
  for (Column& column : columns_) column.width = std::max(column.width, int(column.title.size()));
}

std::string TextTable::header() const {
  std::vector<Cell> titles;
  std::size_t total = 0;
  for (const Column& column : columns_) {
    titles.push_back({column.title, Style::bold});
    total += std::size_t(column.width) + 2;
  }
  return row(titles) + std::string(total - 2, '-') + "\n";
}

std::string TextTable::row(const std::vector<Cell>& cells) const {
  std::string line;
  for (std::size_t k = 0; k < columns_.size(); ++k)
    line += (k > 0 ? "  " : "") + padded(k < cells.size() ? cells[k] : Cell{}, columns_[k]);
  return line.erase(line.find_last_not_of(' ') + 1) + "\n";
}

}  // namespace capstan::app
