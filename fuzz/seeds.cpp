#include "fuzz/seeds.hpp"

#include <algorithm>
#include <filesystem>

#include "capstan/files/fclib.hpp"
#include "capstan/files/hair.hpp"
#include "capstan/files/siconos.hpp"
#include "capstan/files/whole_file.hpp"
#include "capstan/record/checkpoint.hpp"
#include "capstan/record/picture/image.hpp"
#include "capstan/record/recorded_mesh.hpp"
#include "capstan/sample/sample.hpp"
#include "capstan/solve/solver.hpp"

namespace capstan::fuzz {
namespace {

const std::filesystem::path kSource = CAPSTAN_SOURCE_DIR;

template <typename Number>
void put(std::string& bytes, Number value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

ContactProblem in_two_dimensions() {
  Eigen::Matrix2d W;
  W << 4, 3, 1, 5;
  return ContactProblem::from_delassus(BlockMatrix::from_dense(W, 2), Eigen::Vector2d(-1, 0.5),
                                       {ContactLaw::coulomb(0.3)});
}

}  // namespace

std::vector<std::string> siconos_seeds() {
  return {
      files::siconos_text(make_slope(0.3, 0.5), "seed"),
      files::siconos_text(make_stack(2, 0.5), "seed"),
      files::siconos_text(in_two_dimensions(), "seed"),
      "2\n1\n0\n2\n2\n2\t2\n4 1\n3 5\n-1 0.5\n0.3\n",
      "2\n1\n2\n2\n2\n1\nCSparse Version 3.2.0\ntriplet: 2-by-2, nzmax: 3 nnz: 3\n0 0 : 4\n1 0 : 1\n1 1 : 5\n"
      "1 2\n0.5\n1\n",
      "2\n1\n2\n2\n2\n2\nCSparse Version 3.1.9\n2-by-2, nzmax: 3 nnz: 3, 1-norm: 5\ncol 0 : locations 0 to "
      "1\n"
      "0 : 4\n1 : 1\ncol 1 : locations 2 to 2\n1 : 5\n1 2\n0.5\n"};
}

std::vector<std::string> fclib_seeds() {
  const ContactProblem stack = make_stack(2, 0.5), plane = in_two_dimensions();
  const Solution solution = solve(plane);
  const ContactProblem elliptic =
      ContactProblem::from_delassus(plane.W(), plane.b(), {ContactLaw::elliptic(0.2, 0.3)});
  return {files::fclib_image(plane, &solution, {"a title", "words", ""}, "seed"),
          files::fclib_image(stack, nullptr, {}, "seed"), files::fclib_image(elliptic, nullptr, {}, "seed")};
}

/// The shipped scenes that need no other files, smallest first.
std::vector<std::string> scene_seeds() {
  std::vector<std::string> seeds;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kSource / "scenes")) {
    if (entry.path().extension() != ".toml") continue;
    std::string text = files::read_whole_file(entry.path());
    if (text.find("file = ") == std::string::npos) seeds.push_back(std::move(text));
  }
  std::sort(seeds.begin(), seeds.end(), [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  });
  return seeds;
}

std::vector<std::string> obj_seeds() {
  return {
      "# a tent\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 +1.0e0\nvt 0 0\nvt 1 0.5\nf 1 2 3\nf 1/1 2/2 4/1\nf -1 -2 "
      "-3 -4\n",
      "v 0 0 0\nv 1 0 0\nv 2 0.5 0\nl 1 2 \\\n3\nl 3 1\ng name\nvn 0 0 1\nf 1//1 2//1 3//1\n"};
}

