// A hair held level at its root sags under its weight: the four models, one after the other, against the
// elastica theta'' = -Gamma (1 - s) cos theta with Gamma = 5, whose tip drops by 0.49591 of the length.
#include <cmath>
#include <cstdio>
#include <memory>

#include "capstan/body/rod/corde.hpp"
#include "capstan/body/rod/discrete_elastic.hpp"
#include "capstan/body/rod/mass_spring.hpp"
#include "capstan/body/rod/super_helix.hpp"
#include "capstan/step/simulation.hpp"

using namespace capstan;

/// Simulates the strand until it hangs still, and gives the drop of its tip in lengths.
double drop_of(std::unique_ptr<Strand> strand) {
  const double length = strand->length();
  World world;
  world.friction = PairTable(1);  // of strands with each other; here is only one
  world.strands.emplace_back();
  world.strands[0].body = std::move(strand);
  world.strands[0].collision.radius = 4e-5;
  world.strands[0].collision_s = equal_steps(length, 16);
  StepOptions options;
  options.dt = 2e-3;
  Simulation simulation(std::move(world), options);
  while (simulation.t() < 2) simulation.step(2);
  return -simulation.world().strands[0].body->position(length).z() / length;
}

int main() {
  const double radius = 4e-5, density = 1310, young = 3.89e9, shear = 0.89e9, g = 9.81, Gamma = 5;
  RodProperties hair = round_rod(radius, density, young, shear);
  hair.air_drag = 1e-4;
  StrandShape shape;  // straight, along x, its root held
  shape.length = std::cbrt(Gamma * hair.bending_1 / (hair.linear_density * g));
  shape.root = {Hold::clamped, Motion(Frame{})};

  const double drops[] = {drop_of(std::make_unique<SuperHelix>(shape, hair, 16)),
                          drop_of(std::make_unique<MassSpring>(shape, hair, 40)),
                          drop_of(std::make_unique<Corde>(shape, hair, 40)),
                          drop_of(std::make_unique<DiscreteElastic>(shape, hair, 40))};
  const char* names[] = {"super_helix", "mass_spring", "corde", "discrete_elastic"};
  bool good = true;
  for (int k = 0; k < 4; ++k) {
    std::printf("%-16s drops by %.5f of its length\n", names[k], drops[k]);
    good = good && std::abs(drops[k] - 0.49591) < 0.01 * 0.49591;
  }
  return good ? 0 : 1;
}
