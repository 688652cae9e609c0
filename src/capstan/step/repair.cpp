#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "capstan/step/attempt.hpp"
#include "capstan/step/stopwatch.hpp"

namespace capstan {
namespace {

constexpr int kCrossingRounds = 5;           // what stops here may push something through there
constexpr int kOverlapRounds = 3;            // the same where things only overlap
constexpr double kNegligibleChange = 0.005;  // of the thickness, by which a repair moves the end of a step
constexpr double kHarmlessApproach = 0.25;   // of the least passage: nothing passes through anything
constexpr double kNegligibleMiss = 0.003;    // of the thickness, by which a place may miss what is allowed
constexpr double kGain = 0.7;  // a round that leaves more than this of the misses is the last one

constexpr int kHoldPasses = 6;        // each may find what those held before stand in the way of
constexpr double kLeastGained = 0.4;  // of a push, when the next one is chosen

constexpr double kSamePlace = 0.2;     // part of the thickness
constexpr double kSameNormal = 0.995;  // cosine

/// Returns whether two contacts are between the same features, or the same points with the same normal: to
/// have both says nothing more.
bool is_same(const Contact& one, const Contact& other, double thickness) {
  const auto bodies = [](const Contact& c) {
    return std::tuple(c.a.strand, c.a.rigid, c.a.soft, c.b.strand, c.b.rigid, c.b.soft, c.b.obstacle);
  };
  if (bodies(one) != bodies(other)) return false;
  if (one.a.soft >= 0 && one.b.soft >= 0) return one.a.node == other.a.node && one.b.node == other.b.node;
  const double near = kSamePlace * thickness;
  return (one.point_a - other.point_a).norm() < near && (one.point_b - other.point_b).norm() < near &&
         one.frame.col(0).dot(other.frame.col(0)) > kSameNormal;
}

/// Contacts, to be asked for one of the same features.
class ContactsByBody {
 public:
  ContactsByBody(const World& world, const std::vector<Contact>& contacts)
      : world_(world), contacts_(contacts) {
    for (std::size_t i = 0; i < contacts.size(); ++i)
      by_body_.emplace(world.body_of(contacts[i].a), static_cast<int>(i));
  }

  /// Returns the index of the first contact that is the same; -1: there is none.
  int find(const Contact& contact, double thickness) const {
    const auto [first, last] = by_body_.equal_range(world_.body_of(contact.a));
    const auto same = std::find_if(
        first, last, [&](const auto& one) { return is_same(contact, contacts_[one.second], thickness); });
    return same == last ? -1 : same->second;
  }

