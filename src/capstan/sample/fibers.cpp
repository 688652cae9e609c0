// A wisp of hair, one time step. A fiber is a chain of rigid links clamped at its root; each joint bends
// about two axes across the link that follows it, so that a fiber of 8 links has 16 degrees of freedom, as
// the strands of [Daviet11]. Its matrix is implicit in time: M = mass + dt^2 bending stiffness.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <tuple>

#include "capstan/errors.hpp"
#include "capstan/sample/near_pairs.hpp"
#include "capstan/sample/random_vector.hpp"
#include "capstan/sample/rigid_scene.hpp"
#include "capstan/sample/sample.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

// Human hair, SI units.
constexpr double kLength = 0.16;
constexpr double kRadius = 40e-6;
constexpr double kDensity = 1300;
constexpr double kYoung = 3.7e9;
constexpr double kSpacing = 0.0015;  // between roots
constexpr double kTimeStep = 0.005;
constexpr double kPi = 3.14159265358979323846;

struct Fiber {
  std::vector<Vector3d> joints;  // root first, tip last
  int links() const { return static_cast<int>(joints.size()) - 1; }
  Vector3d direction(int link) const { return (joints[link + 1] - joints[link]).normalized(); }
};

/// A point of a fiber: of link `link`, at `position`.
struct Material {
  int fiber, link;
  Vector3d position;
};

struct Candidate {
  Material first, second;
  double distance;
};

/// Velocity of a point of `link` per unit of the joint velocities.
Eigen::MatrixXd point_jacobian(const Fiber& fiber, int link, const Vector3d& position) {
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(3, 2 * fiber.links());
  for (int k = 0; k <= link; ++k) {
    const Vector3d arm = position - fiber.joints[k], axis = fiber.direction(k).unitOrthogonal();
    J.col(2 * k) = axis.cross(arm);
    J.col(2 * k + 1) = fiber.direction(k).cross(axis).cross(arm);
  }
  return J;
}

/// Roots on a sunflower's spiral; a curl of its own phase for every fiber, so that neighbours cross.
Fiber make_fiber(int index, int links, Random& random) {
  const double radius = kSpacing * std::sqrt(index + 0.5), turn = 2.399963229728653 * index;
  const double phase = random.uniform(0, 2 * kPi), pitch = random.uniform(0.6, 1.2);
  Fiber fiber;
  fiber.joints.push_back({radius * std::cos(turn), radius * std::sin(turn), 0});
  for (int k = 0; k < links; ++k) {
    const Vector3d curl(std::cos(phase + pitch * k), std::sin(phase + pitch * k), 0);
    const double noise_y = random.uniform(-0.1, 0.1);
    const Vector3d noise(random.uniform(-0.1, 0.1), noise_y, 0);
    const Vector3d direction = (Vector3d(0, 0, -1) + 0.25 * curl + noise).normalized();
    fiber.joints.push_back(fiber.joints.back() + kLength / links * direction);
  }
  return fiber;
}

/// M of a fiber, and f = momentum and weight over the step.
struct FiberDynamics {
  Eigen::MatrixXd M;
  Eigen::VectorXd f;
};

/// The wisp swings sideways and closes in on its axis, which presses the fibers together.
Vector3d velocity_field(const Vector3d& position, const Vector3d& stray) {
  const double depth = -position[2] / kLength;
  return depth * (Vector3d(0.3, 0, 0) - 15 * Vector3d(position[0], position[1], 0) + stray);
}

FiberDynamics dynamics(const Fiber& fiber, const Vector3d& stray) {
  const int links = fiber.links(), dofs = 2 * links;
  const double area = kPi * kRadius * kRadius, link = kLength / links;
  const double bending = kYoung * kPi * std::pow(kRadius, 4) / 4 / link;  // E I over the length, N m
  FiberDynamics result{Eigen::MatrixXd::Zero(dofs, dofs), Eigen::VectorXd::Zero(dofs)};
  for (int k = 0; k < links; ++k)
    for (const double side : {-0.5, 0.5}) {  // Gauss points: exact for velocities linear along the link
      const Vector3d position = 0.5 * (fiber.joints[k] + fiber.joints[k + 1]) +
                                side / std::sqrt(3.0) * (fiber.joints[k + 1] - fiber.joints[k]);
      const Eigen::MatrixXd J = point_jacobian(fiber, k, position);
      const double mass = 0.5 * kDensity * area * link;
      result.M += mass * J.transpose() * J;
      result.f +=
          mass * J.transpose() * (velocity_field(position, stray) + kTimeStep * Vector3d(0, 0, -9.81));
    }
  result.M.diagonal().array() += kTimeStep * kTimeStep * bending;
  result.M = 0.5 * (result.M + result.M.transpose()).eval();
  return result;
}

