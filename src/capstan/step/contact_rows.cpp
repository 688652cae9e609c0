#include "capstan/step/contact_rows.hpp"

#include <algorithm>

namespace capstan {
namespace {

using Rows = Eigen::Matrix<double, 3, Eigen::Dynamic>;

/// One contact: E^T J of its strands and w.
struct ContactRows {
  Rows a, b;  // b is empty for an obstacle, and added to a on one strand
  Eigen::Vector3d w;
};

double gap_velocity(double gap, double dt, const GapOptions& options) {
  return gap >= 0 ? gap / dt : -std::min(-options.correction * gap / dt, options.largest_correction);
}

ContactRows rows_of(const World& world, const Contact& contact, double dt, const GapOptions& options) {
  const Eigen::Matrix3d to_frame = contact.frame.transpose();
  const PointMotion a = world.strands[contact.a.strand].body->point_motion(contact.a.s);
  ContactRows rows;
  rows.a = to_frame * a.J;
  Eigen::Vector3d relative = a.free_velocity;
  if (contact.b.strand >= 0) {
    const PointMotion b = world.strands[contact.b.strand].body->point_motion(contact.b.s);
    relative -= b.free_velocity;
    if (contact.b.strand == contact.a.strand)
      rows.a -= to_frame * b.J;
    else
      rows.b = -to_frame * b.J;
  } else {
    relative -= contact.velocity_b;
  }
  rows.w = to_frame * relative;
  rows.w[0] += gap_velocity(contact.gap, dt, options);
  return rows;
}

double friction_of(const World& world, const Contact& contact) {
  const int family = world.strands[contact.a.strand].family;
  return contact.b.strand >= 0 ? world.friction(family, world.strands[contact.b.strand].family)
                               : world.obstacle_friction(family, contact.b.obstacle);
}

}  // namespace

ContactProblem assemble(const World& world, const std::vector<Contact>& contacts, double dt,
                        const GapOptions& options, const Executor& executor) {
  std::vector<BodyMatrix> blocks;
  for (const WorldStrand& strand : world.strands) blocks.push_back(strand.body->matrix());
  const std::vector<int> dof_start = world.dof_starts();
  Eigen::VectorXd f(dof_start.back()), w(3 * Eigen::Index(contacts.size()));
  for (std::size_t k = 0; k < world.strands.size(); ++k)
    f.segment(dof_start[k], dof_start[k + 1] - dof_start[k]) = world.strands[k].body->force();
  const int count = static_cast<int>(contacts.size());
  std::vector<ContactRows> rows(contacts.size());
  for_each_chunk(
      executor, count,
      [&](int first, int last) {
        for (int i = first; i < last; ++i) rows[i] = rows_of(world, contacts[i], dt, options);
      },
      64);
  ContactJacobian H(3, dof_start);
  std::vector<ContactLaw> laws(contacts.size());
  for (int i = 0; i < count; ++i) {
    H.add_contact();
    H.add_block(contacts[i].a.strand, rows[i].a);
    if (rows[i].b.cols() > 0) H.add_block(contacts[i].b.strand, rows[i].b);
    w.segment<3>(3 * i) = rows[i].w;
    laws[i] = ContactLaw::coulomb(friction_of(world, contacts[i]));
  }
  return ContactProblem::from_mass(MassMatrix::from_bodies(std::move(blocks), executor), std::move(f),
                                   std::move(H), std::move(w), std::move(laws), executor);
}

}  // namespace capstan
