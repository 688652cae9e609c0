#include "capstan/record/picture/picture.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "capstan/errors.hpp"
#include "capstan/record/picture/raster.hpp"
#include "capstan/record/picture/shading.hpp"
#include "capstan/record/picture/shadow_map.hpp"
#include "capstan/record/picture/soft_solid.hpp"

namespace capstan::record {
namespace {

constexpr double kThinnest = 0.55;  // px: half the width below which a strand is not drawn thinner
constexpr double kRound = 1.5;      // px: half the width above which a strand is drawn as a round rod
constexpr double kLineWidth = 0.5;  // px: half the width of a line along a structure
constexpr double kLineInk = 0.5;    // how much darker than the surface it is
constexpr double kEdgeInk = 0.25;   // the same of an edge of a mesh

/// The canvas has `samples` squared as many pixels as the picture.
class Painter {
 public:
  Painter(const PictureScene& scene, const PictureOptions& options)
      : options_(options),
        width_(options.width * options.samples),
        height_(options.height * options.samples),
        points_(scene.points()),
        camera_(Camera::fitted(points_, options.view, width_, height_)),
        center_(0.5 * (points_.rowwise().minCoeff() + points_.rowwise().maxCoeff())),
        size_((points_.rowwise().maxCoeff() - points_.rowwise().minCoeff()).norm()),
        lamp_(camera_),
        shadows_(scene, lamp_),
        color_(std::size_t(width_) * height_),
        nearness_(std::size_t(width_) * height_, -std::numeric_limits<float>::infinity()),
        tint_(scene, options) {}

  void draw_background();
  void draw_plane(const Solid& plane);
  void draw_solid(const Solid& solid);
  void draw_lines(const Solid& solid, const SurfaceLines& lines, double ink);
  void draw_strand(const Eigen::Matrix3Xd& points, double radius, int index);
  Image resolved() const;

 private:
  /// A point of a strand, ready for the screen.
  struct Knot {
    Eigen::Vector3d x, tangent;
    ScreenPoint screen;
    double r;     // on the screen, in samples
    double open;  // of the lamp's light
    Color color;  // as a fibre
  };
  std::vector<Knot> knots_of(const Eigen::Matrix3Xd& curve, double radius, const Color& base) const;
  void draw_fibre(const Knot& a, const Knot& b);
  void draw_rod(const Knot& a, const Knot& b, double radius, const Color& base);
  void put(int x, int y, double nearness, const Color& color);
  /// How much of a plane is seen at a place of it: it fades away from the middle of the picture.
  double plane_seen(const Eigen::Vector3d& p) const {
    const double far = (p - center_).norm() / (1.6 * size_);
    return std::exp(-far * far);
  }
  bool hidden(int x, int y, double nearness) const {
    return static_cast<float>(nearness) <= nearness_[std::size_t(y) * width_ + x];
  }

