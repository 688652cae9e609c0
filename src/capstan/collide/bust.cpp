#include "capstan/collide/bust.hpp"

#include <cmath>
#include <numbers>
#include <span>
#include <string>

#include "capstan/errors.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

/// One ellipse: height of its plane, half width (x), half depth (y), how far it sits forward (y). Metres.
using Section = Eigen::Vector4d;

// The first and last of each table are points. Head: 20 cm from chin to crown, 15.6 cm wide, 20 cm deep.
const Section kTorso[] = {{-.220, 0, 0, 0},       {-.220, .100, .060, 0}, {-.213, .172, .098, 0},
                          {-.190, .190, .115, 0}, {-.140, .195, .118, 0}, {-.090, .200, .110, 0},
                          {-.055, .185, .095, 0}, {-.030, .145, .080, 0}, {-.010, .095, .068, 0}};
const Section kNeckStub[] = {
    {.010, .064, .058, 0}, {.024, .048, .046, 0}, {.031, .026, .026, 0}, {.033, 0, 0, 0}};
const Section kNeckRoot[] = {
    {-.030, 0, 0, 0}, {-.029, .030, .030, 0}, {-.022, .052, .050, 0}, {-.006, .060, .056, 0}};
const Section kHead[] = {{.012, .062, .058, 0},     {.040, .057, .058, .005},   {.068, .058, .066, .014},
                         {.092, .061, .082, .019},  {.122, .068, .094, .015},   {.160, .075, .099, .010},
                         {.200, .078, .100, .005},  {.235, .074, .095, .001},   {.265, .061, .079, -.001},
                         {.284, .042, .055, -.002}, {.2935, .020, .026, -.002}, {.296, 0, 0, -.002}};

std::vector<Section> table_of(BustPart part) {
  std::vector<Section> table;
  const auto add = [&](std::span<const Section> sections) {
    table.insert(table.end(), sections.begin(), sections.end());
  };
  if (part != BustPart::head) add(kTorso);
  if (part == BustPart::shoulders) add(kNeckStub);
  if (part == BustPart::head) add(kNeckRoot);
  if (part != BustPart::shoulders) add(kHead);
  return table;
}

/// The section beyond a pole that makes the surface smooth there: the one before, with negative radii.
Section mirrored(const Section& s) { return {s[0], -s[1], -s[2], s[3]}; }

/// Catmull-Rom spline through the table; u from 0 to table.size() - 1.
Section spline(const std::vector<Section>& table, double u) {
  const int last = int(table.size()) - 1, i = std::min(int(u), last - 1);
  const double t = u - i;
  const Section before = i > 0 ? table[i - 1] : mirrored(table[1]);
  const Section after = i + 2 <= last ? table[i + 2] : mirrored(table[last - 1]);
  const Section slope0 = (table[i + 1] - before) / 2, slope1 = (after - table[i]) / 2;
  return (1 + 2 * t) * (1 - t) * (1 - t) * table[i] + t * (1 - t) * (1 - t) * slope0 +
         t * t * (3 - 2 * t) * table[i + 1] + t * t * (t - 1) * slope1;
}

std::vector<Vector3d> ring_points(const std::vector<Section>& table, int rings, int around) {
  std::vector<Vector3d> points;
  for (int ring = 1; ring <= rings; ++ring) {
    const Section s = spline(table, (double(table.size()) - 1) * ring / (rings + 1));
    for (int k = 0; k < around; ++k) {
      const double phi = 2 * std::numbers::pi * k / around;
      points.emplace_back(s[1] * std::cos(phi), s[3] + s[2] * std::sin(phi), s[0]);
    }
  }
  return points;
}

}  // namespace

TriangleSoup bust(BustPart part, int rings, int around) {
  if (rings < 8 || around < 8)
    throw InputError("a bust of " + std::to_string(rings) + " rings with " + std::to_string(around) +
                     " points, expected 8 or more of each");
  const std::vector<Section> table = table_of(part);
  TriangleSoup soup{ring_points(table, rings, around), {}};
  const int bottom = int(soup.vertices.size()), top = bottom + 1;
  soup.vertices.emplace_back(0, table.front()[3], table.front()[0]);
  soup.vertices.emplace_back(0, table.back()[3], table.back()[0]);
  const auto at = [&](int ring, int k) { return ring * around + k % around; };
  for (int k = 0; k < around; ++k) {
    soup.triangles.push_back({bottom, at(0, k + 1), at(0, k)});
    for (int ring = 0; ring + 1 < rings; ++ring) {
      soup.triangles.push_back({at(ring, k), at(ring, k + 1), at(ring + 1, k)});
      soup.triangles.push_back({at(ring, k + 1), at(ring + 1, k + 1), at(ring + 1, k)});
    }
    soup.triangles.push_back({at(rings - 1, k), at(rings - 1, k + 1), top});
  }
  return soup;
}

}  // namespace capstan
