#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "capstan/record/picture/picture.hpp"
#include "capstan/record/picture/shading.hpp"
#include "capstan/record/picture/soft_solid.hpp"

namespace capstan::record {
namespace {

struct Shape {
  double nearness;
  std::string svg;
};

std::string hex(const Color& color) {
  char text[8];
  const auto channel = [](double value) { return int(std::lround(255 * srgb(value))); };
  std::snprintf(text, sizeof text, "#%02x%02x%02x", channel(color[0]), channel(color[1]), channel(color[2]));
  return text;
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

std::string points_text(const std::vector<ScreenPoint>& points) {
  std::string text;
  for (const ScreenPoint& p : points) text += (text.empty() ? "" : " ") + number(p.x) + "," + number(p.y);
  return text;
}

void add_solid(std::vector<Shape>& shapes, const Solid& solid, const SolidTint& tint, bool wireframe,
               const Camera& camera, const Lamp& lamp) {
  for (int t = 0; t < solid.triangles.cols(); ++t) {
    Eigen::Vector3d p[3], normal = Eigen::Vector3d::Zero();
    std::vector<ScreenPoint> screen;
    for (int k = 0; k < 3; ++k) {
      p[k] = solid.pose.apply(solid.vertices.col(solid.triangles(k, t)));
      normal += solid.pose.R * solid.normals.col(solid.triangles(k, t));
      screen.push_back(camera.project(p[k]));
    }
    const Eigen::Vector3d middle = (p[0] + p[1] + p[2]) / 3, eye = camera.toward_eye(middle);
    const bool away = (p[1] - p[0]).cross(p[2] - p[0]).dot(eye) <= 0;
    if (away && !solid.two_sided) continue;
    if (!screen[0].in_front || !screen[1].in_front || !screen[2].in_front) continue;
    const Color base = tint.at(solid, t, Eigen::Vector3d::Constant(1.0 / 3));
    const Eigen::Vector3d toward = (away ? -1 : 1) * normal.normalized();
    Color lit = shade_surface(base, toward, eye, lamp, 1, 0.06);
    if (solid.two_sided) lit += shine_through(base, toward, lamp, 1);
    const std::string color = hex(lit), edge = wireframe && solid.soft ? hex(0.6 * lit) : color;
    shapes.push_back({camera.project(middle).nearness, "<polygon points=\"" + points_text(screen) +
                                                           "\" fill=\"" + color + "\" stroke=\"" + edge +
                                                           "\"/>\n"});
  }
}

void add_strand(std::vector<Shape>& shapes, const Eigen::Matrix3Xd& points, double radius, int index,
                const Camera& camera, const Lamp& lamp) {
  const Eigen::Matrix3Xd curve = smoothed(points, points.cols() < 300 ? 3 : 1);
  constexpr int kRun = 3;  // short runs, so that they can be sorted and shaded
  for (int first = 0; first + 1 < curve.cols(); first += kRun) {
    const int last = std::min<int>(first + kRun, static_cast<int>(curve.cols()) - 1);
    std::vector<ScreenPoint> screen;
    for (int k = first; k <= last; ++k) screen.push_back(camera.project(curve.col(k)));
    if (!std::all_of(screen.begin(), screen.end(), [](const ScreenPoint& p) { return p.in_front; })) continue;
    const Eigen::Vector3d middle = curve.col((first + last) / 2);
    const Eigen::Vector3d tangent = (curve.col(last) - curve.col(first)).normalized();
    const Color color =
        shade_fibre(strand_color(index, radius), tangent, camera.toward_eye(middle), lamp, 0.8);
    const ScreenPoint at = camera.project(middle);
    shapes.push_back({at.nearness, "<polyline points=\"" + points_text(screen) +
                                       "\" fill=\"none\" stroke=\"" + hex(color) + "\" stroke-width=\"" +
                                       number(std::max(1.0, 2 * radius * at.scale)) + "\"/>\n"});
  }
}

}  // namespace

std::string draw_svg(const PictureScene& scene, const PictureOptions& options) {
  const Camera camera = Camera::fitted(scene.points(), options.view, options.width, options.height);
  const Lamp lamp(camera);
  std::vector<Shape> shapes;
  const SolidTint tint(scene, options);
  for (const Solid& solid : scene.solids) add_solid(shapes, solid, tint, options.wireframe, camera, lamp);
  for (std::size_t k = 0; k < scene.strands.size(); ++k)
    add_strand(shapes, scene.strands[k], scene.radii[k], static_cast<int>(k), camera, lamp);
  std::stable_sort(shapes.begin(), shapes.end(),
                   [](const Shape& a, const Shape& b) { return a.nearness < b.nearness; });
  const std::string width = std::to_string(options.width), height = std::to_string(options.height);
  std::string text =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width + "\" height=\"" + height +
      "\" viewBox=\"0 0 " + width + " " + height + "\">\n<defs><linearGradient id=\"sky\" x2=\"0\" " +
      "y2=\"1\"><stop stop-color=\"" + hex(background(0)) + "\"/><stop offset=\"1\" stop-color=\"" +
      hex(background(1)) + "\"/></linearGradient></defs>\n<rect width=\"100%\" height=\"100%\" " +
      "fill=\"url(#sky)\"/>\n<g stroke-linecap=\"round\" stroke-linejoin=\"round\" stroke-width=\"0.6\">\n";
  for (const Shape& shape : shapes) text += shape.svg;
  return text + "</g>\n</svg>\n";
}

}  // namespace capstan::record