  const PictureOptions& options_;
  int width_, height_;
  Eigen::Matrix3Xd points_;
  Camera camera_;  // refuses an empty scene
  Eigen::Vector3d center_;
  double size_;
  Lamp lamp_;
  ShadowMap shadows_;
  std::vector<Eigen::Vector3f> color_;
  std::vector<float> nearness_;
  SolidTint tint_;
};

void Painter::put(int x, int y, double nearness, const Color& color) {
  const std::size_t k = std::size_t(y) * width_ + x;
  if (static_cast<float>(nearness) <= nearness_[k]) return;
  nearness_[k] = static_cast<float>(nearness);
  color_[k] = color.cast<float>();
}

void Painter::draw_background() {
  for (int y = 0; y < height_; ++y) {
    const Eigen::Vector3f row = background((y + 0.5) / height_).cast<float>();
    std::fill_n(color_.begin() + std::ptrdiff_t(y) * width_, width_, row);
  }
}

void Painter::draw_plane(const Solid& plane) {
  const Eigen::Vector3d normal = plane.pose.R.col(2);
  for (int y = 0; y < height_; ++y)
    for (int x = 0; x < width_; ++x) {
      const Camera::Ray ray = camera_.ray(x + 0.5, y + 0.5);
      const double slope = ray.direction.dot(normal);
      if (slope >= -1e-6) continue;  // seen from below it would hide everything
      const double depth = (plane.pose.x - ray.origin).dot(normal) / slope;
      if (depth <= 0 || hidden(x, y, camera_.nearness(depth))) continue;
      const Eigen::Vector3d p = ray.origin + depth * ray.direction;
      const double seen = plane_seen(p);
      if (seen < 1e-3) continue;
      const Color lit = shade_surface(solid_color(plane), normal, camera_.toward_eye(p), lamp_,
                                      shadows_.open(p, 0.002 * size_), 0);
      const std::size_t k = std::size_t(y) * width_ + x;
      put(x, y, camera_.nearness(depth), seen * lit + (1 - seen) * color_[k].cast<double>());
    }
}

void Painter::draw_solid(const Solid& solid) {
  const double skin = 0.002 * size_;
  for (int t = 0; t < solid.triangles.cols(); ++t) {
    Eigen::Vector3d p[3], n[3];
    ScreenPoint s[3];
    for (int k = 0; k < 3; ++k) {
      p[k] = solid.pose.apply(solid.vertices.col(solid.triangles(k, t)));
      n[k] = solid.pose.R * solid.normals.col(solid.triangles(k, t));
      s[k] = camera_.project(p[k]);
    }
    const bool away = (p[1] - p[0]).cross(p[2] - p[0]).dot(camera_.toward_eye(p[0])) <= 0;
    if (away && !solid.two_sided) continue;
    const double side = away ? -1 : 1;
    for_each_pixel(s[0], s[1], s[2], width_, height_, [&](int x, int y, double a, double b, double c) {
      const double nearness = a * s[0].nearness + b * s[1].nearness + c * s[2].nearness;
      if (hidden(x, y, nearness)) return;
      a *= camera_.weight(s[0]);
      b *= camera_.weight(s[1]);
      c *= camera_.weight(s[2]);
      const Eigen::Vector3d place = (a * p[0] + b * p[1] + c * p[2]) / (a + b + c);
      const Eigen::Vector3d normal = side * (a * n[0] + b * n[1] + c * n[2]).normalized();
      const Color base = tint_.at(solid, t, Eigen::Vector3d(a, b, c) / (a + b + c));
      const double open = shadows_.open(place, skin);
      Color lit = shade_surface(base, normal, camera_.toward_eye(place), lamp_, open, 0.06);
      if (solid.two_sided) lit += shine_through(base, normal, lamp_, open);
      put(x, y, nearness, lit);
    });
  }
}

/// A little above the surface and darker than it.
void Painter::draw_lines(const Solid& solid, const SurfaceLines& lines, double ink) {
  const double width = kLineWidth * options_.samples;
  const auto lifted = [&](const Eigen::Vector3d& local) -> Eigen::Vector3d {
    const Eigen::Vector3d p = solid.pose.apply(local);
    return p + 1e-3 * size_ * camera_.toward_eye(p);
  };
  for (Eigen::Index k = 0; k < lines.cols(); ++k) {
    const Eigen::Vector3d p = lifted(lines.col(k).head<3>()), q = lifted(lines.col(k).tail<3>());
    if (solid.plane && solid.pose.R.col(2).dot(camera_.toward_eye(p)) <= 0) continue;
    const double left = 1 - ink * (solid.plane ? plane_seen(p) : 1);
    const ScreenPoint a = camera_.project(p), b = camera_.project(q);
    for_each_pixel(a, b, width, width, width_, height_, [&](int x, int y, double t, double) {
      const Eigen::Vector3f surface = color_[std::size_t(y) * width_ + x];
      put(x, y, a.nearness + t * (b.nearness - a.nearness), left * surface.cast<double>());
    });
  }
}

std::vector<Painter::Knot> Painter::knots_of(const Eigen::Matrix3Xd& curve, double radius,
                                             const Color& base) const {
  std::vector<Knot> knots;
  const int count = static_cast<int>(curve.cols());
  for (int k = 0; k < count; ++k) {
    const Eigen::Vector3d x = curve.col(k);
    const Eigen::Vector3d chord = curve.col(std::min(k + 1, count - 1)) - curve.col(std::max(k - 1, 0));
    const Eigen::Vector3d tangent = chord.norm() > 0 ? chord.normalized() : Eigen::Vector3d::UnitZ();
    const ScreenPoint screen = camera_.project(x);
    const double r = std::max(radius * screen.scale, kThinnest * options_.samples);
    const double open = shadows_.open(x, 2 * radius);
    knots.push_back(
        {x, tangent, screen, r, open, shade_fibre(base, tangent, camera_.toward_eye(x), lamp_, open)});
  }
  return knots;
}

void Painter::draw_strand(const Eigen::Matrix3Xd& points, double radius, int index) {
  const Color base = strand_color(index, radius);
  const int pieces = points.cols() < 300 ? 4 : 1;
  std::vector<Knot> knots = knots_of(smoothed(points, pieces), radius, base);
  if (knots.size() == 1) knots.push_back(knots.front());  // a dot
  const bool rod = knots.front().r > kRound * options_.samples;
  for (std::size_t k = 0; !rod && k < knots.size(); ++k) {
    const double s = double(k) / double(knots.size() - 1);
    knots[k].r *= 1 - 0.6 * s * s * s;  // hair ends thin
  }
  for (std::size_t k = 0; k + 1 < knots.size(); ++k)
    if (rod)
      draw_rod(knots[k], knots[k + 1], radius, base);
    else
      draw_fibre(knots[k], knots[k + 1]);
}

void Painter::draw_fibre(const Knot& a, const Knot& b) {
  for_each_pixel(a.screen, b.screen, a.r, b.r, width_, height_, [&](int x, int y, double t, double u) {
    const double nearness = a.screen.nearness + t * (b.screen.nearness - a.screen.nearness);
    put(x, y, nearness, (1 - 0.25 * u * u) * (a.color + t * (b.color - a.color)));
  });
}

void Painter::draw_rod(const Knot& a, const Knot& b, double radius, const Color& base) {
  for_each_pixel(a.screen, b.screen, a.r, b.r, width_, height_, [&](int x, int y, double t, double u) {
    const double bulge = std::sqrt(std::max(0.0, 1 - u * u));
    const double axis = a.screen.nearness + t * (b.screen.nearness - a.screen.nearness);
    const double nearness = camera_.nearness(camera_.depth(axis) - radius * bulge);
    if (hidden(x, y, nearness)) return;
    const Eigen::Vector3d place = a.x + t * (b.x - a.x), eye = camera_.toward_eye(place);
    const Eigen::Vector3d tangent = a.tangent + t * (b.tangent - a.tangent);
    const Eigen::Vector3d side = eye.cross(tangent).normalized();
    const Eigen::Vector3d normal = (u * side + bulge * eye).normalized();
    put(x, y, nearness, shade_surface(base, normal, eye, lamp_, a.open + t * (b.open - a.open), 0.25));
  });
}

Image Painter::resolved() const {
  Image image{options_.width, options_.height, {}};
  image.rgb.reserve(3 * std::size_t(options_.width) * options_.height);
  const int n = options_.samples;
  for (int y = 0; y < options_.height; ++y)
    for (int x = 0; x < options_.width; ++x) {
      Eigen::Vector3d sum = Eigen::Vector3d::Zero();
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
          sum += color_[std::size_t(y * n + j) * width_ + x * n + i].cast<double>().cwiseMin(1.0);
      for (int d = 0; d < 3; ++d)
        image.rgb.push_back(static_cast<std::uint8_t>(std::lround(255 * srgb(sum[d] / (n * n)))));
    }
  return image;
}

void check(const PictureOptions& options) {
  const auto refuse = [](const char* name, int value, int low, int high) {
    if (value < low || value > high)
      throw InputError("picture: " + std::string(name) + " is " + std::to_string(value) + ", expected " +
                       std::to_string(low) + " to " + std::to_string(high));
  };
  refuse("width", options.width, 1, 8192);
  refuse("height", options.height, 1, 8192);
  refuse("samples", options.samples, 1, 8);
  if (!(options.strain_high >= 0) || !std::isfinite(options.strain_high))
    throw InputError("picture: strain_high is " + std::to_string(options.strain_high) +
                     ", expected a number >= 0");
}

}  // namespace

Eigen::Matrix3Xd PictureScene::points() const {
  Eigen::Index count = 0;
  for (const Eigen::Matrix3Xd& strand : strands) count += 6 * strand.cols();
  for (const Solid& solid : solids) count += solid.vertices.cols();
  Eigen::Matrix3Xd all(3, count);
  count = 0;
  for (std::size_t s = 0; s < strands.size(); ++s)
    for (Eigen::Index k = 0; k < strands[s].cols(); ++k)
      for (int d = 0; d < 3; ++d) {
        all.col(count++) = strands[s].col(k) + radii[s] * Eigen::Vector3d::Unit(d);
        all.col(count++) = strands[s].col(k) - radii[s] * Eigen::Vector3d::Unit(d);
      }
  for (const Solid& solid : solids)
    for (Eigen::Index k = 0; k < solid.vertices.cols(); ++k)
      all.col(count++) = solid.pose.apply(solid.vertices.col(k));
  return all;
}

bool PictureScene::has_soft_bodies() const {
  return std::any_of(solids.begin(), solids.end(), [](const Solid& solid) { return solid.soft; });
}

double PictureScene::high_strain() const {
  std::vector<float> values;
  for (const Solid& solid : solids)
    std::copy_if(solid.values.begin(), solid.values.end(), std::back_inserter(values),
                 [](float value) { return value > 0; });
  if (values.empty()) return 0;
  const auto high = values.begin() + static_cast<std::ptrdiff_t>(0.98 * static_cast<double>(values.size()));
  std::nth_element(values.begin(), high, values.end());
  return *high;
}

PictureScene picture_scene(const Manifest& manifest, const Snapshot& snapshot) {
  const auto counts = [](Eigen::Index points, std::size_t obstacles, Eigen::Index mesh_points) {
    return std::to_string(points) + " points, " + std::to_string(obstacles) + " obstacles and " +
           std::to_string(mesh_points) + " mesh points";
  };
  const std::string of_frame =
      counts(snapshot.points.cols(), snapshot.obstacles.size(), snapshot.mesh_points.cols());
  const std::string of_manifest =
      counts(manifest.layout.points(), manifest.obstacles.size(), manifest.layout.mesh_points());
  if (of_frame != of_manifest)
    throw InputError("picture: the frame has " + of_frame + ", the manifest " + of_manifest);
  PictureScene scene{{}, manifest.radii, {}};
  Eigen::Index first = 0;
  for (const int count : manifest.layout.points_per_strand) {
    scene.strands.push_back(snapshot.points.middleCols(first, count));
    first += count;
  }
  for (std::size_t k = 0; k < manifest.obstacles.size(); ++k) {
    scene.solids.push_back(solid_from_json(manifest.obstacles[k]));
    scene.solids.back().pose = snapshot.obstacles[k];
  }
  first = 0;
  for (std::size_t k = 0; k < manifest.meshes.size(); ++k) {
    const int count = manifest.layout.points_per_mesh[k];
    scene.solids.push_back(soft_solid(manifest.meshes[k], static_cast<int>(k),
                                      snapshot.mesh_points.middleCols(first, count),
                                      snapshot.mesh_values.segment(first, count)));
    first += count;
  }
  return scene;
}

Image draw_picture(const PictureScene& scene, const PictureOptions& options) {
  check(options);
  Painter painter(scene, options);
  painter.draw_background();
  for (const Solid& solid : scene.solids)
    if (solid.plane) painter.draw_plane(solid);
  for (const Solid& solid : scene.solids) painter.draw_solid(solid);
  for (const Solid& solid : scene.solids) painter.draw_lines(solid, solid.lines, kLineInk);
  for (const Solid& solid : scene.solids)
    if (options.wireframe && solid.soft) painter.draw_lines(solid, edges_of(solid), kEdgeInk);
  for (std::size_t k = 0; k < scene.strands.size(); ++k)
    painter.draw_strand(scene.strands[k], scene.radii[k], static_cast<int>(k));
  return painter.resolved();
}

}  // namespace capstan::record