/// Pairs of links of different fibers, the nearest first, all those nearer than `reach`.
std::vector<Candidate> candidates(const std::vector<Fiber>& fibers, double reach) {
  std::vector<Vector3d> middles;
  std::vector<std::pair<int, int>> owner;  // fiber, link
  for (std::size_t k = 0; k < fibers.size(); ++k)
    for (int link = 0; link < fibers[k].links(); ++link) {
      middles.push_back(0.5 * (fibers[k].joints[link] + fibers[k].joints[link + 1]));
      owner.emplace_back(int(k), link);
    }
  std::vector<Candidate> result;
  for (const auto& [i, j] : sample::near_pairs(middles, reach + kLength / fibers[0].links())) {
    const auto [p, a] = owner[i];
    const auto [q, b] = owner[j];
    if (p == q) continue;
    const auto closest = sample::closest_points({fibers[p].joints[a], fibers[p].joints[a + 1]},
                                                {fibers[q].joints[b], fibers[q].joints[b + 1]});
    if (closest.distance > reach || closest.distance == 0) continue;
    result.push_back({{p, a, closest.on_first}, {q, b, closest.on_second}, closest.distance});
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const Candidate& x, const Candidate& y) { return x.distance < y.distance; });
  return result;
}

std::vector<Candidate> closest_candidates(const std::vector<Fiber>& fibers, int count) {
  for (double reach = kSpacing; reach < 4 * kLength; reach *= 2) {
    std::vector<Candidate> found = candidates(fibers, reach);
    if (int(found.size()) < count) continue;
    found.resize(count);
    // Contacts come in the order of the fibers, as from a collision detector, not in that of the distance.
    std::stable_sort(found.begin(), found.end(), [](const Candidate& x, const Candidate& y) {
      return std::tie(x.first.fiber, x.first.link, x.second.fiber, x.second.link) <
             std::tie(y.first.fiber, y.first.link, y.second.fiber, y.second.link);
    });
    return found;
  }
  throw InputError("fibers: " + std::to_string(fibers.size()) + " fibers do not have " +
                   std::to_string(count) + " pairs of links; expected more fibers or a smaller nu");
}

void check(const FiberOptions& options) {
  if (options.fibers < 2)
    throw InputError("fibers: is " + std::to_string(options.fibers) + ", expected 2 or more");
  if (options.links < 1)
    throw InputError("links: is " + std::to_string(options.links) + ", expected 1 or more");
  if (!(options.nu > 0 && options.nu < 100))
    throw InputError("nu: is " + std::to_string(options.nu) + ", expected a number between 0 and 100");
}

}  // namespace

ContactProblem make_fibers(const FiberOptions& options) {
  check(options);
  Random random(options.seed);
  const int dofs = 2 * options.links;
  std::vector<Fiber> fibers;
  std::vector<Eigen::MatrixXd> blocks;
  std::vector<int> dof_start{0};
  Eigen::VectorXd f(options.fibers * dofs);
  for (int k = 0; k < options.fibers; ++k) {
    fibers.push_back(make_fiber(k, options.links, random));
    const Vector3d stray = sample::random_vector(random, 0.1);
    const FiberDynamics step = dynamics(fibers.back(), stray);
    blocks.push_back(step.M);
    f.segment(k * dofs, dofs) = step.f;
    dof_start.push_back((k + 1) * dofs);
  }
  const int contacts = std::max(1, int(std::lround(options.nu * options.fibers * dofs / 3)));
  ContactJacobian H(3, dof_start);
  for (const Candidate& c : closest_candidates(fibers, contacts)) {
    const Vector3d normal = (c.first.position - c.second.position) / c.distance;
    const Eigen::Matrix3d frame =
        sample::contact_frame(normal, fibers[c.first.fiber].direction(c.first.link));
    H.add_contact();
    H.add_block(c.first.fiber, frame * point_jacobian(fibers[c.first.fiber], c.first.link, c.first.position));
    H.add_block(c.second.fiber,
                -frame * point_jacobian(fibers[c.second.fiber], c.second.link, c.second.position));
  }
  const std::vector<ContactLaw> laws(contacts, ContactLaw::elliptic(options.mu_along, options.mu_across));
  return ContactProblem::from_mass(MassMatrix::block_diagonal(blocks), f, H,
                                   Eigen::VectorXd::Zero(3 * contacts), laws);
}

}  // namespace capstan
