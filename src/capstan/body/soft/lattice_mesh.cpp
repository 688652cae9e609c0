#include "capstan/body/soft/lattice_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

#include "capstan/body/soft/lattice.hpp"
#include "capstan/errors.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;
using TetCorners = std::array<int, 4>;

/// Cuts nearer to a node than this part of the edge take the node to the surface [Labelle and Shewchuk 2007].
constexpr double kNearLong = 0.24999, kNearShort = 0.41189;

/// An edge of the lattice that the surface crosses. Long edges (along axes) come before short ones.
struct CutEdge {
  bool is_short = false;
  int a = 0, b = 0;               // nodes, a < b
  double t = 0;                   // where, from a (0) to b (1)
  Vector3d x = Vector3d::Zero();  // there

  bool operator<(const CutEdge& other) const {
    return std::tie(is_short, a, b) < std::tie(other.is_short, other.a, other.b);
  }
};

/// The zero of f between 0 and 1, where its values f0, f1 have opposite signs: false position with the value
/// that stays halved (Illinois).
template <class Function>
double zero_between(const Function& f, double f0, double f1, double tolerance) {
  double t0 = 0, t1 = 1;
  for (int i = 0; i < 100 && std::abs(t1 - t0) > 1e-15; ++i) {
    const double t = (t0 * f1 - t1 * f0) / (f1 - f0), value = f(t);
    if (std::abs(value) <= tolerance) return t;
    if ((value < 0) == (f1 < 0))
      f0 /= 2;
    else
      t0 = t1, f0 = f1;
    t1 = t, f1 = value;
  }
  return t1;
}

class LatticeFill {
 public:
  LatticeFill(const SignedDistance& distance, const Eigen::AlignedBox3d& box, double cell,
              const LatticeCell& cells)
      : distance_(distance), cell_(cell), n_(cells) {
    place_nodes(box.center() - 0.5 * cell * Vector3d(n_[0], n_[1], n_[2]));
  }

  TetMesh mesh() {
    find_tets();
    find_cuts();
    warp_nodes();
    return used_part(divided_tets());
  }

 private:
  // Corners of cells are numbered first, then their centres.
  int corners() const { return (n_[0] + 1) * (n_[1] + 1) * (n_[2] + 1); }
  int corner(const LatticeCell& c) const { return cell_index(c, corner_count(n_)); }
  int centre(const LatticeCell& c) const { return corners() + cell_index(c, n_); }
  bool is_centre(int node) const { return node >= corners(); }
  CutEdge edge(int a, int b) const {
    return {is_centre(a) != is_centre(b), std::min(a, b), std::max(a, b), 0, Vector3d::Zero()};
  }
  bool crosses(int a, int b) const { return d_[a] * d_[b] < 0; }
  bool is_inside(int node) const { return node < int(d_.size()) && d_[node] < 0; }
  bool is_outside(int node) const { return node < int(d_.size()) && d_[node] > 0; }

  void place_nodes(const Vector3d& origin);
  void add_tets_around_face(int axis, const LatticeCell& cell);
  void find_tets();
  void find_cuts();
  void place_cut(CutEdge& cut) const;
  void warp_nodes();
  std::vector<TetCorners> divided_tets() const;
  std::vector<int> cuts_of(const TetCorners& tet) const;
  void divide(const TetCorners& tet, std::vector<TetCorners>& parts) const;
  TetMesh used_part(std::vector<TetCorners> tets) const;

  const SignedDistance& distance_;
  double cell_;
  LatticeCell n_;
  std::vector<Vector3d> x_;
  std::vector<double> d_;  // distances of nodes; 0: on the surface. Nodes after these are those of cuts.
  std::vector<TetCorners> tets_;
  std::vector<CutEdge> cuts_;  // sorted
};

void LatticeFill::place_nodes(const Vector3d& origin) {
  x_.resize(corners() + n_[0] * n_[1] * n_[2]);
  for_each_cell(corner_count(n_),
                [&](const LatticeCell& c) { x_[corner(c)] = origin + cell_ * Vector3d(c[0], c[1], c[2]); });
  for_each_cell(n_, [&](const LatticeCell& c) {
    x_[centre(c)] = origin + cell_ * Vector3d(c[0] + 0.5, c[1] + 0.5, c[2] + 0.5);
  });
  for (const Vector3d& x : x_) d_.push_back(distance_(x));
}

/// The four tets between the centres of a cell and the next along the axis and each edge of the face between.
void LatticeFill::add_tets_around_face(int axis, const LatticeCell& cell) {
  const int b = (axis + 1) % 3, c = (axis + 2) % 3;
  std::array<LatticeCell, 4> face{cell, cell, cell, cell};
  LatticeCell next = cell;
  ++next[axis];
  for (int k = 0; k < 4; ++k) {
    ++face[k][axis];
    face[k][b] += k == 1 || k == 2;
    face[k][c] += k >= 2;
  }
  for (int k = 0; k < 4; ++k) {
    const TetCorners tet{centre(cell), centre(next), corner(face[k]), corner(face[(k + 1) % 4])};
    if (std::any_of(tet.begin(), tet.end(), [&](int node) { return is_inside(node); })) tets_.push_back(tet);
  }
}

void LatticeFill::find_tets() {
  for (int axis = 0; axis < 3; ++axis) {
    LatticeCell faces = n_;
    --faces[axis];
    for_each_cell(faces, [&](const LatticeCell& cell) { add_tets_around_face(axis, cell); });
  }
}