std::vector<std::string> gmsh_seeds() {
  return {
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"a $End of names\"\n$EndPhysicalNames\n"
      "$Nodes\n6\n10 0 0 0\n2 1 0 0\n3 0 1 0\n99 5 5 5\n7 0 0 1\n5 +1 1.0e0 1\n$EndNodes\n"
      "$Elements\n4\n1 15 2 0 1 10\n2 2 2 0 1 10 2 3\n3 4 2 1 -1 10 2 3 7\n4 4 0 5 2 3 7\n$EndElements\n",
      "$MeshFormat\r\n4.1 0 8\r\n$EndMeshFormat\r\n$Entities\n0 0 0 1\n1 0 0 0 1 1 1 0 0\n$EndEntities\n"
      "$Nodes\n3 6 2 99\n0 1 0 1\n10\n0 0 0\n2 4 1 2\n2\n3\n1 0 0 0.5 0.25\n0 1 0 0.1 0.2\n"
      "3 1 0 3\n99\n7\n5\n5 5 5\n0 0 1\n1 1 1\n$EndNodes\n"
      "$Elements\n3 4 1 4\n0 1 15 1\n1 10\n2 4 2 1\n2 10 2 3\n3 1 4 2\n3 10 2 3 7\n4 5 2 3 "
      "7\n$EndElements\n"};
}

std::vector<std::string> tetgen_seeds() {
  const std::string nodes =
      "# by hand\n5 3 1 1\n1 0 0 0 0.5 1\n2 1 0 0 0 0\n3 0 1 0 0 0\n4 0 0 1 0 0\n5 1 1 1 0 0\n";
  return {nodes + '\0' + "2 4 1\n1 1 2 3 4 7.5\n2 5 2 3 4 0\n# the end", nodes + '\0' + "1 4 0\n1 1 2 3 4\n"};
}

std::vector<std::string> hair_seeds() {
  HairFile plain;
  plain.strands = {{{0, 0, 0}, {0, 0, 1}, {0, 0.5, 2}}, {{1, 0, 0}, {1, 0, 1}}};
  HairFile thick = plain;
  thick.thickness = {{0.1, 0.1, 0.05}, {0.2, 0.1}};
  return {hair_bytes(plain), hair_bytes(thick)};
}

std::vector<std::string> usc_seeds() {
  std::string bytes;
  put<std::int32_t>(bytes, 3);
  for (const int vertices : {3, 1, 2}) {
    put<std::int32_t>(bytes, vertices);
    for (int k = 0; k < 3 * vertices; ++k) put<float>(bytes, 0.1f * static_cast<float>(k));
  }
  return {bytes};
}

std::vector<std::string> usd_seeds() {
  const std::string curves =
      "int[] curveVertexCounts = [2, 3]\n"
      "point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 2, 0), (0, 3, 0.5)]\n"
      "float[] widths = [0.1, 0.2] (\ninterpolation = \"uniform\"\n)\n";
  return {
      "#usda 1.0\n(\n metersPerUnit = 1\n upAxis = \"Z\"\n)\ndef Xform \"head\" (\n kind = \"group\"\n)\n{\n"
      "def BasisCurves \"hair\"\n{\nuniform token type = \"linear\"\n" +
          curves +
          "double xformOp:rotateZ = 90\nuniform token[] xformOpOrder = [\"xformOp:rotateZ\"]\n}\n"
          "double3 xformOp:translate = (5, 0, 0)\nuniform token[] xformOpOrder = "
          "[\"xformOp:translate\"]\n}\n",
      "#usda 1.0\ndef BasisCurves \"b\"\n{\nuniform token type = \"cubic\"\nuniform token basis = "
      "\"bspline\"\n"
      "uniform token wrap = \"pinned\"\nint[] curveVertexCounts = [5]\npoint3f[] points.timeSamples = {\n"
      "0: [(0, 0, 0), (1, 0, 0), (2, 0, 4), (3, 0, 0), (4, 0, 0)],\n1: [(0, 0, 0)]\n}\n}\n"};
}

std::vector<std::string> png_seeds() {
  record::Image image{4, 3, {}};
  for (int k = 0; k < 36; ++k) image.rgb.push_back(static_cast<std::uint8_t>(7 * k));
  return {record::png_bytes(image)};
}

