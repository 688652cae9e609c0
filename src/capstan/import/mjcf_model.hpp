#pragma once
#include <Eigen/Geometry>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "capstan/body/motion.hpp"
#include "capstan/import/mjcf.hpp"

namespace capstan::imports {

/// What of a geom counts here, in the frame of the world.
struct MjcfGeom {
  std::string name, shape;  ///< shape as scenes call it: "sphere", ..., "hull"
  int line = 0;
  Frame pose;
  double radius = 0, length = 0;                   ///< m
  Eigen::Vector3d size = Eigen::Vector3d::Zero();  ///< whole sides of a box, m
  std::filesystem::path file;                      ///< of a hull
  double scale = 1;
  double mu = 1;
  double density = 1000;  ///< kg/m^3
  double mass = 0;        ///< kg; 0: from the density
};

struct MjcfModel {
  std::string title;
  double timestep = 0.002;                  ///< s, MuJoCo's own
  Eigen::Vector3d gravity = {0, 0, -9.81};  ///< m/s^2
  std::vector<MjcfGeom> fixed, free;
  std::vector<ImportNote> notes;
};

MjcfModel read_mjcf(std::string_view xml, const std::string& name, const std::filesystem::path& folder);

}  // namespace capstan::imports
