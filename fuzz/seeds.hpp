#pragma once
#include <string>
#include <vector>

/// Small files that are read without complaint, one function for each reader.
namespace capstan::fuzz {

std::vector<std::string> siconos_seeds();
std::vector<std::string> fclib_seeds();
std::vector<std::string> scene_seeds();
std::vector<std::string> obj_seeds();
std::vector<std::string> gmsh_seeds();
std::vector<std::string> tetgen_seeds();
std::vector<std::string> hair_seeds();
std::vector<std::string> usc_seeds();
std::vector<std::string> usd_seeds();
std::vector<std::string> png_seeds();
std::vector<std::string> mjcf_seeds();
std::vector<std::string> checkpoint_seeds();
std::vector<std::string> manifest_seeds();
std::vector<std::string> stats_seeds();

}  // namespace capstan::fuzz
