#include "capstan/step/world.hpp"

namespace capstan {

Body& World::body(int index) const {
  const int first_rigid = static_cast<int>(strands.size());
  const int first_soft = first_rigid + static_cast<int>(rigid.size());
  if (index < first_rigid) return *strands[index].body;
  if (index < first_soft) return *rigid[index - first_rigid].body;
  return *soft[index - first_soft].body;
}

int World::body_of(const ContactSide& side) const {
  if (side.strand >= 0) return side.strand;
  if (side.soft >= 0) return static_cast<int>(strands.size() + rigid.size()) + side.soft;
  return side.rigid >= 0 ? static_cast<int>(strands.size()) + side.rigid : -1;
}

int World::family_of(const ContactSide& side) const {
  if (side.strand >= 0) return strands[side.strand].family;
  if (side.soft >= 0) return soft[side.soft].family;
  return side.rigid >= 0 ? rigid[side.rigid].family : obstacles[side.obstacle].family;
}

std::vector<const Motion*> World::scripted() const {
  std::vector<const Motion*> all;
  for (const WorldObstacle& obstacle : obstacles) all.push_back(&obstacle.motion);
  for (const WorldStrand& strand : strands) all.push_back(&strand.root.motion);
  for (const WorldStrand& strand : strands) all.push_back(&strand.tip.motion);
  for (const WorldSoft& one : soft)
    for (const HeldNodes& held : one.body->held()) all.push_back(&held.motion);
  return all;
}

int World::dofs() const {
  int sum = 0;
  for (int k = 0; k < bodies(); ++k) sum += body(k).all_dofs();
  return sum;
}

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
