#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "capstan/errors.hpp"
#include "capstan/step/simulation.hpp"

namespace capstan {
namespace {

constexpr int kNumbersPerContact = 36;
constexpr int kNumbersPerBond = 35;
constexpr int kIdsPerContact = 13;
constexpr int kNumbersPerCourse = 20;

void append(std::vector<double>& numbers, const auto&... matrices) {
  (numbers.insert(numbers.end(), matrices.data(), matrices.data() + matrices.size()), ...);
}

void append(const Contact& c, const Eigen::Vector3d& impulse, std::vector<double>& numbers) {
  append(numbers, c.point_a, c.point_b, c.frame, c.velocity_b, impulse, c.a.local, c.b.local, c.a.weight,
         c.b.weight);
  numbers.insert(numbers.end(), {c.gap, c.a.s, c.b.s});
}

void append(const Bond& b, std::vector<double>& numbers) {
  append(numbers, b.place_a, b.place_b, b.frame, b.impulse, b.a.local, b.b.local, b.a.weight, b.b.weight);
  numbers.insert(numbers.end(), {b.thickness, b.beta, b.area, b.a.s, b.b.s});
}

void append_ids(const ContactSide& a, const ContactSide& b, std::vector<int>& ids) {
  ids.insert(ids.end(), {a.strand, a.rigid, b.strand, b.rigid, b.obstacle, a.soft, b.soft});
  ids.insert(ids.end(), a.node.begin(), a.node.end());
  ids.insert(ids.end(), b.node.begin(), b.node.end());
}

void set_ids(const int* ids, ContactSide& a, ContactSide& b) {
  a.strand = ids[0];
  a.rigid = ids[1];
  b.strand = ids[2];
  b.rigid = ids[3];
  b.obstacle = ids[4];
  a.soft = ids[5];
  b.soft = ids[6];
  std::copy_n(ids + 7, 3, a.node.begin());
  std::copy_n(ids + 10, 3, b.node.begin());
}

/// Takes matrices from a row of numbers, in the order in which they were appended.
class Numbers {
 public:
  explicit Numbers(const double* first) : next_(first) {}
  template <class Matrix>
  void take(Matrix& matrix) {
    matrix = Eigen::Map<const Matrix>(next_);
    next_ += matrix.size();
  }
  double take() { return *next_++; }

 private:
  const double* next_;
};

void take_places(Numbers& row, ContactSide& a, ContactSide& b) {
  row.take(a.local);
  row.take(b.local);
  row.take(a.weight);
  row.take(b.weight);
}

Contact contact_from(const double* numbers, const int* ids, Eigen::Vector3d& impulse) {
  Contact c;
  set_ids(ids, c.a, c.b);
  Numbers row(numbers);
  row.take(c.point_a);
  row.take(c.point_b);
  row.take(c.frame);
  row.take(c.velocity_b);
  row.take(impulse);
  take_places(row, c.a, c.b);
  c.gap = row.take();
  c.a.s = row.take();
  c.b.s = row.take();
  return c;
}

Bond bond_from(const double* numbers, const int* ids) {
  Bond b;
  set_ids(ids, b.a, b.b);
  Numbers row(numbers);
  row.take(b.place_a);
  row.take(b.place_b);
  row.take(b.frame);
  row.take(b.impulse);
  take_places(row, b.a, b.b);
  b.thickness = row.take();
  b.beta = row.take();
  b.area = row.take();
  b.a.s = row.take();
  b.b.s = row.take();
  return b;
}

/// Whether the indices of a side name something of this world, and nothing that it does not have.
bool is_in_world(const World& world, const ContactSide& side) {
  const auto none_or_below = [](int index, std::size_t size) {
    return index >= -1 && index < static_cast<int>(size);
  };
  if (!none_or_below(side.strand, world.strands.size()) || !none_or_below(side.rigid, world.rigid.size()) ||
      !none_or_below(side.soft, world.soft.size()) || !none_or_below(side.obstacle, world.obstacles.size()))
    return false;
  const std::size_t nodes =
      side.soft >= 0 ? static_cast<std::size_t>(world.soft[side.soft].body->nodes()) : 0;
  for (const int node : side.node)
    if (!none_or_below(node, nodes)) return false;
  return side.strand >= 0 || side.rigid >= 0 || side.obstacle >= 0 || (side.soft >= 0 && side.node[0] >= 0);
}

void append(const Course& c, std::vector<double>& numbers) {
  numbers.insert(numbers.end(), {c.start, c.end});
  append(numbers, c.from.x, c.from.R, c.twist.linear, c.twist.angular);
}

Course course_from(const double* numbers) {
  Course c;
  Numbers row(numbers);
  c.start = row.take();
  c.end = row.take();
  row.take(c.from.x);
  row.take(c.from.R);
  row.take(c.twist.linear);
  row.take(c.twist.angular);
  return c;
}

}  // namespace

Simulation::State Simulation::state() const {
  State result;
  result.t = t_;
  result.dt = dt_;
  result.dt_used = dt_used_;
  result.steps = steps_;
  result.work = budget_.memory();
  result.futile_steps = futile_steps_;
  result.patient_steps = patient_steps_;
  for (int k = 0; k < world_.bodies(); ++k) {
    const std::vector<double> one = world_.body(k).state();
    result.body_sizes.push_back(static_cast<int>(one.size()));
    result.bodies.insert(result.bodies.end(), one.begin(), one.end());
  }
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    append(contacts_[i], impulses_[i], result.contacts);
    append_ids(contacts_[i].a, contacts_[i].b, result.contact_ids);
  }
  for (const Bond& bond : bonds_) {
    append(bond, result.bonds);
    append_ids(bond.a, bond.b, result.bond_ids);
  }
  const std::vector<const Motion*> motions = world_.scripted();
  for (std::size_t k = 0; k < motions.size(); ++k)
    if (const auto course = motions[k]->course()) {
      append(*course, result.courses);
      result.course_ids.push_back(static_cast<int>(k));
    }
  return result;
}

