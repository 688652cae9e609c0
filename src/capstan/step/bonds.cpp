#include "capstan/step/bonds.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace capstan {
namespace {

using Eigen::Vector3d;

constexpr double kNoFriction = 1e-3;  // of a pair all but bonded: tangents are then linear
constexpr double kPressed = 1e-3;  // of the impulse: what has no pressure must not lose its hold by rounding

/// Of the body at this point: what its matter is fixed to.
Frame frame_at(const World& world, const ContactSide& side, double t) {
  if (side.strand >= 0) {
    const Strand& body = *world.strands[side.strand].body;
    return {body.position(side.s), body.frame(side.s)};
  }
  if (side.soft >= 0) return world.soft[side.soft].body->frame(side.node, side.weight);
  if (side.rigid >= 0) return world.rigid[side.rigid].body->frame();
  return world.obstacles[side.obstacle].motion.at(t);
}

/// From where B's point is to where A's is, in the axes of the contact: gap and slip.
Vector3d offset(const Contact& contact) {
  return contact.frame.transpose() * (contact.point_a - contact.point_b);
}

using Bodies = std::array<int, 7>;

Bodies bodies_of(const Contact& c) {
  return {c.a.strand, c.a.rigid, c.a.soft, c.b.strand, c.b.rigid, c.b.soft, c.b.obstacle};
}

// Keeps closest points from running away along strands that are nearly parallel, where they mean nothing.
// Half of this part of a slip along the strands stays in the normal: 6 mm make a gap of 0.2 mm between radii
// of 1 mm.
constexpr double kKept = 0.02;

/// The normal of two round strands from where they are now: between the points of their tangents that are
/// closest to each other, a + alpha t_a and b + beta t_b, with alpha^2 + beta^2 made small too. `before`
/// where they cross.
Vector3d normal_between(const Vector3d& apart, const Vector3d& t_a, const Vector3d& t_b,
                        const Vector3d& before) {
  const double one = 1 + kKept, cosine = t_a.dot(t_b), along_a = -t_a.dot(apart), along_b = t_b.dot(apart);
  const double determinant = one * one - cosine * cosine;
  const double alpha = (one * along_a + cosine * along_b) / determinant;
  const double beta = (one * along_b + cosine * along_a) / determinant;
  const Vector3d across = apart + alpha * t_a - beta * t_b;
  const double length = across.norm();
  return length > 1e-9 * apart.norm() ? Vector3d(across / length) : before;
}

/// Distance squared, counted by how stiff the springs are along it.
double squared_distance(const Adhesion& adhesion, double gap, const Eigen::Vector2d& slip) {
  const double open = std::max(gap, 0.0);
  return open * open + adhesion.tangential * slip.squaredNorm();
}

}  // namespace

const Adhesion* adhesion_of(const World& world, const Contact& contact) {
  const auto& adhesion = world.friction(world.family_of(contact.a), world.family_of(contact.b)).adhesion;
  return adhesion ? &*adhesion : nullptr;
}

Bond bond_at(const World& world, const Contact& contact, double beta, double t) {
  const Frame frame_a = frame_at(world, contact.a, t), frame_b = frame_at(world, contact.b, t);
  Bond bond;
  bond.a = contact.a;
  bond.b = contact.b;
  bond.place_a = frame_a.apply_inverse(contact.point_a);
  bond.place_b = frame_b.apply_inverse(contact.point_b);
  bond.frame = frame_b.R.transpose() * contact.frame;
  bond.thickness = offset(contact)[0] - contact.gap;
  bond.beta = beta;
  bond.area = contact.area;
  return bond;
}

Contact contact_of(const World& world, const Bond& bond, double t) {
  const Frame frame_a = frame_at(world, bond.a, t), frame_b = frame_at(world, bond.b, t);
  Contact contact;
  contact.a = bond.a;
  contact.b = bond.b;
  contact.point_a = frame_a.apply(bond.place_a);
  contact.point_b = frame_b.apply(bond.place_b);
  contact.frame = frame_b.R * bond.frame;
  if (bond.a.strand >= 0 && bond.b.strand >= 0) {
    const Vector3d t_a = frame_a.R.col(0), t_b = frame_b.R.col(0);
    const Vector3d apart = contact.point_a - contact.point_b;
    contact.frame = contact_frame(normal_between(apart, t_a, t_b, contact.frame.col(0)), t_a, t_b);
  }
  contact.gap = offset(contact)[0] - bond.thickness;
  contact.area = bond.area;
  contact.bonded = true;
  return contact;
}

