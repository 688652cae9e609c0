#include "capstan/scene/keys.hpp"

namespace capstan {
namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();
const KeyRange kAboveZero{0, kEndless, false, true}, kFromZero{0, kEndless}, kWholeNumber{1, 1000};

std::vector<KeyInfo> common_soft_keys() {
  return {
      {"deformable", "name", "text", "", "the section and a number", "What others refer to"},
      {"deformable", "position", "3 numbers", "m", "[0, 0, 0]", "Of the middle, or of a file's origin"},
      {"deformable", "rotation", "3 numbers", "rad", "[0, 0, 0]", "Rotation vector"},
      {"deformable", "velocity", "3 numbers", "m/s", "[0, 0, 0]", "At the start"},
      {"deformable", "spin", "3 numbers", "rad/s", "[0, 0, 0]",
       "Angular velocity at the start, about the position"},
      {"deformable", "file", "text", "", "required unless made here",
       "Beside the scene. Cloth: .obj; soft: .msh or .node with its .ele, or a closed .obj to be filled"},
      {"deformable", "scale", "number", "m", "1", "Metres per unit of a file", kAboveZero},
      {"deformable", "up", "text", "", "\"z\"", "The file's axis that points up", {}, {"x", "y", "z"}},
      {"deformable", "friction", "number", "", "0.5", "Coulomb's mu against itself", kFromZero},
      {"deformable", "damping", "number", "s", "1e-3", "Against the rate of strain, times the stiffness",
       kFromZero},
      {"deformable", "mass_damping", "number", "1/s", "0", "Part of the momentum lost in a second",
       kFromZero},
      {"deformable", "self_contact", "boolean", "", "true for cloth", "Whether it meets itself"},
      {"deformable", "structure", "table", "", "none",
       "Grain of the surface, in the frame of the rest shape"},
      {"deformable", "hold", "tables", "", "none", "Nodes that are held, or led"},
      {"hold", "low", "3 numbers", "m", "required", "A corner of a box, in the world at the start,"},
      {"hold", "high", "3 numbers", "m", "required", "and the opposite one: nodes in between are held"},
  };
}

std::vector<KeyInfo> cloth_keys() {
  return {
      {"cloth",
       "shape",
       "text",
       "",
       "\"grid\"",
       "A sheet in the plane z = 0 of its frame, or a file",
       {},
       {"grid", "file"}},
      {"cloth", "size", "2 numbers", "m", "required for grid", "Along x and y", kAboveZero},
      {"cloth", "cells", "2 numbers", "", "required for grid", "Squares of two triangles along x and y",
       kWholeNumber},
      {"cloth", "model", "text", "", "\"membrane\"", "docs/soft.md", {}, {"membrane", "mass_spring"}},
      {"cloth", "density", "number", "kg/m^2", "0.2", "Mass per area", kAboveZero},
      {"cloth", "stretch", "number", "N/m", "500", "Young's modulus times thickness", kAboveZero},
      {"cloth", "poisson", "number", "", "0.3", "Membrane: Poisson's ratio", {-1, 0.5, false, false}},
      {"cloth", "shear", "number", "N/m", "150", "Mass-spring: across the diagonals", kFromZero},
      {"cloth", "bending", "number", "N m", "1e-5", "Couple per length and curvature", kFromZero},
      {"cloth", "thickness", "number", "m", "2e-3", "What it touches others with, half to each side",
       kAboveZero},
      {"cloth", "drag", "number", "N s/m^3", "0.5", "Of air across the sheet, per area", kFromZero},
      {"cloth", "skin_drag", "number", "N s/m^3", "0.02", "Of air along the sheet, per area", kFromZero},
  };
}

std::vector<KeyInfo> solid_soft_keys() {
  return {
      {"soft",
       "shape",
       "text",
       "",
       "required",
       "Made of tetrahedra here, or from a file",
       {},
       {"box", "ball", "file", "fill"}},
      {"soft", "size", "3 numbers", "m", "required for box", "Whole lengths of the sides", kAboveZero},
      {"soft", "cells", "3 numbers", "", "required for box", "Cells along x, y and z", kWholeNumber},
      {"soft", "radius", "number", "m", "required for ball", "Radius", kAboveZero},
      {"soft", "cell", "number", "m", "required for ball, fill", "Side of the cells", kAboveZero},
      {"soft", "model", "text", "", "\"corotational\"", "docs/soft.md", {}, {"corotational", "neo_hookean"}},
      {"soft", "density", "number", "kg/m^3", "1000", "Mass per volume", kAboveZero},
      {"soft", "young", "number", "Pa", "1e4", "Young's modulus", kAboveZero},
      {"soft", "poisson", "number", "", "0.4", "Poisson's ratio", {-1, 0.5, false, false}},
      {"soft", "skin", "number", "m", "a hundredth of its size",
       "What it touches others with, around its mesh", kAboveZero},
  };
}

}  // namespace

std::vector<KeyInfo> soft_keys() {
  std::vector<KeyInfo> all = common_soft_keys();
  for (const auto& part : {cloth_keys(), solid_soft_keys()}) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace capstan
