#include "capstan/step/world.hpp"

namespace capstan {

Body& World::body(int index) const {
  const int first_rigid = static_cast<int>(strands.size());
  if (index < first_rigid) return *strands[index].body;
  return *rigid[index - first_rigid].body;
}

int World::body_of(const ContactSide& side) const {
  if (side.strand >= 0) return side.strand;
  return side.rigid >= 0 ? static_cast<int>(strands.size()) + side.rigid : -1;
}

int World::family_of(const ContactSide& side) const {
  if (side.strand >= 0) return strands[side.strand].family;
  return side.rigid >= 0 ? rigid[side.rigid].family : obstacles[side.obstacle].family;
}

int World::dofs() const { return dof_starts().back(); }

std::vector<int> World::dof_starts() const {
  std::vector<int> start{0};
  for (int k = 0; k < bodies(); ++k) start.push_back(start.back() + body(k).dofs());
  return start;
}

Energy World::energy() const {
  Energy sum;
  for (int k = 0; k < bodies(); ++k) {
    const Energy one = body(k).energy(gravity);
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
