#include <Eigen/Geometry>
#include <algorithm>

#include "capstan/collide/soft_sides.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

/// A place on a capsule.
struct OnCapsule {
  int capsule;
  double fraction;
  Vector3d x;
};

/// Contacts of capsules and of the nodes at which they begin. Items are the capsules, at the number of their
/// first node, then all triangles.
class StrandsWithSoft {
 public:
  StrandsWithSoft(const CollisionScene& scene, std::span<const SoftSurface> surfaces,
                  const Executor& executor)
      : scene_(scene),
        surfaces_(surfaces),
        strand_of_(scene.x.size(), -1),
        row_(surfaces, int(scene.x.size())),
        near_(
            boxes(executor), [this](int i, int j) { return is_capsule(i) != is_capsule(j); }, executor) {}

  void append(int capsule, std::vector<Contact>& contacts) const {
    if (strand_of_[capsule] < 0) return;
    row_.for_each_run(near_.of(capsule), [&](const TriangleRun& run) {
      append_node(capsule, capsule, run, contacts);
      if (capsule + 2 == end_of(strand_of_[capsule])) append_node(capsule + 1, capsule, run, contacts);
      append_edges(capsule, run, contacts);
      append_vertices(capsule, run, contacts);
    });
  }

 private:
  bool is_capsule(int item) const { return item < int(scene_.x.size()); }
  int end_of(int strand) const { return scene_.strands[strand].first_node + scene_.strands[strand].nodes; }
  const CollisionStrand& strand_of(int capsule) const { return scene_.strands[strand_of_[capsule]]; }
  double reach(int capsule, int surface) const {
    const CollisionStrand& strand = strand_of(capsule);
    return strand.radius + strand.margin + surfaces_[surface].radius + surfaces_[surface].margin;
  }
  std::vector<Bounds> boxes(const Executor& executor);
  double lean_of_strand(int node, const Vector3d& towards) const;
  void append_node(int node, int capsule, const TriangleRun& run, std::vector<Contact>& contacts) const;
  void append_edges(int capsule, const TriangleRun& run, std::vector<Contact>& contacts) const;
  void append_vertices(int capsule, const TriangleRun& run, std::vector<Contact>& contacts) const;
  void append_with(const OnCapsule& a, const SoftPlace& place, const TriangleRun& run, const Vector3d& across,
                   double most, std::vector<Contact>& contacts) const;
  void append_contact(const OnCapsule& a, int surface, const SoftPlace& place, const Vector3d& n,
                      double distance, std::vector<Contact>& contacts) const;

  const CollisionScene& scene_;
  std::span<const SoftSurface> surfaces_;
  std::vector<int> strand_of_;  // of each capsule; -1: the last node of a strand begins none
  TriangleRow row_;
  NearBoxes near_;
};

/// Capsules far from all surfaces have no box: what is near each other among them is no matter here.
std::vector<Bounds> StrandsWithSoft::boxes(const Executor& executor) {
  const Vector3d origin = middle_of(surfaces_);
  const std::vector<Bounds> triangles = triangle_bounds(surfaces_, origin, reaches(surfaces_), {}, executor);
  Bounds all = triangles.empty() ? Bounds::none() : triangles[0];
  for (const Bounds& box : triangles) all = {all.low.min(box.low), all.high.max(box.high)};
  std::vector<Bounds> result(scene_.x.size(), Bounds::none());
  for (int k = 0; k < int(scene_.strands.size()); ++k) {
    const double thick = scene_.strands[k].radius + scene_.strands[k].margin;
    for (int i = scene_.strands[k].first_node; i + 1 < end_of(k); ++i) {
      strand_of_[i] = k;
      const Eigen::Array3d a = scene_.x[i] - origin, b = scene_.x[i + 1] - origin;
      const Bounds box = Bounds::around(a.min(b) - thick, a.max(b) + thick);
      if (box.meets(all)) result[i] = box;
    }
  }
  result.insert(result.end(), triangles.begin(), triangles.end());
  return result;
}

double StrandsWithSoft::lean_of_strand(int node, const Vector3d& towards) const {
  const CollisionStrand& strand =
      scene_.strands[strand_of_[node] >= 0 ? strand_of_[node] : strand_of_[node - 1]];
  double most = -1;
  if (node > strand.first_node) most = (scene_.x[node - 1] - scene_.x[node]).normalized().dot(towards);
  if (node + 1 < strand.first_node + strand.nodes)
    most = std::max(most, (scene_.x[node + 1] - scene_.x[node]).normalized().dot(towards));
  return most;
}