void Simulation::set_state(const State& state) {
  const auto refuse = [](const std::string& what) {
    throw InputError("state: " + what + " does not fit this world");
  };
  if (static_cast<int>(state.body_sizes.size()) != world_.bodies()) refuse("number of bodies");
  if (!std::isfinite(state.t) || !(state.dt > 0) || !std::isfinite(state.dt) || state.steps < 0)
    refuse("time");
  if (!(state.work.recent_work >= 0) || !(state.work.trust > 0) || state.futile_steps < 0 ||
      state.patient_steps < 0)
    refuse("what recent steps cost");
  if (state.contacts.size() / kNumbersPerContact != state.contact_ids.size() / kIdsPerContact ||
      state.contacts.size() % kNumbersPerContact != 0 || state.contact_ids.size() % kIdsPerContact != 0)
    refuse("number of contacts");
  const std::size_t bonds = state.bond_ids.size() / kIdsPerContact;
  if (state.bonds.size() != bonds * kNumbersPerBond || state.bond_ids.size() != bonds * kIdsPerContact)
    refuse("number of bonds");
  const std::vector<const Motion*> motions = world_.scripted();
  const auto is_there = [&](int id) { return id >= 0 && id < static_cast<int>(motions.size()); };
  if (state.courses.size() != state.course_ids.size() * kNumbersPerCourse ||
      !std::all_of(state.course_ids.begin(), state.course_ids.end(), is_there))
    refuse("what is steered");
  std::size_t at = 0;
  for (int k = 0; k < world_.bodies(); ++k) {
    const auto size = static_cast<std::size_t>(state.body_sizes[k]);
    if (state.body_sizes[k] < 0 || size > state.bodies.size() - at) refuse("size of the bodies");
    world_.body(k).set_state(std::span(state.bodies).subspan(at, size));
    at += size;
  }
  contacts_.clear();
  impulses_.clear();
  for (std::size_t i = 0; i < state.contact_ids.size() / kIdsPerContact; ++i) {
    Eigen::Vector3d impulse;
    contacts_.push_back(contact_from(state.contacts.data() + i * kNumbersPerContact,
                                     state.contact_ids.data() + kIdsPerContact * i, impulse));
    if (!is_in_world(world_, contacts_.back().a) || !is_in_world(world_, contacts_.back().b))
      refuse("what contact " + std::to_string(i) + " touches");
    impulses_.push_back(impulse);
  }
  certificate_ = {};
  contact_friction_.clear();
  contact_intensity_.clear();
  bonds_.clear();
  for (std::size_t i = 0; i < bonds; ++i)
    bonds_.push_back(
        bond_from(state.bonds.data() + i * kNumbersPerBond, state.bond_ids.data() + kIdsPerContact * i));
  for (const Bond& bond : bonds_)
    if (!is_in_world(world_, bond.a) || !is_in_world(world_, bond.b)) refuse("what is bonded");
  for (const Motion* motion : motions)
    if (motion->is_steerable()) motion->steer(std::nullopt);
  for (std::size_t i = 0; i < state.course_ids.size(); ++i)
    motions[state.course_ids[i]]->steer(course_from(state.courses.data() + i * kNumbersPerCourse));
  t_ = state.t;
  dt_ = state.dt;
  dt_used_ = state.dt_used;
  steps_ = state.steps;
  budget_.set_memory(state.work);
  futile_steps_ = state.futile_steps;
  patient_steps_ = state.patient_steps;
  finder_.measure_velocities(world_);
}

}  // namespace capstan
