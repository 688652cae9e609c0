#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "bench/scenarios/judge/crossing_judge.hpp"
#include "capstan/collide/triangle_mesh.hpp"
#include "capstan/errors.hpp"

namespace capstan::scenarios {
namespace {

template <class... Kinds>
struct Overloaded : Kinds... {
  using Kinds::operator()...;
};

JudgedSolid judged(const Solid& solid) {
  if (const auto* mesh = dynamic_cast<const TriangleMesh*>(solid.shape().get()))
    return JudgedSolid::mesh(mesh->soup().vertices, mesh->soup().triangles);
  return std::visit(
      Overloaded{[](const Solid::Ball& ball) { return JudgedSolid::rod(ball.radius, 0); },
                 [](const Solid::Capsule& rod) { return JudgedSolid::rod(rod.radius, rod.half_length); },
                 [](const Solid::Block& block) { return JudgedSolid::box(block.half_size); },
                 [](const Solid::Hull& hull) { return JudgedSolid::hull(hull.polytope->vertices); },
                 [](const Solid::Drum& drum) { return JudgedSolid::drum(drum.radius, drum.half_height); },
                 [](const Solid::Floor&) { return JudgedSolid::half_space(); },
                 [](const Solid::General&) -> JudgedSolid {
                   throw InputError("the judge of crossings knows no such solid");
                 }},
      solid.kind());
}

/// Segments that make contacts, without those that reach into the skipped lengths.
JudgedCurve judged(const WorldStrand& strand, int index) {
  const std::vector<double>& s = strand.collision_s;
  JudgedCurve curve{fmt::format("{} (strand {})", strand.name, index), 0, int(s.size()) - 1,
                    strand.collision.group, !strand.collision.self_contact};
  while (curve.first < curve.last && s[curve.first] < strand.collision.skip_root) ++curve.first;
  while (curve.last > curve.first && s[curve.last] > s.back() - strand.collision.skip_tip) --curve.last;
  return curve;
}

JudgedSurface judged(const WorldSoft& soft) {
  JudgedSurface surface{
      soft.name, soft.body->triangles(), soft.surface.closed, !soft.surface.self_contact, {}};
  std::vector<bool> outer(soft.body->nodes(), false);
  for (const Corners& t : surface.triangles)
    for (const int node : t) outer[node] = true;
  for (int node = 0; node < soft.body->nodes(); ++node) surface.led.push_back(soft.body->is_held(node));
  if (surface.closed)
    for (int node = 0; node < soft.body->nodes(); ++node)
      if (!outer[node]) surface.inner.push_back(node);
  return surface;
}

Points columns(const Eigen::Matrix3Xd& x) {
  Points points;
  for (Eigen::Index k = 0; k < x.cols(); ++k) points.emplace_back(x.col(k));
  return points;
}

}  // namespace

JudgedThings things_of(const World& world) {
  JudgedThings things;
  std::map<const Shape*, JudgedSolid> known;  // copies share their shape
  const auto shared = [&](const Solid& solid) {
    const auto found = known.find(solid.shape().get());
    if (found != known.end()) return found->second;
    return known.emplace(solid.shape().get(), judged(solid)).first->second;
  };
  for (const WorldStrand& strand : world.strands)
    things.curves.push_back(judged(strand, static_cast<int>(things.curves.size())));
  for (const WorldSoft& soft : world.soft) things.surfaces.push_back(judged(soft));
  for (const WorldObstacle& obstacle : world.obstacles)
    things.bodies.push_back({obstacle.name, shared(obstacle.solid.value()), true});
  for (const WorldRigid& rigid : world.rigid)
    things.bodies.push_back(
        {fmt::format("{} (body {})", rigid.name, things.bodies.size()), shared(rigid.solid), false});
  return things;
}

Moment moment_of(const World& world, double t) {
  Moment moment;
  moment.t = t;
  for (const WorldStrand& strand : world.strands) {
    moment.curves.emplace_back();
    for (const double s : strand.collision_s) moment.curves.back().push_back(strand.body->position(s));
  }
  for (const WorldSoft& soft : world.soft) moment.surfaces.push_back(columns(soft.body->positions()));
  const auto add = [&](const Frame& frame) { moment.bodies.push_back({frame.x, frame.R}); };
  for (const WorldObstacle& obstacle : world.obstacles) add(obstacle.motion.at(t));
  for (const WorldRigid& rigid : world.rigid) add(rigid.body->frame());
  return moment;
}

}  // namespace capstan::scenarios
