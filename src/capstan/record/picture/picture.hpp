#pragma once
#include <string>
#include <vector>

#include "capstan/record/manifest.hpp"
#include "capstan/record/picture/camera.hpp"
#include "capstan/record/picture/image.hpp"
#include "capstan/record/picture/solid.hpp"
#include "capstan/record/snapshot.hpp"

namespace capstan::record {

/// What there is to see in one frame.
struct PictureScene {
  std::vector<Eigen::Matrix3Xd> strands;
  std::vector<double> radii;  ///< one a strand, m
  std::vector<Solid> solids;  ///< placed; obstacles and rigid bodies, then soft bodies
  /// What should be in the picture: strands with their thickness, all bodies but planes.
  Eigen::Matrix3Xd points() const;
  bool has_soft_bodies() const;
  /// Strain below which 98 of 100 vertices lie that have any: the end of a scale that no outlier spoils.
  double high_strain() const;
};

PictureScene picture_scene(const Manifest& manifest, const Snapshot& snapshot);

enum class MeshColor { own, strain };

struct PictureOptions {
  int width = 1200, height = 900;  ///< pixels
  int samples = 3;                 ///< a pixel and direction, against stairs
  View view;
  MeshColor mesh_color = MeshColor::own;  ///< of soft bodies
  double strain_high = 0;                 ///< strain at the end of the scale; 0: high_strain()
  bool wireframe = false;                 ///< the edges of soft bodies as faint lines
};

/// Strands are lit as fibres where they are thin on the screen [Kajiya, Kay 1989] and as round rods where
/// they are thick; light fades on its way through the hair, and all other bodies throw shadows. No threads,
/// no random numbers: the same frame gives the same picture.
Image draw_picture(const PictureScene& scene, const PictureOptions& options);

/// The same view as lines and polygons from back to front, without shadows.
std::string draw_svg(const PictureScene& scene, const PictureOptions& options);

}  // namespace capstan::record
