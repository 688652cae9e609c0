#include "capstan/body/rod/helix_fit.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "capstan/body/rod/helix_functions.hpp"

namespace capstan {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// What a segment has to follow, in the frame of its start.
struct Target {
  double s;
  Vector3d x, tangent;
};

struct Normal {
  double cost = 0;
  Matrix3d H = Matrix3d::Zero();
  Vector3d g = Vector3d::Zero();

  void add(const Vector3d& residual, const Matrix3d& J, double weight) {
    cost += weight * residual.squaredNorm() / 2;
    H += weight * J.transpose() * J;
    g += weight * J.transpose() * residual;
  }
};

/// Tangents count as much as the places they lead to half a segment on: places alone let neighbours swing to
/// and fro. The pull to the guess decides only what neither of them tells.
Normal normal_equations(const std::vector<Target>& targets, const Vector3d& k, const Vector3d& guess,
                        double l) {
  Normal normal;
  const double mean = 1.0 / static_cast<double>(targets.size());
  for (const Target& target : targets) {
    const HelixPoint point = helix_point(k, target.s);
    const Matrix3d W = helix_turning(k, target.s);
    Matrix3d turned;  // d tangent/dk = -[tangent] W
    for (int j = 0; j < 3; ++j) turned.col(j) = W.col(j).cross(point.tangent);
    normal.add(point.f - target.x, point.G, mean);
    normal.add(point.tangent - target.tangent, turned, mean * l * l / 4);
  }
  normal.add(k - guess, Matrix3d::Identity(), 1e-4 * l * l * l * l);
  return normal;
}

/// Levenberg-Marquardt from the guess.
struct Fit {
  Vector3d k;
  double cost;
};
Fit fit_segment(const std::vector<Target>& targets, const Vector3d& guess, double l) {
  Vector3d k = guess;
  Normal here = normal_equations(targets, k, guess, l);
  double damping = 1e-3;
  for (int i = 0; i < 30; ++i) {
    Matrix3d H = here.H;
    H.diagonal() *= 1 + damping;
    const Vector3d step = -H.llt().solve(here.g);
    const Normal there = normal_equations(targets, k + step, guess, l);
    if (!(there.cost < here.cost)) {
      damping *= 10;
      if (damping > 1e6) break;
      continue;
    }
    const bool done = step.norm() * l < 1e-10;
    k += step;
    here = there;
    damping /= 10;
    if (done) break;
  }
  return {k, here.cost};
}

/// The rotation that leads from R to the last of these frames, as a vector. A rotation is known only up to
/// whole turns: the sum of the small turns from frame to frame tells how many there were.
Vector3d turn_to(const Matrix3d& R, const Matrix3d* frames, int fine) {
  Vector3d total = Vector3d::Zero();
  for (int i = 0; i < fine; ++i) total += rotation_log(frames[i].transpose() * frames[i + 1]);
  const Vector3d turn = rotation_log(R.transpose() * frames[fine]);
  const double angle = turn.norm(), whole = 2 * std::numbers::pi;
  if (!(angle > 0)) return turn;
  return turn * (1 + whole * std::round((total.dot(turn) / angle - angle) / whole) / angle);
}

}  // namespace

std::vector<Vector3d> fit_helices(const FramedCurve& curve, int segments, int fine) {
  const double l = curve.length / segments;
  std::vector<Vector3d> k;
  std::vector<Target> targets(fine);
  Frame start{curve.x[0], curve.R[0]};
  for (int Q = 0; Q < segments; ++Q) {
    for (int i = 1; i <= fine; ++i) {
      const int at = Q * fine + i;
      targets[i - 1] = {l * i / fine, start.apply_inverse(curve.x[at]),
                        start.R.transpose() * curve.R[at].col(0)};
    }
    Fit best = fit_segment(targets, turn_to(start.R, &curve.R[Q * fine], fine) / l, l);
    if (Q > 0) {  // a curl winds on as before
      const Fit other = fit_segment(targets, k.back(), l);
      if (other.cost < best.cost) best = other;
    }
    k.push_back(best.k);
    start = start * Frame{helix_place(best.k, l), helix_turn(best.k, l)};
  }
  return k;
}

}  // namespace capstan