void StrandsWithSoft::append_node(int node, int capsule, const TriangleRun& run,
                                  std::vector<Contact>& contacts) const {
  const SoftSurface& surface = surfaces_[run.surface];
  const OnCapsule a{capsule, node == capsule ? 0.0 : 1.0, scene_.x[node]};
  for (const auto& [place, side] :
       places_nearest_to(a.x, Vector3d::Zero(), surface, run, reach(capsule, run.surface))) {
    const Vector3d across =
        place.inside() ? twice_area(corners_of(surface, place.triangle)) : Vector3d::Zero();
    const Vector3d n = contact_normal({nullptr, {-1, {}, a.x}}, {&surface, place}, side, across);
    if (!place.inside() && lean_of_strand(node, -n) > max_lean) continue;
    append_contact(a, run.surface, place, n, side * (a.x - place.x).norm(), contacts);
  }
}

void StrandsWithSoft::append_edges(int capsule, const TriangleRun& run,
                                   std::vector<Contact>& contacts) const {
  const SoftSurface& surface = surfaces_[run.surface];
  const Segment a = scene_.capsule(capsule);
  for (const int item : run.items)
    for_each_own_edge(surface, item - run.first, [&](int edge) {
      const Segment b = edge_of(surface, edge);
      if (apart_along_axis(a, b, reach(capsule, run.surface))) return;
      const ClosestFractions closest = closest_fractions(a, b);
      if (!inside_edge(closest.a) || !inside_edge(closest.b)) return;
      append_with({capsule, closest.a, a.at(closest.a)}, place_on_edge(surface, edge, closest.b), run,
                  across_edges(a, b), max_lean_of(a, b), contacts);
    });
}

void StrandsWithSoft::append_vertices(int capsule, const TriangleRun& run,
                                      std::vector<Contact>& contacts) const {
  const SoftSurface& surface = surfaces_[run.surface];
  const Segment a = scene_.capsule(capsule);
  for (const int item : run.items)
    for_each_own_vertex(surface, item - run.first, [&](int node) {
      const SoftPlace place = place_at_node(surface, node);
      const double fraction = closest_fractions(a, {place.x, Vector3d::Zero()}).a;
      if (inside_edge(fraction))
        append_with({capsule, fraction, a.at(fraction)}, place, run, Vector3d::Zero(), max_lean_aside,
                    contacts);
    });
}

/// An edge or a vertex of a surface with the inside of a capsule, unless it leans more than `most`.
void StrandsWithSoft::append_with(const OnCapsule& a, const SoftPlace& place, const TriangleRun& run,
                                  const Vector3d& across, double most, std::vector<Contact>& contacts) const {
  const SoftSurface& surface = surfaces_[run.surface];
  const double distance = (a.x - place.x).norm();
  if (!(distance < reach(a.capsule, run.surface))) return;
  const int side = side_seen(a.x, surface, place, run);
  if (side == 0) return;
  const Vector3d n = contact_normal({nullptr, {-1, {}, a.x}}, {&surface, place}, side, across);
  if (lean(surface, place, n) > most) return;
  append_contact(a, run.surface, place, n, side * distance, contacts);
}

void StrandsWithSoft::append_contact(const OnCapsule& a, int surface, const SoftPlace& place,
                                     const Vector3d& n, double distance,
                                     std::vector<Contact>& contacts) const {
  const CollisionStrand& strand = strand_of(a.capsule);
  const double length = scene_.capsule_length(a.capsule);
  Contact contact;
  contact.a.strand = strand_of_[a.capsule];
  contact.a.s = scene_.s[a.capsule] + a.fraction * length;
  if (!scene_.wanted(strand, contact.a.s)) return;
  contact.b = side_of(surface, surfaces_[surface], place);
  contact.point_a = a.x;
  contact.point_b = place.x;
  contact.frame =
      contact_frame(n, scene_.capsule(a.capsule).d, material_direction(surfaces_[surface], place));
  contact.gap = distance - scene_.radius_at(strand, contact.a.s) - surfaces_[surface].radius;
  contact.area = std::min(2 * strand.radius * length, area_of(surfaces_[surface], place));
  contacts.push_back(contact);
}

}  // namespace

std::vector<Contact> detect_strands_with_soft(const CollisionScene& scene,
                                              std::span<const SoftSurface> surfaces,
                                              const Executor& executor) {
  require_sound(surfaces);
  scene.require_finite();
  const StrandsWithSoft pairs(scene, surfaces, executor);
  return collect(int(scene.x.size()), executor,
                 [&](int capsule, std::vector<Contact>& contacts) { pairs.append(capsule, contacts); });
}

}  // namespace capstan
