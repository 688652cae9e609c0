#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// Scenes from other people's formats.
namespace capstan::imports {

/// Something of a model that the scene does not have.
struct ImportNote {
  int line = 0;      ///< of the model, from 1; the first where there are more
  int times = 1;     ///< how often
  std::string text;  ///< "geom: solref is ignored"
};

struct ImportedScene {
  std::string toml;  ///< as `capstan check` accepts it
  int rigid = 0, obstacles = 0;
  std::vector<ImportNote> ignored;  ///< by lines
};

/// Rigid scenes from a subset of MJCF, MuJoCo's format: worldbody, body, frame, freejoint, joint of type
/// free; geom sphere, box, capsule, cylinder, mesh (its convex hull, from .obj) and plane; pos, quat,
/// axisangle, euler, xyaxes, zaxis, fromto; friction, condim 1, density, mass; defaults and classes; compiler
/// angle, eulerseq, meshdir, assetdir; option timestep and gravity. Bodies with a free joint become
/// [[rigid]], others [[obstacle]]. MuJoCo takes the larger mu of a pair: where they differ, [[friction]] says
/// so.
///
/// A body that cannot be what it was (other joints, more than one geom) is left out, and noted; so is
/// everything else that is not understood. `folder` is that of the model, `target` that of the scene: meshes
/// are named as seen from there. InputError `name:line:column: ...` if it is no XML, `name:line: ...` if a
/// number is wrong.
ImportedScene scene_from_mjcf(std::string_view xml, const std::string& name,
                              const std::filesystem::path& folder, const std::filesystem::path& target);

}  // namespace capstan::imports
