#include "capstan/step/contact_rows.hpp"

#include <algorithm>

namespace capstan {
namespace {

using Rows = Eigen::Matrix<double, 3, Eigen::Dynamic>;

/// Where the impulse acts. Both rigid bodies get it at one point, so that no couple is left over.
Eigen::Vector3d place_of(const Contact& contact, const ContactSide& side) {
  if (contact.a.rigid >= 0) return 0.5 * (contact.point_a + contact.point_b);
  return &side == &contact.a ? contact.point_a : contact.point_b;
}

PointMotion motion_of(const World& world, const Contact& contact, const ContactSide& side) {
  if (side.strand >= 0) return world.strands[side.strand].body->point_motion(side.s);
  if (side.soft >= 0) return world.soft[side.soft].body->point_motion(side.node, side.weight);
  if (side.rigid >= 0) return world.rigid[side.rigid].body->point_motion(place_of(contact, side));
  return {contact.point_b, Rows(3, 0), contact.velocity_b};
}

Eigen::Vector3d velocity_before(const World& world, const Contact& contact, const ContactSide& side) {
  if (side.strand >= 0) return world.strands[side.strand].body->velocity(side.s);
  if (side.soft >= 0) return world.soft[side.soft].body->velocity(side.node, side.weight);
  if (side.rigid >= 0) return world.rigid[side.rigid].body->velocity(place_of(contact, side));
  return contact.velocity_b;
}

double gap_velocity(double gap, double dt, const GapOptions& options) {
  return gap >= 0 ? gap / dt : -std::min(-options.correction * gap / dt, options.largest_correction);
}

}  // namespace

double overlap_after(double gap, double dt, const GapOptions& options) {
  return gap >= 0 ? 0 : -gap + dt * gap_velocity(gap, dt, options);
}

namespace {

/// What the normal row adds to u_N. What meets fast enough bounces instead of closing its gap: Newton's law,
/// u_N >= -e u_N before.
double normal_shift(const World& world, const Contact& contact, double dt, const GapOptions& options) {
  const double shift = gap_velocity(contact.gap, dt, options) - contact.shortfall / dt;
  const double restitution =
      world.friction(world.family_of(contact.a), world.family_of(contact.b)).restitution;
  if (restitution == 0 || contact.bonded) return shift;
  const double before = contact.frame.col(0).dot(velocity_before(world, contact, contact.a) -
                                                 velocity_before(world, contact, contact.b));
  const bool meets = before < -std::max(options.slowest_bounce, shift);
  return meets ? std::min(restitution * before, shift) : shift;
}

/// The bodies that each contact's rows have blocks for: an obstacle has none, and both sides may be one body.
ContactJacobian::Pattern touched_bodies(const World& world, const std::vector<Contact>& contacts) {
  ContactJacobian::Pattern pattern;
  pattern.body.reserve(2 * contacts.size());
  pattern.start.reserve(contacts.size() + 1);
  for (const Contact& contact : contacts) {
    const int a = world.body_of(contact.a), b = world.body_of(contact.b);
    if (b < 0 || a == b)
      pattern.add_contact({a});
    else
      pattern.add_contact({a, b});
  }
  return pattern;
}

/// Writes E^T J of the bodies of contact i, and its w.
void write_rows(const World& world, const Contact& contact, int i, double dt, const GapOptions& options,
                ContactJacobian& H, Eigen::VectorXd& w) {
  const Eigen::Matrix3d to_frame = contact.frame.transpose();
  const PointMotion a = motion_of(world, contact, contact.a), b = motion_of(world, contact, contact.b);
  H.block(H.begin(i)).topRows<3>().noalias() = to_frame * a.J;
  if (b.J.cols() > 0) H.block(H.end(i) - 1).topRows<3>().noalias() -= to_frame * b.J;
  const Eigen::Index row = Eigen::Index(i) * H.dimension();
  w.segment<3>(row) = to_frame * (a.free_velocity - b.free_velocity);
  w[row] += normal_shift(world, contact, dt, options);
}

/// The fourth row, n.(omega_A - omega_B), of rigid bodies: the last three of their dofs are omega. Strands
/// have no such row, and no law may ask for it.
void write_spin_row(const Contact& contact, int i, ContactJacobian& H, Eigen::VectorXd& w) {
  const Eigen::RowVector3d n = contact.frame.col(0).transpose();
  if (contact.a.rigid >= 0) H.block(H.begin(i)).row(3).tail<3>() = n;
  if (contact.b.rigid >= 0) H.block(H.end(i) - 1).row(3).tail<3>() -= n;
  w[Eigen::Index(i) * 4 + 3] = -contact.spin_b;
}

/// Four if the torque about the normal of any contact is limited by friction.
int dimension_of(const std::vector<ContactLaw>& laws) {
  const auto drills = [](const ContactLaw& law) { return law.friction[2] > 0; };
  return std::any_of(laws.begin(), laws.end(), drills) ? 4 : 3;
}

/// f - H^T borne.
void add_borne(const std::vector<Eigen::Vector3d>& borne, const ContactJacobian& H, Eigen::VectorXd& f) {
  Eigen::VectorXd impulses = Eigen::VectorXd::Zero(Eigen::Index(H.contacts()) * H.dimension()), force;
  for (int i = 0; i < H.contacts(); ++i) impulses.segment<3>(Eigen::Index(i) * H.dimension()) = borne[i];
  H.multiply_transposed(impulses, force);
  f -= force;
}

constexpr int kContactsAtATime = 64;

}  // namespace

void touch_nodes(World& world, const std::vector<Contact>& contacts, const Executor& executor) {
  std::vector<std::vector<int>> nodes(world.soft.size());
  for (const Contact& contact : contacts)
    for (const ContactSide* side : {&contact.a, &contact.b})
      for (int k = 0; side->soft >= 0 && k < 3; ++k)
        if (side->node[k] >= 0) nodes[side->soft].push_back(side->node[k]);
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    std::sort(nodes[k].begin(), nodes[k].end());
    nodes[k].erase(std::unique(nodes[k].begin(), nodes[k].end()), nodes[k].end());
    world.soft[k].body->touch(nodes[k], executor);
  }
}

ContactProblem assemble(const World& world, const std::vector<Contact>& contacts,
                        std::vector<ContactLaw> laws, const std::vector<Eigen::Vector3d>& borne, double dt,
                        const GapOptions& options, const Executor& executor) {
  std::vector<BodyMatrix> blocks;
  const std::vector<int> dof_start = world.dof_starts();
  const int dimension = dimension_of(laws);
  Eigen::VectorXd f(dof_start.back()), w(dimension * Eigen::Index(contacts.size()));
  for (int k = 0; k < world.bodies(); ++k) {
    const Body& body = world.body(k);
    blocks.push_back(body.matrix());
    f.segment(dof_start[k], body.dofs()) = body.force();
  }
  ContactJacobian H(dimension, dof_start, touched_bodies(world, contacts));
  for_each_chunk(
      executor, static_cast<int>(contacts.size()),
      [&](int first, int last) {
        for (int i = first; i < last; ++i) {
          write_rows(world, contacts[i], i, dt, options, H, w);
          if (dimension == 4) write_spin_row(contacts[i], i, H, w);
        }
      },
      kContactsAtATime);
  if (!borne.empty()) add_borne(borne, H, f);
  return ContactProblem::from_mass(MassMatrix::from_bodies(std::move(blocks), executor), std::move(f),
                                   std::move(H), std::move(w), std::move(laws), executor);
}

}  // namespace capstan
