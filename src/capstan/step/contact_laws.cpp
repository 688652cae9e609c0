#include "capstan/step/contact_laws.hpp"

namespace capstan {
namespace {

Eigen::Vector3d structure_on(const StructureField* field, const Frame& pose, const Eigen::Vector3d& point,
                             const Eigen::Vector3d& outward) {
  if (!field) return Eigen::Vector3d::Zero();
  const SurfacePlace place{pose.apply_inverse(point), pose.R.transpose() * outward};
  return pose.R * field->at(place);
}

/// The grain of a surface at a contact, world axes; zero if it has none. That of a strand runs along it.
Eigen::Vector3d structure_at(const World& world, const ContactSide& side, const Eigen::Vector3d& point,
                             const Eigen::Vector3d& outward, double t) {
  if (side.strand >= 0) return world.strands[side.strand].body->frame(side.s).col(0);
  if (side.soft >= 0) {
    const WorldSoft& soft = world.soft[side.soft];
    return soft.body->carry(side.node, side.weight,
                            structure_on(soft.structure.get(), soft.rest_pose, side.local,
                                         soft.body->rest_normal(side.node, side.weight)));
  }
  if (side.rigid >= 0) {
    const WorldRigid& rigid = world.rigid[side.rigid];
    return structure_on(rigid.structure.get(), rigid.body->frame(), point, outward);
  }
  const WorldObstacle& obstacle = world.obstacles[side.obstacle];
  return structure_on(obstacle.structure.get(), obstacle.motion.at(t), point, outward);
}

}  // namespace

ChosenLaws choose_laws(const World& world, std::vector<Contact>& contacts, double t) {
  ChosenLaws result;
  result.laws.reserve(contacts.size());
  for (Contact& contact : contacts) {
    const PairFriction& pair = world.friction(world.family_of(contact.a), world.family_of(contact.b));
    if (pair.model == FrictionModel::isotropic && pair.mu_spin == 0) {
      result.laws.push_back(ContactLaw::coulomb(pair.mu));
      continue;
    }
    const Eigen::Vector3d n = contact.frame.col(0);
    const OrientedFriction friction = orient(pair, n, structure_at(world, contact.a, contact.point_a, -n, t),
                                             structure_at(world, contact.b, contact.point_b, n, t));
    contact.frame = contact_frame_of(friction, n);
    if (friction.is_one_sided()) result.one_sided.push_back({static_cast<int>(result.laws.size()), friction});
    result.laws.push_back(friction.is_one_sided() ? one_sided_law(friction, 0) : contact_law(friction));
  }
  return result;
}

}  // namespace capstan
