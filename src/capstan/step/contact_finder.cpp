#include "capstan/step/contact_finder.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>

#include "capstan/collide/rigid_contacts.hpp"

namespace capstan {
namespace {

// Contacts that may close in a step are wanted before they do. Margins are parts of the radius.
constexpr double kStillMargin = 0.1;
constexpr double kLargestMargin = 2;  // between strands, where most of what is near moves along
constexpr double kSurprise = 1.5;     // times the approach at the start of the step
constexpr double kUnseen = 0.15;      // of both radii: what impulses elsewhere may close or overlap
constexpr int kStrandsAtATime = 8;

constexpr double kRigidMargin = 0.02;  // of the smaller of the balls around two bodies
constexpr double kSoftMargin = 0.25;   // of the radius of a soft surface
constexpr double kMoment = 1e-6;       // s, too short for anything to come closer
constexpr double kLeastFree = 0.1;     // of a place between held nodes: with less, the free ones are a lever

double mean_edge(const SoftSurface& surface) {
  double sum = 0;
  for (const auto& [a, b] : surface.edges) sum += (surface.rest[a] - surface.rest[b]).norm();
  return sum / static_cast<double>(std::max<std::size_t>(surface.edges.size(), 1));
}

/// Of a ball around all nodes of the rest shape.
double radius_at_rest(const SoftSurface& surface) {
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();
  for (const Eigen::Vector3d& x : surface.rest) middle += x / static_cast<double>(surface.rest.size());
  double radius = 0;
  for (const Eigen::Vector3d& x : surface.rest) radius = std::max(radius, (x - middle).norm());
  return radius;
}

CollisionScene collision_scene_of(const World& world) {
  CollisionScene scene;
  for (const WorldStrand& strand : world.strands) {
    std::vector<Eigen::Vector3d> nodes;
    for (const double s : strand.collision_s) nodes.push_back(strand.body->position(s));
    scene.add_strand(strand.collision, nodes, strand.collision_s);
  }
  for (const WorldRigid& rigid : world.rigid) scene.rigid_radius.push_back(rigid.solid.bounding_radius());
  for (const WorldSoft& soft : world.soft) scene.soft_edge.push_back(mean_edge(soft.surface));
  return scene;
}

/// What impulses can move of a place: of a soft body the weights of nodes that are not held.
double free_part(const World& world, const ContactSide& side) {
  if (side.soft < 0) return side.obstacle < 0 ? 1 : 0;
  double sum = 0;
  for (int k = 0; k < 3; ++k)
    if (side.node[k] >= 0 && !world.soft[side.soft].body->is_held(side.node[k])) sum += side.weight[k];
  return sum;
}

/// Whether a side is free. Held nodes go where they are told, also through each other.
bool is_movable(const World& world, const Contact& contact) {
  return free_part(world, contact.a) >= kLeastFree || free_part(world, contact.b) >= kLeastFree;
}

/// Of both strands.
double radii_of(const World& world, const Contact& contact) {
  return world.strands[contact.a.strand].collision.radius + world.strands[contact.b.strand].collision.radius;
}

}  // namespace

std::vector<Eigen::Vector3d> strand_nodes_of(const World& world, const CollisionScene& scene,
                                             const Executor& executor) {
  std::vector<Eigen::Vector3d> nodes(scene.x.size());
  for_each_chunk(
      executor, static_cast<int>(world.strands.size()),
      [&](int first, int last) {
        for (int k = first; k < last; ++k) {
          const WorldStrand& strand = world.strands[k];
          Eigen::Vector3d* const first_node = nodes.data() + scene.strands[k].first_node;
          for (std::size_t n = 0; n < strand.collision_s.size(); ++n)
            first_node[n] = strand.body->position(strand.collision_s[n]);
        }
      },
      kStrandsAtATime);
  return nodes;
}

ContactFinder::ContactFinder(const World& world, const DetectOptions& options, const Executor& executor)
    : options_(options), executor_(executor), scene_(collision_scene_of(world)) {
  for (const WorldSoft& soft : world.soft) {
    soft_.push_back(soft.surface);
    soft_radius_.push_back(radius_at_rest(soft.surface));
  }
  measure_velocities(world);
}

double ContactFinder::farthest_move(const EndOfStep& end) const {
  double farthest = 0;
  for (int k = 0; k < static_cast<int>(scene_.strands.size()); ++k)
    farthest = std::max(farthest, farthest_move(end, k));
  return farthest;
}

double ContactFinder::farthest_move(const EndOfStep& end, int strand) const {
  const CollisionStrand& nodes = scene_.strands[strand];
  double squared = 0;
  for (int n = nodes.first_node; n < nodes.first_node + nodes.nodes; ++n)
    squared = std::max(squared, (end.strand_nodes[n] - scene_.x[n]).squaredNorm());
  return std::sqrt(squared) / size(strand);
}

void ContactFinder::measure_velocities(const World& world) {
  node_velocity_.resize(scene_.x.size());
  speed_.resize(world.bodies());
  for_each_chunk(
      executor_, static_cast<int>(world.strands.size()),
      [&](int first, int last) {
        for (int k = first; k < last; ++k) {
          const WorldStrand& strand = world.strands[k];
          speed_[k] = 0;
          for (std::size_t n = 0; n < strand.collision_s.size(); ++n) {
            Eigen::Vector3d& v = node_velocity_[scene_.strands[k].first_node + n];
            v = strand.body->velocity(strand.collision_s[n]);
            speed_[k] = std::max(speed_[k], v.norm());
          }
        }
      },
      kStrandsAtATime);
  for (std::size_t k = 0; k < world.rigid.size(); ++k) {
    const Twist twist = world.rigid[k].body->twist();
    speed_[world.strands.size() + k] = twist.linear.norm() + twist.angular.norm() * scene_.rigid_radius[k];
  }
  const std::size_t first_soft = world.strands.size() + world.rigid.size();
  for (std::size_t k = 0; k < world.soft.size(); ++k)
    speed_[first_soft + k] = world.soft[k].body->velocities().colwise().norm().maxCoeff();
}

double ContactFinder::size(int body) const {
  const int strands = static_cast<int>(scene_.strands.size());
  const int rigid = static_cast<int>(scene_.rigid_radius.size());
  if (body < strands) return scene_.mean_capsule_length(body);
  return body < strands + rigid ? scene_.rigid_radius[body - strands] : soft_radius_[body - strands - rigid];
}

std::vector<Contact> ContactFinder::find(const World& world, double t, double dt,
                                         std::vector<Contact>& aside) {
  place_strands(world, dt);
  place_solids(world, t, dt);
  place_soft(world);
  return all_near(world, dt, aside);
}

std::vector<Contact> ContactFinder::overlaps(const World& world, double t,
                                             std::span<const Eigen::Matrix3Xd> soft_positions) {
  place_strands(world, kMoment);
  place_solids(world, t, kMoment);
  place_soft(world);
  for (std::size_t k = 0; k < soft_positions.size(); ++k) soft_[k].x = soft_positions[k];
  for (SoftSurface& surface : soft_) surface.margin = 0;
  std::vector<Contact> aside, found = all_near(world, kMoment, aside);
  std::erase_if(found, [](const Contact& contact) { return !(contact.gap < 0); });
  return found;
}

/// Detection in the scene that has been placed.
std::vector<Contact> ContactFinder::all_near(const World& world, double dt, std::vector<Contact>& aside) {
  std::vector<Contact> contacts;
  sort_out(world, dt, between_strands(world), contacts, aside);
  for (const auto& more : {strands_with_solids(world), between_rigid_bodies(world, dt), with_soft(world, dt)})
    contacts.insert(contacts.end(), more.begin(), more.end());
  return contacts;
}

/// Those that may close in the step, and the others.
void ContactFinder::sort_out(const World& world, double dt, const std::vector<Contact>& near,
                             std::vector<Contact>& closing, std::vector<Contact>& others) const {
  std::vector<char> closes(near.size());
  for_each_chunk(executor_, static_cast<int>(near.size()), [&](int first, int last) {
    for (int i = first; i < last; ++i) closes[i] = may_close(world, near[i], dt);
  });
  const auto count = static_cast<std::size_t>(std::count(closes.begin(), closes.end(), char(1)));
  closing.reserve(count);
  others.reserve(near.size() - count);
  for (std::size_t i = 0; i < near.size(); ++i) (closes[i] ? closing : others).push_back(near[i]);
}

void ContactFinder::place_strands(const World& world, double dt) {
  reach_.resize(world.bodies());
  for (int k = 0; k < world.bodies(); ++k) reach_[k] = dt * (speed_[k] + dt * world.gravity.norm());
  scene_.x = strand_nodes_of(world, scene_, executor_);
}

/// Obstacles, then rigid bodies.
void ContactFinder::place_solids(const World& world, double t, double dt) {
  scene_.obstacles.clear();
  for (const Obstacle& obstacle : world.obstacles) scene_.obstacles.push_back(place(obstacle, t, dt));
  for (const WorldRigid& rigid : world.rigid) {
    const Frame pose = rigid.body->frame();
    const Twist twist{rigid.body->velocity(pose.x), rigid.body->twist().angular};
    scene_.obstacles.push_back({rigid.solid.shape(), pose, twist, dt});
  }
}

std::vector<Contact> ContactFinder::between_strands(const World& world) {
  for (CollisionStrand& strand : scene_.strands) {
    const double reach = reach_[&strand - scene_.strands.data()];
    strand.margin =
        kStillMargin * strand.radius + std::min(reach, kLargestMargin * strand.radius) + largest_sag(strand);
  }
  std::vector<Contact> contacts = detect_between_strands(scene_, options_, executor_);
  put_on_curves(world, contacts);
  return contacts;
}

/// A solid has one surface, so contacts that never close are few: nothing may fall into it in one step.
std::vector<Contact> ContactFinder::strands_with_solids(const World& world) {
  for (CollisionStrand& strand : scene_.strands)
    strand.margin =
        kStillMargin * strand.radius + reach_[&strand - scene_.strands.data()] + largest_sag(strand);
  std::vector<Contact> contacts = detect_with_obstacles(scene_, options_, executor_);
  const int obstacles = static_cast<int>(world.obstacles.size());
  for (Contact& contact : contacts) {
    if (contact.b.obstacle < obstacles) continue;
    contact.b.rigid = contact.b.obstacle - obstacles;
    contact.b.obstacle = -1;
  }
  put_on_curves(world, contacts);
  return contacts;
}

/// Returns how far a strand is from its chords, m: of an arc of length L whose chord is c, the sagitta is
/// sqrt(3/8 L (L - c)) to first order.
double ContactFinder::largest_sag(const CollisionStrand& strand) const {
  double largest = 0;
  for (int i = strand.first_node; i + 1 < strand.first_node + strand.nodes; ++i) {
    const double length = scene_.capsule_length(i), chord = (scene_.x[i + 1] - scene_.x[i]).norm();
    largest = std::max(largest, length * (length - chord));
  }
  return std::sqrt(0.375 * largest);
}

/// From the chords of the strands to where they truly are.
void ContactFinder::put_on_curves(const World& world, std::vector<Contact>& contacts) const {
  for_each_chunk(executor_, static_cast<int>(contacts.size()), [&](int first, int last) {
    for (int i = first; i < last; ++i) {
      Contact& c = contacts[i];
      const Eigen::Vector3d a = world.strands[c.a.strand].body->position(c.a.s);
      c = on_curves(c, a, c.b.strand >= 0 ? world.strands[c.b.strand].body->position(c.b.s) : c.point_b);
    }
  });
}

std::vector<Contact> ContactFinder::between_rigid_bodies(const World& world, double dt) const {
  if (world.rigid.empty()) return {};
  const std::size_t strands = world.strands.size(), obstacles = world.obstacles.size();
  std::vector<RigidCollider> bodies, fixed;
  for (std::size_t k = 0; k < world.rigid.size(); ++k) {
    const double margin = kRigidMargin * scene_.rigid_radius[k] + reach_[strands + k];
    bodies.push_back({&world.rigid[k].solid, scene_.obstacles[obstacles + k].pose, margin});
  }
  std::vector<int> obstacle_of;
  for (std::size_t k = 0; k < obstacles; ++k) {
    const std::optional<Solid>& solid = world.obstacles[k].solid;
    if (!solid) continue;
    const PlacedObstacle& placed = scene_.obstacles[k];
    const double radius = solid->bounded() ? solid->bounding_radius() : 0;
    const double reach = dt * (placed.twist.linear.norm() + placed.twist.angular.norm() * radius);
    fixed.push_back({&*solid, placed.pose, reach});
    obstacle_of.push_back(static_cast<int>(k));
  }
  std::vector<Contact> contacts;
  for (const RigidPair& pair : detect_between_rigid(bodies, fixed, executor_))
    for (const ManifoldPoint& point : pair.points) {
      Contact contact;
      contact.a.rigid = pair.a;
      contact.a.local = bodies[pair.a].pose.apply_inverse(point.on_a);
      contact.point_a = point.on_a;
      contact.point_b = point.on_b;
      contact.frame = contact_frame(point.n, Eigen::Vector3d::UnitX(), Eigen::Vector3d::UnitY());
      contact.gap = point.gap;
      if (pair.fixed()) {
        contact.b.obstacle = obstacle_of[pair.fixed_index()];
        const PlacedObstacle& placed = scene_.obstacles[contact.b.obstacle];
        contact.velocity_b = placed.twist.at(contact.point_b, placed.pose.x);
        contact.spin_b = placed.twist.angular.dot(point.n);
      } else {
        contact.b.rigid = pair.b;
      }
      if (rigid_may_close(world, contact, dt)) contacts.push_back(contact);
    }
  return contacts;
}

void ContactFinder::place_soft(const World& world) {
  const std::size_t first = world.strands.size() + world.rigid.size();
  for (std::size_t k = 0; k < soft_.size(); ++k) {
    soft_[k].x = world.soft[k].body->positions();
    soft_[k].v = world.soft[k].body->velocities();
    soft_[k].margin = kSoftMargin * soft_[k].radius + kSurprise * reach_[first + k];
  }
}

/// Soft surfaces with each other, with solids and with strands, whose margins are those of solids still.
std::vector<Contact> ContactFinder::with_soft(const World& world, double dt) const {
  if (soft_.empty()) return {};
  std::vector<PlacedObstacle> solids = scene_.obstacles;
  std::vector<SoftSurface> wide = soft_;  // as far as the fastest rigid body comes
  double reach = 0;
  for (std::size_t k = 0; k < world.rigid.size(); ++k)
    reach = std::max(reach, reach_[world.strands.size() + k]);
  for (SoftSurface& surface : wide) surface.margin += kSurprise * reach;
  std::vector<Contact> contacts;
  for (const auto& found :
       {detect_between_soft(soft_, executor_),
        detect_soft_with_solids(wide, solids, static_cast<int>(world.obstacles.size()), executor_),
        detect_strands_with_soft(scene_, soft_, executor_)})
    for (const Contact& contact : found)
      if (is_movable(world, contact) && soft_may_close(world, contact, dt)) contacts.push_back(contact);
  return contacts;
}

std::vector<Contact> ContactFinder::crossed_by(const World& world, const EndOfStep& end, double dt) const {
  const int obstacles = static_cast<int>(world.obstacles.size());
  std::vector<MovingSolid> solids;
  for (std::size_t k = 0; k < scene_.obstacles.size(); ++k) {
    const Solid* solid = nullptr;
    if (k >= world.obstacles.size())
      solid = &world.rigid[k - world.obstacles.size()].solid;
    else if (world.obstacles[k].solid)
      solid = &*world.obstacles[k].solid;
    solids.emplace_back(scene_.obstacles[k].shape, solid, scene_.obstacles[k].pose, end.solids[k]);
  }
  std::vector<Eigen::Matrix3Xd> moves;
  for (const Eigen::Matrix3Xd& velocities : end.soft_velocities) moves.push_back(dt * velocities);
  std::vector<Contact> all;
  const auto add = [&](const std::vector<Contact>& found) {
    all.insert(all.end(), found.begin(), found.end());
  };
  add(strand_crossings(scene_, end.strand_nodes, executor_));
  add(strand_solid_crossings(scene_, end.strand_nodes, solids, obstacles, executor_));
  add(rigid_crossings(solids, obstacles, executor_));
  if (!soft_.empty()) {
    add(crossings(soft_, end.soft_velocities, dt, executor_));
    add(strand_soft_crossings(scene_, end.strand_nodes, soft_, moves, executor_));
    add(soft_solid_crossings(soft_, moves, solids, obstacles, executor_));
  }
  std::erase_if(all, [&](const Contact& contact) { return !is_movable(world, contact); });
  return all;
}

void ContactFinder::complete(const World& world, Contact& c) const {
  if (c.a.strand >= 0) {
    const Eigen::Vector3d a = world.strands[c.a.strand].body->position(c.a.s);
    c = on_curves(c, a, c.b.strand >= 0 ? world.strands[c.b.strand].body->position(c.b.s) : c.point_b);
  }
  if (c.b.obstacle < 0) return;
  const PlacedObstacle& placed = scene_.obstacles[c.b.obstacle];
  c.velocity_b = placed.twist.at(c.point_b, placed.pose.x);
  c.spin_b = placed.twist.angular.dot(c.frame.col(0));
}

Contact ContactFinder::as_of_start(const World& world, const EndOfStep& end, const Contact& at_end) const {
  Contact contact = at_end;
  contact.point_a = point_at_start(world, end, contact.a, at_end.point_a);
  contact.point_b = point_at_start(world, end, contact.b, at_end.point_b);
  const Eigen::Vector3d moved_a = at_end.point_a - contact.point_a,
                        moved_b = at_end.point_b - contact.point_b;
  contact.gap -= contact.frame.col(0).dot(moved_a - moved_b);
  complete(world, contact);
  return contact;
}

/// All bodies are where they were at the last find().
Eigen::Vector3d ContactFinder::point_at_start(const World& world, const EndOfStep& end,
                                              const ContactSide& side, const Eigen::Vector3d& point) const {
  if (side.strand >= 0) return world.strands[side.strand].body->position(side.s);
  if (side.soft >= 0) return world.soft[side.soft].body->position(side.node, side.weight);
  const std::size_t solid = side.rigid >= 0 ? world.obstacles.size() + side.rigid : side.obstacle;
  return scene_.obstacles[solid].pose.apply(end.solids[solid].apply_inverse(point));
}

/// Whether two strands may touch before the step is over: what is near but moves along does not count.
bool ContactFinder::may_close(const World& world, const Contact& contact, double dt) const {
  const Eigen::Vector3d relative = velocity_of(world, contact.a) - velocity_of(world, contact.b);
  const double approach = std::max(-dt * relative.dot(contact.frame.col(0)), 0.0);
  return contact.gap < kUnseen * radii_of(world, contact) + kSurprise * approach;
}

/// Whether two solids may touch before the step is over.
bool ContactFinder::rigid_may_close(const World& world, const Contact& contact, double dt) const {
  const RigidBody& a = *world.rigid[contact.a.rigid].body;
  const bool fixed = contact.b.rigid < 0;
  const Eigen::Vector3d velocity_b =
      fixed ? contact.velocity_b : world.rigid[contact.b.rigid].body->velocity(contact.point_b);
  const double approach = -dt * (a.velocity(contact.point_a) - velocity_b).dot(contact.frame.col(0));
  double size = scene_.rigid_radius[contact.a.rigid];
  if (!fixed) size = std::min(size, scene_.rigid_radius[contact.b.rigid]);
  return contact.gap <
         kRigidMargin * size + kSurprise * std::max(approach, 0.0) + dt * dt * world.gravity.norm();
}

bool ContactFinder::soft_may_close(const World& world, const Contact& contact, double dt) const {
  const auto velocity = [&](const ContactSide& side, const Eigen::Vector3d& point) -> Eigen::Vector3d {
    if (side.strand >= 0) return velocity_of(world, side);
    if (side.soft >= 0) return weighted_sum(soft_[side.soft].v, side.node, side.weight);
    return side.rigid >= 0 ? world.rigid[side.rigid].body->velocity(point) : contact.velocity_b;
  };
  const Eigen::Vector3d relative =
      velocity(contact.a, contact.point_a) - velocity(contact.b, contact.point_b);
  const double approach = -dt * relative.dot(contact.frame.col(0));
  const double radius = soft_[contact.a.soft >= 0 ? contact.a.soft : contact.b.soft].radius;
  return contact.gap <
         kSoftMargin * radius + kSurprise * std::max(approach, 0.0) + dt * dt * world.gravity.norm();
}

/// Of those set aside, what the velocities found so far would make overlap by more than is undone unnoticed.
std::vector<Contact> ContactFinder::closed_by(const World& world, const Eigen::VectorXd& v, double dt,
                                              const std::vector<Contact>& aside) const {
  const std::vector<int> start = world.dof_starts();
  const auto velocity = [&](const ContactSide& side) -> Eigen::Vector3d {
    const Strand& body = *world.strands[side.strand].body;
    const PointMotion motion = body.point_motion(side.s);
    return motion.J * v.segment(start[side.strand], body.dofs()) + motion.free_velocity;
  };
  std::vector<char> overlaps(aside.size());
  for_each_chunk(executor_, static_cast<int>(aside.size()), [&](int first, int last) {
    for (int i = first; i < last; ++i) {
      const Contact& c = aside[i];
      const double opening = (velocity(c.a) - velocity(c.b)).dot(c.frame.col(0));
      overlaps[i] = c.gap + dt * opening < -kUnseen * radii_of(world, c);
    }
  });
  std::vector<Contact> closed;
  for (std::size_t i = 0; i < aside.size(); ++i)
    if (overlaps[i]) closed.push_back(aside[i]);
  return closed;
}

/// Of a point of the centreline, between the velocities of the nodes beside it.
Eigen::Vector3d ContactFinder::velocity_of(const World& world, const ContactSide& side) const {
  const std::vector<double>& at = world.strands[side.strand].collision_s;
  const auto after = std::clamp<std::ptrdiff_t>(std::upper_bound(at.begin(), at.end(), side.s) - at.begin(),
                                                1, static_cast<std::ptrdiff_t>(at.size()) - 1);
  const double fraction = (side.s - at[after - 1]) / (at[after] - at[after - 1]);
  const Eigen::Vector3d* const v = node_velocity_.data() + scene_.strands[side.strand].first_node + after - 1;
  return v[0] + fraction * (v[1] - v[0]);
}

}  // namespace capstan
