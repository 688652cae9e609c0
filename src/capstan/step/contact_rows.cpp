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
  if (side.soft >= 0) {
    const SoftBody& body = *world.soft[side.soft].body;
    if (!body.is_sparse()) return body.point_motion(side.node, side.weight);
    return {body.position(side.node, side.weight), Rows(3, 0), body.free_velocity(side.node, side.weight)};
  }
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

/// The bodies of H: those of the world, but the touched nodes one by one where a soft body is sparse.
class Columns {
 public:
  explicit Columns(const World& world) : world_(world) {
    for (int k = 0; k < world.bodies(); ++k) {
      first_.push_back(static_cast<int>(dof_start_.size()) - 1);
      const int pieces = soft_at(k) ? world.body(k).dofs() / 3 : 1;
      for (int piece = 0; piece < pieces; ++piece)
        dof_start_.push_back(dof_start_.back() + world.body(k).dofs() / pieces);
    }
  }

  const std::vector<int>& dof_starts() const { return dof_start_; }

  ContactJacobian::Pattern pattern(const std::vector<Contact>& contacts) const {
    ContactJacobian::Pattern pattern;
    pattern.body.reserve(2 * contacts.size());
    pattern.start.reserve(contacts.size() + 1);
    for (const Contact& contact : contacts) {
      add(contact.a, pattern);
      if (world_.body_of(contact.b) >= 0) add(contact.b, pattern);
      pattern.start.push_back(static_cast<int>(pattern.body.size()));
    }
    return pattern;
  }

  /// Adds sign E^T J of one side to the rows of contact i.
  void add_rows(const ContactSide& side, const Eigen::Matrix3d& to_frame, const Rows& J, double sign, int i,
                ContactJacobian& H) const {
    const int body = world_.body_of(side);
    if (body < 0) return;
    const SoftBody* const soft = soft_at(body);
    if (!soft) {
      H.block(entry_of(first_[body], i, H)).topRows<3>().noalias() += sign * (to_frame * J);
      return;
    }
    for (int k = 0; k < 3; ++k)
      if (const int place = touched(*soft, side, k); place >= 0)
        H.block(entry_of(first_[body] + place, i, H)).topRows<3>() += sign * side.weight[k] * to_frame;
  }

  /// The sparse soft body of that index; nullptr: it is another kind.
  const SoftBody* soft_at(int body) const {
    const int k = body - static_cast<int>(world_.strands.size() + world_.rigid.size());
    return k >= 0 && world_.soft[k].body->is_sparse() ? world_.soft[k].body.get() : nullptr;
  }

 private:
  static int touched(const SoftBody& soft, const ContactSide& side, int k) {
    return side.node[k] >= 0 ? soft.place_of(side.node[k]) : -1;
  }

  static int entry_of(int body, int i, const ContactJacobian& H) {
    int entry = H.begin(i);
    while (H.body(entry) != body) ++entry;
    return entry;
  }

  /// Both sides may be one body, or share a node.
  void add(const ContactSide& side, ContactJacobian::Pattern& pattern) const {
    const auto add_once = [&](int body) {
      const auto own = pattern.body.begin() + pattern.start.back();
      if (std::find(own, pattern.body.end(), body) == pattern.body.end()) pattern.body.push_back(body);
    };
    const int body = world_.body_of(side);
    if (const SoftBody* const soft = soft_at(body)) {
      for (int k = 0; k < 3; ++k)
        if (const int place = touched(*soft, side, k); place >= 0) add_once(first_[body] + place);
    } else {
      add_once(first_[body]);
    }
  }

  const World& world_;
  std::vector<int> first_, dof_start_{0};
};

/// Writes E^T J of the bodies of contact i, and its w.
void write_rows(const World& world, const Columns& columns, const Contact& contact, int i, double dt,
                const GapOptions& options, ContactJacobian& H, Eigen::VectorXd& w) {
  const Eigen::Matrix3d to_frame = contact.frame.transpose();
  const PointMotion a = motion_of(world, contact, contact.a), b = motion_of(world, contact, contact.b);
  for (int k = H.begin(i); k < H.end(i); ++k) H.block(k).setZero();
  columns.add_rows(contact.a, to_frame, a.J, 1, i, H);
  columns.add_rows(contact.b, to_frame, b.J, -1, i, H);
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
    // Springs of adhesion are put into the matrix, or swept over: both need it dense.
    const auto form = world.friction.any_adhesion() ? SoftBody::Form::dense : SoftBody::Form::by_number;
    world.soft[k].body->touch(nodes[k], executor, form);
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
  const Columns columns(world);
  ContactJacobian H(dimension, columns.dof_starts(), columns.pattern(contacts));
  for_each_chunk(
      executor, static_cast<int>(contacts.size()),
      [&](int first, int last) {
        for (int i = first; i < last; ++i) {
          write_rows(world, columns, contacts[i], i, dt, options, H, w);
          if (dimension == 4) write_spin_row(contacts[i], i, H, w);
        }
      },
      kContactsAtATime);
  if (!borne.empty()) add_borne(borne, H, f);
  return ContactProblem::from_mass(MassMatrix::from_bodies(std::move(blocks), executor), std::move(f),
                                   std::move(H), std::move(w), std::move(laws), executor);
}

}  // namespace capstan
