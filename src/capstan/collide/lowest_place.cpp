#include "capstan/collide/lowest_place.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace capstan {
namespace {

using Eigen::Vector3d;

constexpr double no_bound = std::numeric_limits<double>::infinity();
constexpr int max_pieces_of_segment = 16, max_pieces_of_side = 8;
/// The search along a chord is finer than that over the chords.
constexpr double chord_accuracy = 0.1;

MeasuredPoint measured(const Shape& shape, const Vector3d& x, double at_most) {
  return {x, shape.closest(x, at_most)};
}

/// What is known about a point from another that has been seen.
double at_most(const MeasuredPoint& from, const Vector3d& x) {
  return std::abs(from.surface.distance) + (x - from.x).norm();
}

Probe probe_along(double at, const SurfacePoint& surface, const Vector3d& d) {
  return {at, surface.distance, surface.n.dot(d), surface};
}

/// The mean of two normals, along one of which the distance falls and along the other rises, that is level.
Vector3d level_mean(const Vector3d& falling, double slope_down, const Vector3d& rising, double slope_up) {
  if (!(slope_up > slope_down)) return falling;  // level both
  const double part = slope_up / (slope_up - slope_down);
  return part * falling + (1 - part) * rising;
}

/// The lowest point of a segment on which the distance is convex, unless that is above `limit`.
struct LowestOnChord {
  double at;
  SurfacePoint surface;
  Vector3d mean;  // the mean of the normals that has no slope along the segment, if it is not at an end
};

LowestOnChord lowest_on_chord(const Shape& shape, const MeasuredPoint& from, const MeasuredPoint& to,
                              double limit, double accuracy) {
  const Vector3d d = to.x - from.x;
  Probe low = probe_along(0, from.surface, d), high = probe_along(1, to.surface, d);
  const Probe end = low.distance < high.distance ? low : high;
  if (!dips_between(low, high)) return {end.at, end.surface, end.surface.n};
  const auto measure = [&](double at, double most) {
    return probe_along(at, shape.closest(from.x + at * d, most), d);
  };
  const Probe best = lowest_between(low, high, end, d.norm(), limit, accuracy, measure);
  return {best.at, best.surface, level_mean(low.surface.n, low.slope, high.surface.n, high.slope)};
}

/// Of unit length; where normals cancel, in the middle of a thin solid, one of them.
Vector3d unit_or(const Vector3d& mean, const Vector3d& n) {
  constexpr double least = 0.1;
  return mean.norm() > least ? mean.normalized() : n;
}

/// A corner of a piece of a triangle.
struct PieceCorner : MeasuredPoint {
  Vector3d weight;  // in the triangle
};

/// The lowest point of a chord parallel to the first edge of a piece; `at` leads to the third corner.
struct ChordProbe : Probe {
  double along = 0;
  Vector3d mean = Vector3d::Zero();
};

/// A triangle on which the distance is convex, searched chord by chord: the lowest distance of a chord is
/// convex in its place, and its slope is that of the distance at the lowest point.
class PieceSearch {
 public:
  PieceSearch(const Shape& shape, const std::array<PieceCorner, 3>& corners, double accuracy)
      : shape_(shape), corners_(corners), accuracy_(accuracy) {}

  /// Takes the place of `best` if it is below the target.
  void improve(LowestPlace& best, double target) const {
    if (least_of_tangents() > target) return;
    ChordProbe first = on_chord(0), last = at_third_corner();
    ChordProbe lowest = first.distance < last.distance ? first : last;
    lowest.distance = std::min(lowest.distance, target);
    Vector3d mean = lowest.mean;
    if (dips_between(first, last)) {
      lowest = lowest_between(first, last, lowest, steepest(), no_bound, accuracy_,
                              [&](double at, double) { return on_chord(at); });
      mean = level_mean(first.mean, first.slope, last.mean, last.slope);
    }
    if (lowest.distance < target)
      best = {(1 - lowest.at) * weight_on_first_edge(lowest.along) + lowest.at * corners_[2].weight,
              lowest.distance, unit_or(mean, lowest.surface.n), true};
  }

 private:
  Vector3d weight_on_first_edge(double along) const {
    return (1 - along) * corners_[0].weight + along * corners_[1].weight;
  }
  double steepest() const {
    return std::max((corners_[2].x - corners_[0].x).norm(), (corners_[2].x - corners_[1].x).norm());
  }

  /// No point is below the mean of the tangents at the corners, which is lowest at a corner.
  double least_of_tangents() const {
    double least = no_bound;
    for (const PieceCorner& at : corners_) {
      double sum = 0;
      for (const PieceCorner& from : corners_)
        sum += from.surface.distance + from.surface.n.dot(at.x - from.x);
      least = std::min(least, sum / 3);
    }
    return least;
  }