std::vector<char> covered_by(const World& world, std::span<const Contact> bonded,
                             std::span<const Contact> contacts) {
  struct Patch {
    const Contact* bond;
    double reach2;
  };
  std::vector<char> covered(contacts.size(), 0);
  std::map<Bodies, std::vector<Patch>> patches;
  for (const Contact& bond : bonded) {
    const double reach = patch_reach(world, bond);
    patches[bodies_of(bond)].push_back({&bond, reach * reach});
  }
  if (patches.empty()) return covered;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Contact& contact = contacts[i];
    const auto found = patches.find(bodies_of(contact));
    if (found == patches.end()) continue;
    covered[i] = std::any_of(found->second.begin(), found->second.end(), [&](const Patch& patch) {
      return (contact.point_a - patch.bond->point_a).squaredNorm() < patch.reach2 &&
             (contact.point_b - patch.bond->point_b).squaredNorm() < patch.reach2;
    });
  }
  return covered;
}

Vector3d stick(const Adhesion& adhesion, const Bond& bond, const Contact& contact, double dt,
               ContactLaw& law) {
  const double k = bond_traction(adhesion, bond.beta, bond.area, dt), k_T = adhesion.tangential * k;
  for (double& mu : law.friction) mu = mu * (1 - bond.beta) < kNoFriction ? 0 : mu * (1 - bond.beta);
  law.traction.head<3>() << k, k_T, k_T;
  Vector3d borne = k_T / dt * offset(contact);
  borne[0] = 0;
  return borne;
}

BoxContact box_of(const Adhesion& adhesion, const Bond& bond, const Contact& contact, int index, double dt) {
  const double k = bond_traction(adhesion, bond.beta, bond.area, dt);
  BoxContact box{index, k, adhesion.tangential * k, offset(contact) / dt};
  box.slip[0] = 0;  // the gap is in the rows of the problem
  box.pressed = bond.impulse.dot(contact.frame.col(0)) > kPressed * bond.impulse.norm();
  return box;
}

BondedContacts stick_all(const World& world, std::span<const Bond> bonds, std::span<const int> bond_of,
                         std::span<const Contact> contacts, double dt, std::vector<ContactLaw>& laws) {
  BondedContacts result;
  result.borne.assign(contacts.size(), Vector3d::Zero());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (bond_of[i] < 0) continue;
    const Adhesion& adhesion = *adhesion_of(world, contacts[i]);
    const Bond& bond = bonds[bond_of[i]];
    if (adhesion.coupling == Coupling::rcc)
      result.borne[i] = stick(adhesion, bond, contacts[i], dt, laws[i]);
    else
      result.boxes.push_back(box_of(adhesion, bond, contacts[i], static_cast<int>(i), dt));
  }
  return result;
}

bool evolve(const World& world, const Adhesion& adhesion, double r_N, double t, double dt, Bond& bond) {
  const Contact now = contact_of(world, bond, t);
  const Vector3d apart = offset(now);
  const Eigen::Vector2d slip = apart.tail<2>();
  const double distance2 = squared_distance(adhesion, now.gap, slip);
  if (distance2 > adhesion.debond_gap * adhesion.debond_gap) return false;
  const double before = debonded(adhesion, bond.beta, distance2, dt);
  bond.beta = r_N > 0 ? bonded(adhesion, before, r_N / (dt * bond.area), dt) : before;
  if (bond.beta > before) {
    const double kept = before * before / (bond.beta * bond.beta);
    const Vector3d towards(0, (1 - kept) * slip[0], (1 - kept) * slip[1]);
    bond.place_b += frame_at(world, bond.b, t).R.transpose() * now.frame * towards;
  }
  return true;
}

}  // namespace capstan