 private:
  const World& world_;
  const std::vector<Contact>& contacts_;
  std::multimap<int, int> by_body_;
};

/// Returns by how much more a contact has to keep its distance. The way of a body is not as straight as its
/// contacts see it: what the last push has gained tells how much the next one will.
double push(Repair& repair, double miss) {
  const double gained = repair.pushed > 0 ? (repair.miss - miss) / repair.pushed : 1;
  repair = {miss, miss / std::clamp(gained, kLeastGained, 1.0)};
  return repair.pushed;
}

/// Marks the bodies of contacts that can be held: strands, and from the second pass on rigid bodies. Returns
/// whether there are new ones.
bool mark(const World& world, const std::vector<Contact>& contacts, bool also_rigid,
          std::vector<char>& held) {
  bool any = false;
  for (const Contact& contact : contacts)
    for (const ContactSide& side : {contact.a, contact.b}) {
      if (side.strand < 0 && !(also_rigid && side.rigid >= 0)) continue;
      char& mark = held[world.body_of(side)];
      any = any || !mark;
      mark = 1;
    }
  return any;
}

}  // namespace

/// Returns the places that overlap at the end of the step by more than is allowed, as contacts of that
/// moment.
std::vector<Contact> Simulation::too_deep(const EndOfStep& end, double dt) {
  std::vector<Eigen::Matrix3Xd> soft_positions;
  for (std::size_t k = 0; k < end.soft_velocities.size(); ++k)
    soft_positions.push_back(world_.soft[k].body->positions() + dt * end.soft_velocities[k]);
  std::vector<Contact> overlaps = end_finder_.overlaps(world_, t_ + dt, soft_positions);
  std::erase_if(overlaps, [&](const Contact& contact) {
    return -contact.gap <= options_.repaired_overlap * thickness_at(contact);
  });
  return overlaps;
}

/// Looks at the whole way of the step and at its end. Things that would pass through each other, or overlap
/// by more than is allowed, get contacts for it, or keep more distance at those that they have, and the step
/// is solved again: from the start of the step, contacts see its motion linearised. An end that a repair has
/// hardly moved is not looked at again.
void Simulation::repair(double dt, bool may_shrink, Attempt& attempt) {
  EndOfStep last;
  bool has_added = false;  // contacts that may not see yet how the way bends
  for (int round = 0;; ++round) {
    if (may_shrink && attempt.report.status != Status::converged) return;  // the step is repeated anyway
    Stopwatch watch;
    StepReport& report = attempt.report;
    move_strands_and_rigid(attempt);
    EndOfStep end = end_of_step(attempt);
    report.farthest_move = finder_.farthest_move(end);
    if (round > 0 && !has_added && difference(last, end, dt) < kNegligibleChange) return;
    const double approach = 2 * farthest_way(end, attempt);  // of any two points, at most
    std::vector<Contact> crossings, overlaps;
    if (approach > kHarmlessApproach * least_passage_) crossings = finder_.crossed_by(world_, end, dt);
    const bool may_sink = report.penetration_ratio + approach / thinnest_ > options_.repaired_overlap;
    if (round > 0 || may_sink) overlaps = too_deep(end, dt);
    report.crossings = static_cast<int>(crossings.size());
    report.seconds_detect += watch.lap();
    const int rounds = crossings.empty() ? kOverlapRounds : kCrossingRounds;
    if (overlaps.empty()) report.overlap_left = 0;
    if ((crossings.empty() && overlaps.empty()) || round == rounds) return;
    move_back(attempt);
    std::vector<Contact> added = crossings;
    for (Contact& contact : added) finder_.complete(world_, contact);
    const bool turned = turn_round(added, attempt);
    report.repaired_crossings += report.crossings;
    const double left_before = round > 0 ? report.overlap_left : std::numeric_limits<double>::infinity();
    report.overlap_left = repair_overlaps(end, overlaps, attempt, added);
    remove_known(attempt.contacts, added);
    if (added.empty() && report.overlap_left == 0 && !turned) return;
    if (crossings.empty() && !has_added && report.overlap_left > kGain * left_before) return;
    for (Contact& contact : added)
      contact.area = 0;  // they hold things apart in this step, and stick to nothing
    has_added = !added.empty();
    solve_again(dt, may_shrink, added, attempt);
    last = std::move(end);
  }
}

/// The last resort, where neither repairs nor shorter steps keep things from passing through each other: what
/// would pass stays where it is in this step, and comes to rest; so do strands that leap. That loses
/// momentum, and the step is not called converged. What passes all the same, because an obstacle is led
/// through it, is reported as a crossing.
void Simulation::hold_what_crosses(Attempt& attempt, StepReport& report) {
  const std::vector<int> start = world_.dof_starts();
  std::vector<char> held(world_.bodies(), 0);
  for (int pass = 0; pass < kHoldPasses; ++pass) {
    move_strands_and_rigid(attempt);
    const EndOfStep end = end_of_step(attempt);
    std::vector<Contact> through = finder_.crossed_by(world_, end, report.dt);
    report.crossings = static_cast<int>(through.size());
    for (const Contact& contact : too_deep(end, report.dt)) {
      const double thickness = thickness_at(contact);
      const double before = -finder_.as_of_start(world_, end, contact).gap;
      if (-contact.gap > kHalfThrough * thickness && -contact.gap > before) through.push_back(contact);
    }
    bool any = mark(world_, through, pass > 0, held);
    for (std::size_t k = 0; k < world_.strands.size(); ++k) {
      if (held[k] || finder_.farthest_move(end, static_cast<int>(k)) <= kFarthestMove) continue;
      held[k] = 1;
      any = true;
    }
    if (!any) return;
    move_back(attempt);
    for (int k = 0; k < world_.bodies(); ++k)
      if (held[k]) attempt.solution.v.segment(start[k], start[k + 1] - start[k]).setZero();
    report.held = static_cast<int>(std::count(held.begin(), held.end(), 1));
    report.status = Status::stalled;
  }
}

/// Returns how far any point moves in the step at most, m.
double Simulation::farthest_way(const EndOfStep& end, const Attempt& attempt) const {
  const double dt = attempt.report.dt;
  double farthest = 0;
  const std::vector<Eigen::Vector3d>& start = finder_.scene().x;
  for (std::size_t n = 0; n < start.size(); ++n)
    farthest = std::max(farthest, (end.strand_nodes[n] - start[n]).norm());
  for (const Obstacle& obstacle : world_.obstacles)
    if (obstacle.motion.moves()) return std::numeric_limits<double>::infinity();
  const std::vector<int> first_dof = world_.dof_starts();
  for (std::size_t k = 0; k < world_.rigid.size(); ++k) {
    const auto v = attempt.solution.v.segment<6>(first_dof[world_.strands.size() + k]);
    const double radius = world_.rigid[k].solid.bounding_radius();
    farthest = std::max(farthest, dt * (v.head<3>().norm() + radius * v.tail<3>().norm()));
  }
  for (const Eigen::Matrix3Xd& v : end.soft_velocities)
    farthest = std::max(farthest, dt * v.colwise().norm().maxCoeff());
  return farthest;
}

/// Returns how far apart the same point is at two ends of one step, relative to the thickness of its body.
double Simulation::difference(const EndOfStep& one, const EndOfStep& other, double dt) const {
  double result = 0;
  const CollisionScene& scene = finder_.scene();
  for (std::size_t k = 0; k < scene.strands.size(); ++k)
    for (int n = scene.strands[k].first_node; n < scene.strands[k].first_node + scene.strands[k].nodes; ++n)
      result = std::max(result, (one.strand_nodes[n] - other.strand_nodes[n]).norm() / thickness_[k]);
  const std::size_t strands = world_.strands.size(), obstacles = world_.obstacles.size();
  for (std::size_t k = 0; k < world_.rigid.size(); ++k) {
    const Frame &a = one.solids[obstacles + k], &b = other.solids[obstacles + k];
    const double turned = (a.R - b.R).norm() * world_.rigid[k].solid.bounding_radius();
    result = std::max(result, ((a.x - b.x).norm() + turned) / thickness_[strands + k]);
  }
  for (std::size_t k = 0; k < one.soft_velocities.size(); ++k) {
    const double moved = dt * (one.soft_velocities[k] - other.soft_velocities[k]).colwise().norm().maxCoeff();
    result = std::max(result, moved / thickness_[strands + world_.rigid.size() + k]);
  }
  return result;
}

/// Makes the contacts that are there keep the distance by which the end of the step misses what is allowed,
/// and adds those that are missing. What overlapped before may still do so, as much as is left of it, but by
/// no more than the deepest overlap at the start: places that a body has turned to since seem to have
/// overlapped. Returns the largest miss relative to thickness; 0: there is none.
double Simulation::repair_overlaps(const EndOfStep& end, const std::vector<Contact>& overlaps,
                                   Attempt& attempt, std::vector<Contact>& added) {
  const ContactsByBody known(world_, attempt.contacts);
  attempt.repairs.resize(attempt.contacts.size());
  const double dt = attempt.report.dt;
  double worst = 0;
  for (const Contact& overlap : overlaps) {
    const Contact contact = finder_.as_of_start(world_, end, overlap);
    const double thickness = thickness_at(contact);
    const int same = known.find(contact, thickness);
    const double gap = same >= 0 ? attempt.contacts[same].gap : contact.gap;
    const double undone_later = overlap_after(gap, dt, attempt.gap);
    const double allowed = std::max(options_.repair_target * thickness,
                                    std::min(undone_later, attempt.report.penetration_ratio * thickness));
    if (-overlap.gap <= allowed + kNegligibleMiss * thickness) continue;
    if (same >= 0 && attempt.bond[same] >= 0) continue;
    worst = std::max(worst, (-overlap.gap - allowed) / thickness);
    if (-overlap.gap > kHalfThrough * thickness)  // it would creep through in many small misses
      worst = std::max(worst, -overlap.gap / thickness);
    ++attempt.report.repaired_overlaps;
    if (same >= 0) {
      attempt.contacts[same].shortfall += push(attempt.repairs[same], -overlap.gap - allowed);
    } else {
      added.push_back(contact);
      added.back().shortfall = std::max(undone_later - allowed, 0.0);
    }
  }
  return worst;
}

/// Contacts between the same features of soft bodies that push the other way: what turned inside out was
/// taken for the inside, and the crossings know better. They take their place, without an impulse to begin
/// with. Returns whether there were any.
bool Simulation::turn_round(const std::vector<Contact>& crossings, Attempt& attempt) const {
  const ContactsByBody known(world_, attempt.contacts);
  bool any = false;
  for (const Contact& crossing : crossings) {
    if (crossing.a.soft < 0 || crossing.b.soft < 0) continue;
    const int same = known.find(crossing, thickness_at(crossing));
    if (same < 0 || attempt.bond[same] >= 0) continue;
    Contact& contact = attempt.contacts[same];
    if (contact.frame.col(0).dot(crossing.frame.col(0)) > 0) continue;
    contact = crossing;
    contact.area = 0;  // it sticks to nothing
    attempt.solution.r.segment<3>(attempt.problem->dimension() * Eigen::Index(same)).setZero();
    any = true;
  }
  return any;
}

/// Removes the contacts that are known already.
void Simulation::remove_known(const std::vector<Contact>& known, std::vector<Contact>& contacts) const {
  const ContactsByBody by_body(world_, known);
  std::erase_if(contacts,
                [&](const Contact& contact) { return by_body.find(contact, thickness_at(contact)) >= 0; });
}

}  // namespace capstan
