// Boxes put together by hand.
#include <Eigen/Geometry>
#include <cmath>

#include "capstan/sample/rigid_scene.hpp"
#include "capstan/sample/sample.hpp"

namespace capstan {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using sample::RigidScene;

constexpr double kStone = 2500;  // kg/m^3
const Vector3d kBrick(0.2, 0.1, 0.06);

Matrix3d turned_about_y(double angle) {
  return Eigen::AngleAxisd(angle, Vector3d::UnitY()).toRotationMatrix();
}

/// Rows of bricks, each shifted by half a brick against the one below: to and fro, or always inwards.
ContactProblem make_bond(int rows, int bricks, bool pyramid, double mu) {
  RigidScene scene;
  const Vector3d depth(0, kBrick[1] / 2, 0), quarter(kBrick[0] / 4, 0, 0);
  std::vector<int> below;  // of the row below, by position in half bricks
  for (int row = 0; row < rows; ++row) {
    const int first = pyramid ? row : row % 2, count = pyramid ? bricks - row : bricks - row % 2;
    std::vector<int> current(2 * bricks + 2, -2);
    for (int k = 0; k < count; ++k) {
      const int left = first + 2 * k;  // half bricks
      const Vector3d center(kBrick[0] / 2 * (left + 1), 0, kBrick[2] * (row + 0.5));
      const int body = scene.add_box(center, kBrick, Matrix3d::Identity(), kStone);
      current[left] = current[left + 1] = body;
      const Vector3d bottom = center - Vector3d(0, 0, kBrick[2] / 2);
      if (row == 0) {
        scene.add_face_contact(body, RigidScene::kGround, bottom, 2 * quarter, depth, Vector3d::UnitZ(), mu);
        continue;
      }
      for (const int half : {0, 1})
        if (below[left + half] >= 0)
          scene.add_face_contact(body, below[left + half], bottom + (2 * half - 1) * quarter, quarter, depth,
                                 Vector3d::UnitZ(), mu);
    }
    below = current;
  }
  return scene.problem();
}

}  // namespace

ContactProblem make_slope(double angle, double mu) {
  RigidScene scene;  // gravity leans, so that the plane can lie flat
  scene.gravity = 9.81 * Vector3d(std::sin(angle), 0, -std::cos(angle));
  const Vector3d size(0.1, 0.1, 0.1);
  const int box = scene.add_box({0, 0, 0.05}, size, Matrix3d::Identity(), 1000);
  scene.add_face_contact(box, RigidScene::kGround, Vector3d::Zero(), {0.05, 0, 0}, {0, 0.05, 0},
                         Vector3d::UnitZ(), mu);
  return scene.problem();
}

ContactProblem make_stack(int levels, double mu) {
  RigidScene scene;
  const double edge = 0.1;
  for (int k = 0; k < levels; ++k) {
    const int box =
        scene.add_box({0, 0, edge * (k + 0.5)}, Vector3d::Constant(edge), Matrix3d::Identity(), kStone);
    scene.add_face_contact(box, k == 0 ? RigidScene::kGround : box - 1, {0, 0, edge * k}, {edge / 2, 0, 0},
                           {0, edge / 2, 0}, Vector3d::UnitZ(), mu);
  }
  return scene.problem();
}

ContactProblem make_wall(int rows, int bricks, double mu) { return make_bond(rows, bricks, false, mu); }

ContactProblem make_pyramid(int rows, double mu) { return make_bond(rows, rows, true, mu); }

ContactProblem make_arch(int stones, double mu) {
  RigidScene scene;
  const double radius = 1, thickness = 0.3, depth = 0.4, pi = 3.14159265358979323846, step = pi / stones;
  const auto outward = [](double angle) { return Vector3d(std::cos(angle), 0, std::sin(angle)); };
  for (int k = 0; k < stones; ++k) {  // from the right foot to the left one
    const double angle = (k + 0.5) * step;
    scene.add_box(radius * outward(angle), {thickness, depth, radius * step}, turned_about_y(-angle), kStone);
  }
  for (int joint = 0; joint <= stones; ++joint) {
    const double angle = joint * step;
    const Vector3d along(-std::sin(angle), 0, std::cos(angle));  // from stone joint - 1 to stone joint
    const int after = joint < stones ? joint : RigidScene::kGround, before = joint - 1;  // -1 is the ground
    scene.add_face_contact(after, before, radius * outward(angle), thickness / 2 * outward(angle),
                           {0, depth / 2, 0}, along, mu);
  }
  return scene.problem();
}

ContactProblem make_card_house(int levels, double mu) {
  RigidScene scene;
  const double length = 0.088, depth = 0.063, thin = 0.0005, lean = 0.35, paper = 1200;
  const double rise = length * std::cos(lean), half_base = length * std::sin(lean), pitch = 2 * half_base;
  const auto edge_contact = [&](int a, int b, const Vector3d& at, const Vector3d& normal) {
    for (const double y : {-depth / 2, depth / 2})
      scene.add_contact(a, b, at + Vector3d(0, y, 0), normal, mu);
  };
  std::vector<int> floor;  // the flat cards that the current storey stands on
  for (int level = 0; level < levels; ++level) {
    const int tents = levels - level;
    const double z = level * (rise + thin), left = level * half_base;
    std::vector<int> apex;
    for (int k = 0; k < tents; ++k) {
      const Vector3d top(left + pitch * k + half_base, 0, z + rise);
      int cards[2];
      for (const int side : {-1, 1}) {
        const Vector3d foot = top + Vector3d(side * half_base, 0, -rise);
        const int card =
            scene.add_box((top + foot) / 2, {thin, depth, length}, turned_about_y(-side * lean), paper);
        cards[side > 0] = card;
        edge_contact(card, level == 0 ? RigidScene::kGround : floor[k], foot, Vector3d::UnitZ());
      }
      edge_contact(cards[1], cards[0], top, Vector3d::UnitX());
      apex.push_back(cards[0]);
      apex.push_back(cards[1]);
    }
    if (level + 1 == levels) break;
    floor.clear();
    for (int k = 0; k + 1 < tents; ++k) {  // from the apex of tent k to that of tent k + 1
      const double x0 = left + pitch * k + half_base;
      const int card = scene.add_box({x0 + half_base, 0, z + rise + thin / 2}, {pitch, depth, thin},
                                     Matrix3d::Identity(), paper);
      edge_contact(card, apex[2 * k + 1], {x0, 0, z + rise}, Vector3d::UnitZ());
      edge_contact(card, apex[2 * k + 2], {x0 + pitch, 0, z + rise}, Vector3d::UnitZ());
      floor.push_back(card);
    }
  }
  return scene.problem();
}

}  // namespace capstan
