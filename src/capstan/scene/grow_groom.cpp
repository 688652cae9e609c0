#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "capstan/errors.hpp"
#include "capstan/random.hpp"
#include "capstan/scene/curves.hpp"
#include "capstan/scene/growing.hpp"
#include "capstan/scene/scene_parts.hpp"
#include "capstan/scene/solids.hpp"

namespace capstan::scene_text {
namespace {

using Eigen::Vector3d;

/// Seen from the middle of the head: z up, the face towards +y.
bool in_scalp(const Vector3d& direction, const Groom& groom) {
  const double polar = std::acos(std::clamp(direction[2], -1.0, 1.0));
  const double facing = direction[1] / std::max(1e-12, std::hypot(direction[0], direction[1]));
  return polar <= groom.hairline_front + (groom.hairline_back - groom.hairline_front) * (1 - facing) / 2;
}

/// Spiral of equal areas: each point is turned by the golden angle from the one above.
std::vector<Vector3d> spiral_in_scalp(int total, const Groom& groom) {
  const double golden = kTurn * (1 - 1 / std::numbers::phi);
  std::vector<Vector3d> directions;
  for (int i = 0; i < total; ++i) {
    const double z = 1 - 2 * (i + 0.5) / total, r = std::sqrt(1 - z * z);
    const Vector3d direction(r * std::sin(golden * i), r * std::cos(golden * i), z);
    if (in_scalp(direction, groom)) directions.push_back(direction);
  }
  return directions;
}

/// As many points on the whole sphere as leave `count` in the scalp; the few that are too many are the
/// lowest.
std::vector<Vector3d> root_directions(const Groom& groom, double& spacing) {
  double total = groom.count;
  for (int round = 0; round < 100 && total < 1000.0 * groom.count + 1000; ++round) {
    std::vector<Vector3d> directions = spiral_in_scalp(int(total), groom);
    const std::size_t found = directions.size();
    if (found >= std::size_t(groom.count)) {
      directions.resize(groom.count);
      spacing = std::sqrt(2 * kTurn / total);
      return directions;
    }
    total = std::ceil(total * std::min(8.0, double(groom.count) / std::max<double>(0.5, found))) + 1;
  }
  throw InputError("the hairlines leave no room for " + std::to_string(groom.count) + " roots");
}

/// From the middle outwards to the surface: inside, the distance tells how far one may go.
Vector3d on_surface(const Shape& shape, const Vector3d& centre, const Vector3d& direction) {
  double r = 0;
  for (int step = 0; step < 1000; ++step) {
    const double distance = shape.closest(centre + r * direction).distance;
    if (distance > -1e-7) return centre + r * direction;
    r += std::max(-distance, 1e-7);
  }
  throw InputError("no surface was found around the middle of the obstacle");
}

struct Root {
  Vector3d x, normal;  ///< world, at t = 0
  double height;       ///< 0 at the hairline, 1 at the top
};

struct Scalp {
  std::shared_ptr<const Shape> shape;
  Frame pose;
  Vector3d centre;  ///< in the obstacle's frame
};

Root root_at(const Scalp& scalp, const Vector3d& direction, double offset) {
  const Vector3d x = on_surface(*scalp.shape, scalp.centre, direction);
  // Just outside, so that the normal is that of the surface and not of the inside's middle.
  const Vector3d normal = scalp.shape->closest(x + 1e-4 * direction).n;
  return {scalp.pose.apply(x + offset * normal), scalp.pose.R * normal, (1 + direction[2]) / 2};
}

Vector3d random_vector(Random& random) {
  const double x = random.uniform(-1, 1), y = random.uniform(-1, 1), z = random.uniform(-1, 1);
  return {x, y, z};
}

/// Down, and outwards by the angle of the flare.
Vector3d goal_of(const Groom& groom, const Root& root, const Vector3d& head, Random& random) {
  Vector3d away = root.x - head + 0.01 * groom.jitter * random_vector(random);
  away[2] = 0;
  if (away.norm() < 1e-6) away = Vector3d::UnitX();
  return std::cos(groom.flare) * -Vector3d::UnitZ() + std::sin(groom.flare) * away.normalized();
}

/// Tangential and upright parts of the first direction, mixed by the lift.
Vector3d first_direction(const Groom& groom, const Root& root, const Vector3d& goal, Random& random) {
  const Vector3d combed = perpendicular(root.normal, goal);
  const Vector3d mixed = groom.lift * root.normal + (1 - groom.lift) * combed;
  const Vector3d direction = (mixed.normalized() + 0.3 * groom.jitter * random_vector(random)).normalized();
  // Never into the head.
  const double out = direction.dot(root.normal);
  return out > 0.05 ? direction : (direction + (0.05 - out) * root.normal).normalized();
}

/// A strand that cannot be laid along the head without losing count of its turns starts as its own helix.
/// The axis leaves along `direction` and lies outwards of the root.
void start_natural(StrandShape& shape, const Root& root, const Vector3d& direction, double length) {
  const Vector3d k = shape.natural_curvature;
  Eigen::Matrix3d own, world;  // axis, normal of the curve, and their product
  own.col(0) = k.normalized();
  own.col(1) = Vector3d(0, k[2], -k[1]).normalized();
  own.col(2) = own.col(0).cross(own.col(1));
  world.col(0) = direction;
  world.col(1) = perpendicular(direction, root.normal);
  world.col(2) = world.col(0).cross(world.col(1));
  shape.length = length;
  shape.root.motion = Motion(Frame{root.x, world * own.transpose()});
}

/// The curve k2 n1 - k1 n2 bends towards the axis of the helix, which lies outwards: n1 follows.
void lay(StrandShape& shape, const Root& root, const Drape& drape, const Surroundings& surroundings,
         int steps) {
  const Vector3d k = shape.natural_curvature;
  const double curvature = std::hypot(k[1], k[2]), wave = k.norm();
  if (curvature == 0 || shape.rest == StrandShape::Rest::as_given) {
    shape.nodes = draped(drape, surroundings, steps);
    return;
  }
  Drape axis = drape;
  axis.length *= std::abs(k[0]) / wave;
  shape.nodes = curled(draped(axis, surroundings, steps), root.normal, curvature, k[0]);
  const Vector3d t = drape.direction, n = perpendicular(t, root.normal);
  shape.normal = (k[2] * n + k[1] * t.cross(n)) / curvature;
  shape.twist = k[0] * drape.length;
}

/// Whether the start can be laid out: turns are seen (below 2.5 rad an element), and advance along the axis.
bool can_be_laid(const Vector3d& k, double length, int elements) {
  if (std::hypot(k[1], k[2]) == 0) return true;
  return k.norm() * length / elements < 2.5 && std::abs(k[0]) > 0.2 * k.norm();
}

void set_curl(StrandShape& shape, const Groom& groom, Random& random) {
  if (groom.curl) {
    // A helix of radius r and pitch 2 pi p has curvature r / (r^2 + p^2) and torsion p / (r^2 + p^2).
    const double r = (*groom.curl)[0], p = (*groom.curl)[1] / kTurn, square = r * r + p * p;
    shape.natural_curvature = Vector3d(p / square, 0, r / square);
  }
  shape.natural_curvature *= 1 + random.uniform(-1, 1) * groom.curl_spread;
}

}  // namespace

std::vector<StrandSpec> grow_groom(const Scene& scene, const Groom& groom, int family,
                                   const Obstacle& carrier, const Surroundings& surroundings) {
  const Scalp scalp{carrier.shape, carrier.motion.at(0), scalp_centre(*scene.find_obstacle(groom.on))};
  const StrandSpec common = common_spec(scene, groom, family);
  EndScript clamp{Hold::clamped, {}};
  clamp.motion.follow = groom.on;
  double spacing = 0;
  const std::vector<Vector3d> directions = root_directions(groom, spacing);
  Random random(groom.seed);
  std::vector<StrandSpec> strands;
  for (const Vector3d& place : directions) {
    StrandSpec strand = common;
    strand.name = numbered(groom.name, strands.size());
    const Vector3d seen = (place + 0.5 * groom.jitter * spacing * random_vector(random)).normalized();
    const Root root = root_at(scalp, seen, common.collision_radius);
    const double length = groom.length * (1 + random.uniform(-1, 1) * groom.length_spread);
    set_curl(strand.shape, groom, random);
    const Vector3d goal = goal_of(groom, root, scalp.pose.apply(scalp.centre), random);
    const Vector3d direction = first_direction(groom, root, goal, random);
    // Strands from higher up lie on those from below.
    const double layer = std::clamp(root.height + 0.2 * groom.jitter * random.uniform(-1, 1), 0.0, 1.0);
    const Drape drape{root.x, direction, goal, groom.droop, common.collision_radius + layer * groom.volume,
                      length};
    if (can_be_laid(strand.shape.natural_curvature, length, groom.elements))
      lay(strand.shape, root, drape, surroundings, 10 * groom.elements);
    else
      start_natural(strand.shape, root, direction, length);
    hold_ends(strand, clamp, {}, scene);
    strands.push_back(std::move(strand));
  }
  return strands;
}

}  // namespace capstan::scene_text
