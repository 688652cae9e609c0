#include "capstan/scene/grow_rigid.hpp"

#include "capstan/body/rotation.hpp"
#include "capstan/random.hpp"
#include "capstan/scene/growing.hpp"
#include "capstan/scene/solids.hpp"
#include "capstan/scene/structures.hpp"

namespace capstan {
namespace {

Eigen::Vector3d random_vector(Random& random, double size) {
  return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

/// Turned by up to an angle about any axis.
Eigen::Vector3d random_turn(Random& random, double angle) {
  Eigen::Vector3d turn;
  do turn = random_vector(random, 1);
  while (turn.squaredNorm() > 1);
  return angle * turn;
}

}  // namespace

std::vector<WorldRigid> grow_rigid(const RigidSpec& spec, int family) {
  const Solid solid = make_solid(spec);
  const MassProperties mass = mass_of(spec, solid, spec.density);
  const std::shared_ptr<const StructureField> structure = make_structure(spec, solid.shape());
  Random random(spec.seed);
  std::vector<WorldRigid> bodies;
  for (int z = 0; z < spec.repeat[2]; ++z)
    for (int y = 0; y < spec.repeat[1]; ++y)
      for (int x = 0; x < spec.repeat[0]; ++x) {
        Frame pose = spec.pose;
        pose.x += Eigen::Vector3d(x, y, z).cwiseProduct(spec.spacing) + random_vector(random, spec.jitter);
        if (spec.tumble > 0) pose.R = rotation_exp(random_turn(random, spec.tumble)) * pose.R;
        const std::string name =
            spec.count() > 1 ? scene_text::numbered(spec.name, bodies.size()) : spec.name;
        const Twist twist{spec.velocity + spec.spin.cross(pose.R * mass.centre), spec.spin};
        bodies.push_back({name, std::make_unique<RigidBody>(mass, pose, twist), solid, family, structure});
      }
  return bodies;
}

}  // namespace capstan