std::vector<std::string> mjcf_seeds() {
  return {
      "<mujoco model=\"test\">\n<compiler angle=\"radian\" eulerseq=\"xyz\"/>\n<option timestep=\"0.002\" "
      "gravity=\"0 0 "
      "-9.81\"/>\n<default><geom friction=\"0.5\"/><default class=\"small\"><geom "
      "size=\"0.1\"/></default></default>\n"
      "<worldbody>\n<geom type=\"plane\" size=\"1 1 0.1\"/>\n<body pos=\"0 0 1\" euler=\"0.1 0 "
      "0\"><freejoint/>"
      "<geom type=\"box\" size=\"0.1 0.2 0.3\" density=\"500\"/></body>\n"
      "<body name=\"b\" quat=\"1 0 0 0\"><joint type=\"free\"/><geom class=\"small\" "
      "type=\"sphere\"/></body>\n"
      "<body><body pos=\"1 2 3\"><freejoint/><geom type=\"capsule\" fromto=\"0 0 0 0 0 1\" "
      "size=\"0.1\"/></body></body>\n"
      "</worldbody>\n</mujoco>\n"};
}

std::vector<std::string> checkpoint_seeds() {
  record::Checkpoint checkpoint{
      0.25, 0.001, 40, 3, {{"strands/q", {1, 2, 3}}, {"contacts", {}}}, {{"ids", {4, -1}}}};
  return {record::checkpoint_bytes(checkpoint)};
}

std::vector<std::string> manifest_seeds() {
  record::RecordedMesh mesh{"sheet", record::RecordedMesh::Kind::cloth, {}, 0.001, Eigen::Matrix3Xi(3, 1)};
  mesh.triangles << 0, 1, 2;
  const std::string head =
      "{\"format\": \"capstan run\", \"version\": 1, \"scene\": \"a.toml\", \"finished\": true, \"fps\": "
      "25.0, \"dofs\": 12, "
      "\"tolerance\": 0.0001, \"friction\": \"0.3\", \"points_per_strand\": [4, 5], \"radii\": [0.001, "
      "0.002], "
      "\"obstacles\": [{\"shape\": \"sphere\", \"radius\": 0.1, \"name\": \"ball\"}], ";
  const std::string frames =
      "\"frames\": {\"file\": \"frames.bin\", \"version\": 4, \"written\": 2, \"step\": 7.62939453125e-06, "
      "\"per_chunk\": 12, "
      "\"chunks\": [{\"offset\": 88, \"bytes\": 233, \"first\": 0, \"times\": [0.0, 0.04]}]}";
  return {
      head + frames + "}",
      head + "\"meshes\": [" + record::mesh_json(mesh, 3) + "], " + frames +
          ", \"end\": {\"penetration\": 1e-5, \"penetration_obstacle\": 0.0, \"penetration_ratio\": 0.01}}"};
}

std::vector<std::string> stats_seeds() {
  return {
      "step,t,dt,contacts,nu,sweeps,error,converged,seconds_detect,seconds_assemble,seconds_solve,seconds_"
      "advance,"
      "seconds_record,energy_kinetic,energy_elastic,energy_gravity,penetration,penetration_obstacle,"
      "penetration_ratio,crossings,status\n"
      "1,0.01,0.01,3,0.75,4,1e-05,1,0.001,0.001,0.002,0.001,0,0.5,0,-1.25,1e-06,0,0.001,0,converged\n"
      "2,0.02,0.01,4,0.8,40,0.001,0,0.001,0.001,0.002,0.001,0.003,0.5,0.25,-1.5,0,0,nan,-1,iteration_limit\n"
      "3,0.03,0.01,0,0,0,0,1,0.001,0.001,0.002,0.001,0,0.5,0.25,-1.5,0,0,0,0,converged\n",
      "step,t,dt,contacts,nu,sweeps,error,converged,seconds_detect,seconds_assemble,seconds_solve,seconds_"
      "advance,"
      "seconds_record,energy_kinetic,energy_elastic,energy_gravity,penetration,penetration_obstacle,status\n"
      "1,0.01,0.01,3,0.75,4,1e-05,1,0.001,0.001,0.002,0.001,0,0.5,0,-1.25,1e-06,0,converged\n"};
}

}  // namespace capstan::fuzz