  ChordProbe on_chord(double at) const {
    const auto end = [&](const PieceCorner& corner) {
      const Vector3d x = corner.x + at * (corners_[2].x - corner.x);
      return measured(shape_, x, std::min(at_most(corner, x), at_most(corners_[2], x)));
    };
    const LowestOnChord lowest =
        lowest_on_chord(shape_, end(corners_[0]), end(corners_[1]), no_bound, chord_accuracy * accuracy_);
    const Vector3d foot = corners_[0].x + lowest.at * (corners_[1].x - corners_[0].x);
    const double slope = lowest.mean.dot(corners_[2].x - foot);
    return {{at, lowest.surface.distance, slope, lowest.surface}, lowest.at, lowest.mean};
  }

  ChordProbe at_third_corner() const {
    const SurfacePoint& surface = corners_[2].surface;
    const double slope =
        std::max(surface.n.dot(corners_[2].x - corners_[0].x), surface.n.dot(corners_[2].x - corners_[1].x));
    return {{1, surface.distance, slope, surface}, 0, surface.n};
  }

  const Shape& shape_;
  const std::array<PieceCorner, 3>& corners_;
  double accuracy_;
};

/// No point of a piece can be nearer than this, since distances change by no more than one goes.
double least_by_way(const std::array<PieceCorner, 3>& corners) {
  double least = -no_bound;
  for (const PieceCorner& from : corners) {
    double farthest = 0;
    for (const PieceCorner& to : corners) farthest = std::max(farthest, (to.x - from.x).norm());
    least = std::max(least, from.surface.distance - farthest);
  }
  return least;
}

/// The corners of the pieces of a triangle: (i, j) pieces along the edges from the first corner.
class PieceGrid {
 public:
  PieceGrid(const Shape& shape, const std::array<MeasuredPoint, 3>& corners, int pieces)
      : pieces_(pieces), corners_((pieces + 1) * (pieces + 1)) {
    for (int i = 0; i <= pieces; ++i)
      for (int j = 0; i + j <= pieces; ++j) {
        const double b = double(i) / pieces, c = double(j) / pieces;
        const Vector3d x =
            corners[0].x + b * (corners[1].x - corners[0].x) + c * (corners[2].x - corners[0].x);
        const Vector3d weight(1 - b - c, b, c);
        const bool corner = i == pieces || j == pieces || i + j == 0;
        const MeasuredPoint& known = corners[i == pieces ? 1 : j == pieces ? 2 : 0];
        at(i, j) = {corner ? known : measured(shape, x, at_most(j > 0 ? at(i, j - 1) : known, x)), weight};
      }
  }

  PieceCorner& at(int i, int j) { return corners_[i * (pieces_ + 1) + j]; }

  template <class Visit>
  void for_each_piece(const Visit& visit) {
    for (int i = 0; i < pieces_; ++i)
      for (int j = 0; i + j < pieces_; ++j) {
        visit({at(i, j), at(i + 1, j), at(i, j + 1)});
        if (i + j + 1 < pieces_) visit({at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)});
      }
  }

 private:
  int pieces_;
  std::vector<PieceCorner> corners_;
};

double longest_side(const std::array<MeasuredPoint, 3>& corners) {
  return std::max({(corners[0].x - corners[1].x).norm(), (corners[1].x - corners[2].x).norm(),
                   (corners[2].x - corners[0].x).norm()});
}

}  // namespace

int pieces_along(const Shape& shape, double length, int at_most) {
  if (shape.convex()) return 1;
  return std::max(4, int(std::min(std::ceil(2 * length / shape.feature_length()), double(at_most))));
}

LowestPlace lowest_on_segment(const Shape& shape, const std::array<MeasuredPoint, 2>& ends, double target,
                              double accuracy) {
  const Vector3d d = ends[1].x - ends[0].x;
  const int pieces = pieces_along(shape, d.norm(), max_pieces_of_segment);
  LowestPlace best;
  best.distance = target;
  MeasuredPoint from = ends[0];
  for (int piece = 1; piece <= pieces; ++piece) {
    const Vector3d x = ends[0].x + double(piece) / pieces * d;
    const MeasuredPoint to = piece == pieces ? ends[1] : measured(shape, x, at_most(from, x));
    const double least = (from.surface.distance + to.surface.distance - (to.x - from.x).norm()) / 2;
    if (least < best.distance) {
      const LowestOnChord lowest = lowest_on_chord(shape, from, to, best.distance, accuracy);
      const double at = (piece - 1 + lowest.at) / pieces;
      if (lowest.surface.distance < best.distance)
        best = {{1 - at, at, 0}, lowest.surface.distance, unit_or(lowest.mean, lowest.surface.n), true};
    }
    from = to;
  }
  return best;
}

LowestPlace lowest_on_triangle(const Shape& shape, const std::array<MeasuredPoint, 3>& corners, double target,
                               double accuracy) {
  LowestPlace best;
  PieceGrid grid(shape, corners, pieces_along(shape, longest_side(corners), max_pieces_of_side));
  grid.for_each_piece([&](const std::array<PieceCorner, 3>& piece) {
    const double below = best.found ? best.distance - accuracy : target;
    if (least_by_way(piece) < below) PieceSearch(shape, piece, accuracy).improve(best, below);
  });
  return best;
}

}  // namespace capstan
