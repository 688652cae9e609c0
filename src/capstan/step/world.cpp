#include "capstan/step/world.hpp"

namespace capstan {

int World::dofs() const { return dof_starts().back(); }

std::vector<int> World::dof_starts() const {
  std::vector<int> start{0};
  for (const WorldStrand& strand : strands) start.push_back(start.back() + strand.body->dofs());
  return start;
}

Energy World::energy() const {
  Energy sum;
  for (const WorldStrand& strand : strands) {
    const Energy one = strand.body->energy(gravity);
    sum.kinetic += one.kinetic;
    sum.elastic += one.elastic;
    sum.gravity += one.gravity;
  }
  return sum;
}

std::vector<double> equal_steps(double length, int pieces) {
  std::vector<double> s(pieces + 1);
  for (int k = 0; k <= pieces; ++k) s[k] = length * k / pieces;
  return s;
}

}  // namespace capstan
