#include "capstan/body/soft/lattice.hpp"

#include <string>

#include "capstan/errors.hpp"

namespace capstan {

void check_cells(const LatticeCell& cells, const char* name) {
  double product = 1;
  for (const int n : cells) {
    if (n < 1)
      throw InputError(std::string(name) + ": cells is " + std::to_string(n) + ", expected 1 or more");
    product *= n;
  }
  if (product > 1e7)
    throw InputError(std::string(name) + ": cells is " + std::to_string(product) +
                     " in all, expected 1e7 or fewer");
}

}  // namespace capstan