void LatticeFill::find_cuts() {
  for (const TetCorners& tet : tets_)
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < a; ++b)
        if (crosses(tet[a], tet[b])) cuts_.push_back(edge(tet[a], tet[b]));
  std::sort(cuts_.begin(), cuts_.end());
  const auto same = [](const CutEdge& e, const CutEdge& f) { return !(e < f) && !(f < e); };
  cuts_.erase(std::unique(cuts_.begin(), cuts_.end(), same), cuts_.end());
  for (CutEdge& cut : cuts_) place_cut(cut);
}

void LatticeFill::place_cut(CutEdge& cut) const {
  const auto at = [&](double t) -> Vector3d { return x_[cut.a] + t * (x_[cut.b] - x_[cut.a]); };
  cut.t = zero_between([&](double t) { return distance_(at(t)); }, d_[cut.a], d_[cut.b], 1e-10 * cell_);
  cut.x = at(cut.t);
}

/// Each node in turn goes to the nearest of the cuts that are too near to it, if there are any.
void LatticeFill::warp_nodes() {
  std::vector<std::array<int, 2>> around;  // node, cut
  for (int i = 0; i < int(cuts_.size()); ++i) {
    around.push_back({cuts_[i].a, i});
    around.push_back({cuts_[i].b, i});
  }
  std::sort(around.begin(), around.end());
  for (std::size_t i = 0; i < around.size();) {
    const int node = around[i][0];
    int nearest = -1;
    double distance = cell_;
    for (; i < around.size() && around[i][0] == node; ++i) {
      const CutEdge& cut = cuts_[around[i][1]];
      const double part = cut.a == node ? cut.t : 1 - cut.t, length = (cut.x - x_[node]).norm();
      if (!crosses(cut.a, cut.b) || part > (cut.is_short ? kNearShort : kNearLong) || length >= distance)
        continue;
      nearest = around[i][1];
      distance = length;
    }
    if (nearest < 0) continue;
    x_[node] = cuts_[nearest].x;
    d_[node] = 0;
  }
}

std::vector<int> LatticeFill::cuts_of(const TetCorners& tet) const {
  std::vector<int> found;
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < a; ++b)
      if (crosses(tet[a], tet[b]))
        found.push_back(
            int(std::lower_bound(cuts_.begin(), cuts_.end(), edge(tet[a], tet[b])) - cuts_.begin()));
  std::sort(found.begin(), found.end());
  return found;
}

/// Divides at one edge after the other. The order is the same for all tets: faces between two are divided the
/// same way from both sides.
void LatticeFill::divide(const TetCorners& tet, std::vector<TetCorners>& parts) const {
  parts.assign(1, tet);
  for (const int cut : cuts_of(tet))
    for (std::size_t i = parts.size(); i-- > 0;) {
      const auto a = std::find(parts[i].begin(), parts[i].end(), cuts_[cut].a);
      const auto b = std::find(parts[i].begin(), parts[i].end(), cuts_[cut].b);
      if (a == parts[i].end() || b == parts[i].end()) continue;
      TetCorners other = parts[i];
      other[a - parts[i].begin()] = *b = int(x_.size()) + cut;
      parts.push_back(other);
    }
}

std::vector<TetCorners> LatticeFill::divided_tets() const {
  std::vector<TetCorners> result, parts;
  for (const TetCorners& tet : tets_) {
    divide(tet, parts);
    for (const TetCorners& part : parts) {
      const bool out = std::any_of(part.begin(), part.end(), [&](int node) { return is_outside(node); });
      const bool in = std::any_of(part.begin(), part.end(), [&](int node) { return is_inside(node); });
      if (in && !out) result.push_back(part);
    }
  }
  return result;
}

TetMesh LatticeFill::used_part(std::vector<TetCorners> tets) const {
  std::vector<int> place(x_.size() + cuts_.size(), -1);
  for (const TetCorners& tet : tets)
    for (const int node : tet) place[node] = 0;
  int count = 0;
  for (int& p : place)
    if (p == 0) p = count++;
  TetMesh mesh;
  mesh.x.resize(3, count);
  for (std::size_t i = 0; i < place.size(); ++i)
    if (place[i] >= 0) mesh.x.col(place[i]) = i < x_.size() ? x_[i] : cuts_[i - x_.size()].x;
  for (TetCorners& tet : tets)
    for (int& node : tet) node = place[node];
  mesh.tets = std::move(tets);
  return mesh;
}

/// One more cell on each side: the lattice has no tets in its outermost half cells.
LatticeCell cells_around(const Eigen::AlignedBox3d& box, double cell) {
  if (!(cell > 0) || !std::isfinite(cell))
    throw InputError("lattice: cell is " + std::to_string(cell) + ", expected > 0");
  if (!(box.sizes().minCoeff() > 0) || !box.sizes().allFinite())
    throw InputError("lattice: box has an edge of " + std::to_string(box.sizes().minCoeff()) +
                     ", expected > 0");
  const Vector3d count = ((box.sizes() / cell).array().ceil() + 2).min(1e9);
  const LatticeCell cells{int(count[0]), int(count[1]), int(count[2])};
  check_cells(cells, "lattice");
  return cells;
}

}  // namespace

TetMesh lattice_mesh(const SignedDistance& distance, const Eigen::AlignedBox3d& box, double cell) {
  TetMesh mesh = LatticeFill(distance, box, cell, cells_around(box, cell)).mesh();
  if (mesh.tets.empty())
    throw InputError("lattice: nothing lies inside at a cell of " + std::to_string(cell) +
                     ", expected a solid thicker than that");
  return mesh;
}

}  // namespace capstan
