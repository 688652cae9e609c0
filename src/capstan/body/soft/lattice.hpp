#pragma once
#include <array>

namespace capstan {

/// A cell of a lattice, or a corner of cells, counted along the three axes.
using LatticeCell = std::array<int, 3>;

/// visit(cell) for all cells below `count`, fastest along x.
template <class Visit>
void for_each_cell(const LatticeCell& count, const Visit& visit) {
  for (int k = 0; k < count[2]; ++k)
    for (int j = 0; j < count[1]; ++j)
      for (int i = 0; i < count[0]; ++i) visit(LatticeCell{i, j, k});
}

/// Place of a cell (or corner) among `count` in that order.
inline int cell_index(const LatticeCell& cell, const LatticeCell& count) {
  return cell[0] + count[0] * (cell[1] + count[1] * cell[2]);
}

/// Corners of so many cells.
inline LatticeCell corner_count(const LatticeCell& cells) {
  return {cells[0] + 1, cells[1] + 1, cells[2] + 1};
}

/// Throws InputError unless cells are 1 or more along each axis and 1e7 or fewer in all.
void check_cells(const LatticeCell& cells, const char* name);

}  // namespace capstan
