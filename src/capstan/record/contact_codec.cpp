#include "capstan/record/contact_codec.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "capstan/errors.hpp"
#include "capstan/record/byte_planes.hpp"
#include "capstan/record/point_codec.hpp"

namespace capstan::record {
namespace {

using ConeKind = LatticeContact::Cone;

constexpr int kDroppedBits = 12;           // of the mantissa of forces and coefficients
constexpr double kOctahedron = 8192;       // steps from the middle to a corner
constexpr int kCoarse = 16;                // steps between the normals of circular cones, to save bytes
constexpr int kTangentSteps = 1 << 14;     // of half a turn
constexpr std::uint32_t kWholeBond = 255;  // beta = 1

/// The upper 20 bits of a float, rounded.
std::uint32_t short_bits(double value, const char* what, int index) {
  const std::uint32_t bits =
      (std::bit_cast<std::uint32_t>(static_cast<float>(value)) + 0x800u) >> kDroppedBits;
  if (!std::isfinite(std::bit_cast<float>(bits << kDroppedBits)))
    throw InputError("frame: the " + std::string(what) + " of contact " + std::to_string(index) + " is " +
                     std::to_string(value) + ", expected a finite number");
  return bits;
}

float from_short_bits(std::uint32_t bits) { return std::bit_cast<float>(bits << kDroppedBits); }

std::int32_t coefficient_bits(double mu, int index) {
  if (!(mu >= 0))
    throw InputError("frame: the friction of contact " + std::to_string(index) + " is " + std::to_string(mu) +
                     ", expected >= 0");
  return static_cast<std::int32_t>(short_bits(mu, "friction", index));
}

/// The lower half of the octahedron |x| + |y| + |z| = 1 is folded over the upper one.
Eigen::Vector2d folded(const Eigen::Vector2d& p) {
  return {(1 - std::abs(p.y())) * std::copysign(1, p.x()), (1 - std::abs(p.x())) * std::copysign(1, p.y())};
}

Eigen::Vector3d normal_of(const LatticeContact& contact) {
  const Eigen::Vector2d p(contact.normal[0] / kOctahedron, contact.normal[1] / kOctahedron);
  const double z = 1 - p.cwiseAbs().sum();
  const Eigen::Vector2d xy = z < 0 ? folded(p) : p;
  return Eigen::Vector3d(xy.x(), xy.y(), z).normalized();
}

/// From which angles of tangents count: perpendicular to n and to the axis that n is farthest from.
Eigen::Vector3d first_tangent(const Eigen::Vector3d& n) {
  int axis = 0;
  n.cwiseAbs().minCoeff(&axis);
  return n.cross(Eigen::Vector3d::Unit(axis)).normalized();
}

void set_axes(LatticeContact& contact, const RecordedCone::Axes& axes, int index) {
  const double size = axes.n.lpNorm<1>();
  if (!(size > 0) || !axes.n.allFinite() || !axes.t.allFinite())
    throw InputError("frame: contact " + std::to_string(index) + " has no normal");
  Eigen::Vector2d p = axes.n.head<2>() / size;
  if (axes.n.z() < 0) p = folded(p);
  const int steps = contact.mu_t == contact.mu_b ? kCoarse : 1;
  for (int d = 0; d < 2; ++d)
    contact.normal[d] = steps * static_cast<std::int32_t>(std::lround(kOctahedron / steps * p[d]));
  if (contact.mu_t == contact.mu_b) return;  // any tangent serves
  const Eigen::Vector3d n = normal_of(contact), u = first_tangent(n);
  const double half_turns = std::atan2(axes.t.dot(n.cross(u)), axes.t.dot(u)) / M_PI;
  contact.tangent =
      static_cast<std::int32_t>(std::lround(half_turns * kTangentSteps)) & (kTangentSteps - 1);  // -t = t
}

void set_cone(LatticeContact& contact, const RecordedCone& cone, int index) {
  contact.cone = cone.axes ? ConeKind::axes : ConeKind::coefficients;
  contact.mu_t = coefficient_bits(cone.mu_t, index);
  contact.mu_b = coefficient_bits(cone.mu_b, index);
  if (cone.axes) set_axes(contact, *cone.axes, index);
}

RecordedCone cone_of(const LatticeContact& contact) {
  RecordedCone cone{from_short_bits(static_cast<std::uint32_t>(contact.mu_t)),
                    from_short_bits(static_cast<std::uint32_t>(contact.mu_b))};
  if (contact.cone != ConeKind::axes) return cone;
  const Eigen::Vector3d n = normal_of(contact), u = first_tangent(n);
  const double angle = M_PI * contact.tangent / kTangentSteps;
  cone.axes = {n, std::cos(angle) * u + std::sin(angle) * n.cross(u)};
  return cone;
}

// Columns 0 to 2 place, 3 to 5 force, 6 and 7 who touches, 8 the state; then 9 how much is known of the cone,
// 10 mu_t, 11 mu_b - mu_t, 12 and 13 the normal, 14 the tangent; then 15 beta.
int columns_of(int version) { return version >= 4 ? 16 : version >= 3 ? 15 : 9; }
constexpr int kFirstOfAxes = 12;

std::uint32_t column(const LatticeContact& contact, int index) {
  if (index < 3) return static_cast<std::uint32_t>(contact.x[index]);
  if (index < 6) return std::bit_cast<std::uint32_t>(contact.f[index - 3]);
  switch (index) {
    case 6:
      return static_cast<std::uint32_t>(contact.a);
    case 7:
      return static_cast<std::uint32_t>(contact.b);
    case 8:
      return static_cast<std::uint32_t>(contact.state);
    case 9:
      return static_cast<std::uint32_t>(contact.cone);
    case 10:
      return static_cast<std::uint32_t>(contact.mu_t);
    case 11:
      return static_cast<std::uint32_t>(contact.mu_b - contact.mu_t);
    case 14:
      return static_cast<std::uint32_t>(contact.tangent);
    case 15:
      return contact.beta;
    default:
      return static_cast<std::uint32_t>(contact.normal[index - kFirstOfAxes]);
  }
}

template <typename Kind>
Kind kind_of(std::uint32_t value, Kind last, const char* what) {
  if (value > static_cast<std::uint32_t>(last))
    throw InputError("frame: a contact has " + std::string(what) + " " + std::to_string(value) +
                     ", expected at most " + std::to_string(static_cast<int>(last)));
  return static_cast<Kind>(value);
}

void set_column(LatticeContact& contact, int index, std::uint32_t value) {
  const auto number = static_cast<std::int32_t>(value);
  if (index < 3) {
    contact.x[index] = number;
    return;
  }
  if (index < 6) {
    contact.f[index - 3] = std::bit_cast<float>(value);
    if (!std::isfinite(contact.f[index - 3])) throw InputError("frame: the force of a contact is not finite");
    return;
  }
  switch (index) {
    case 6:
      contact.a = number;
      break;
    case 7:
      contact.b = number;
      break;
    case 8:
      contact.state = kind_of(value, ContactState::slide, "state");
      break;
    case 9:
      contact.cone = kind_of(value, ConeKind::axes, "a cone of kind");
      break;
    case 10:
      contact.mu_t = number;
      break;
    case 11:
      contact.mu_b = contact.mu_t + number;
      break;
    case 14:
      contact.tangent = number;
      break;
    case 15:
      if (value > kWholeBond)
        throw InputError("frame: a contact has a bond of " + std::to_string(value) + ", expected at most " +
                         std::to_string(kWholeBond));
      contact.beta = static_cast<std::uint8_t>(value);
      break;
    default:
      contact.normal[index - kFirstOfAxes] = number;
  }
}

/// Places, names and coefficients are near those of the contact before in the list, the axes of a cone if it
/// is between the same bodies; forces, states and bonds are near nothing.
bool near_last(const LatticeContact& contact, const LatticeContact* last, int index) {
  if (!last || (index >= 3 && index < 6) || index == 8 || index == 9 || index == 15) return false;
  return index < kFirstOfAxes || (contact.a == last->a && contact.b == last->b);
}

/// Forces, kinds and bonds have no sign.
bool is_signed(int index) { return index < 3 || index == 6 || index == 7 || (index > 9 && index < 15); }

/// However weak a bond is, it is not none.
std::uint8_t bond_code(double beta, int index) {
  if (!(beta >= 0 && beta <= 1))
    throw InputError("frame: beta of contact " + std::to_string(index) + " is " + std::to_string(beta) +
                     ", expected 0 to 1");
  return static_cast<std::uint8_t>(beta > 0 ? std::max(1L, std::lround(kWholeBond * beta)) : 0);
}

}  // namespace

LatticeContact contact_to_lattice(const RecordedContact& contact, double step, int index) {
  LatticeContact result{{}, {}, contact.a, contact.b, contact.state};
  for (int d = 0; d < 3; ++d) {
    result.x[d] = lattice_coordinate(contact.x[d], step, "contact", index);
    result.f[d] = from_short_bits(short_bits(contact.f[d], "force", index));
  }
  if (contact.cone) set_cone(result, *contact.cone, index);
  result.beta = bond_code(contact.beta, index);
  return result;
}

RecordedContact contact_from_lattice(const LatticeContact& c, double step) {
  RecordedContact contact{step * Eigen::Vector3d(c.x[0], c.x[1], c.x[2]),
                          Eigen::Vector3d(c.f[0], c.f[1], c.f[2]), c.a, c.b, c.state};
  if (c.cone != ConeKind::unknown) contact.cone = cone_of(c);
  contact.beta = double(c.beta) / kWholeBond;
  return contact;
}

void put_contacts(ByteWriter& out, int version, std::span<const LatticeFrame> frames) {
  for (const LatticeFrame& frame : frames)
    out.put<std::uint32_t>(static_cast<std::uint32_t>(frame.contacts.size()));
  for (int index = 0; index < columns_of(version); ++index) {
    std::vector<std::uint32_t> values;
    const LatticeContact* last = nullptr;
    for (const LatticeFrame& frame : frames)
      for (const LatticeContact& contact : frame.contacts) {
        const std::uint32_t expected = near_last(contact, last, index) ? column(*last, index) : 0;
        const std::uint32_t value = column(contact, index) - expected;
        values.push_back(is_signed(index) ? zigzag(value) : value);
        last = &contact;
      }
    put_planes(out, values);
  }
}

std::uint64_t bytes_of_contacts(std::span<const LatticeFrame> frames) {
  std::uint64_t total = 0;
  for (const LatticeFrame& frame : frames) total += frame.contacts.size();
  return total * sizeof(RecordedContact);
}

void get_contacts(ByteReader& in, int version, std::uint64_t most_bytes, std::span<LatticeFrame> frames) {
  std::vector<std::uint32_t> counts;
  for (std::size_t f = 0; f < frames.size(); ++f) counts.push_back(in.get<std::uint32_t>());
  const auto total = std::accumulate(counts.begin(), counts.end(), std::uint64_t(0));
  if (total * sizeof(RecordedContact) > most_bytes)
    throw InputError("frame: a block names " + std::to_string(total) + " contacts, expected at most " +
                     std::to_string(most_bytes / sizeof(RecordedContact)));
  for (std::size_t f = 0; f < frames.size(); ++f) frames[f].contacts.resize(counts[f]);
  for (int index = 0; index < columns_of(version); ++index) {
    const std::vector<std::uint32_t> values = get_planes(in, total);
    std::size_t k = 0;
    const LatticeContact* last = nullptr;
    for (LatticeFrame& frame : frames)
      for (LatticeContact& contact : frame.contacts) {
        const std::uint32_t expected = near_last(contact, last, index) ? column(*last, index) : 0;
        set_column(contact, index, expected + (is_signed(index) ? unzigzag(values[k]) : values[k]));
        last = &contact;
        ++k;
      }
  }
}

}  // namespace capstan::record
