#pragma once
#include <Eigen/Core>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capstan/body/motion.hpp"
#include "capstan/body/strand.hpp"
#include "capstan/law/pair_friction.hpp"
#include "capstan/scene/material.hpp"

namespace capstan {

/// What a scene file says, checked, in SI units. z is up. docs/scene.md explains every key.
struct SimulationSettings {
  double duration = 1;   ///< s, > 0
  double fps = 25;       ///< frames kept per second, > 0
  double dt = 1e-3;      ///< s, > 0; the largest step if adaptive
  double dt_min = 1e-6;  ///< s, > 0, not above dt
  bool adaptive = true;
  double theta = 1;  ///< 0.5 to 1
  Eigen::Vector3d gravity = Eigen::Vector3d(0, 0, -9.81);
  Eigen::Vector3d air = Eigen::Vector3d::Zero();  ///< m/s
  double tolerance = 1e-4;                        ///< of the contact solve, > 0
  std::string solver = "auto";                    ///< a name from solvers()
  int max_sweeps = 0;                             ///< a solve; 0: as many as it takes
  bool warm_start = true;
  bool untangle = true;  ///< overlaps are moved apart before t = 0
  int threads = 0;       ///< 0: one a core

  /// The first one at t = 0 and the last at the end.
  int frames() const;
};

/// Keyframes and swings relative to a rest pose that is known later.
struct MotionScript {
  std::vector<Motion::Key> keys;
  Motion::Interpolation interpolation = Motion::Interpolation::smooth;
  std::vector<Motion::Oscillation> oscillations;
  std::string follow;  ///< obstacle that carries it; empty: none

  bool still() const { return keys.empty() && oscillations.empty(); }
};

struct EndScript {
  Hold hold = Hold::free;
  MotionScript motion;
};

/// What strands, grooms and bundles have in common.
struct RodChoice {
  std::string name;
  std::string model = "super_helix";  ///< super_helix, mass_spring, corde or discrete_elastic
  std::string material;
  int elements = 10;  ///< >= 1
  /// as_given by default for grooms from files.
  enum class Rest { material, straight, as_given } rest = Rest::material;
  std::optional<Eigen::Vector3d> natural_curvature;  ///< 1/m: tau, kappa_1, kappa_2; else the material's
  std::optional<double> collision_radius;            ///< m, > 0; else the material's
  bool self_contact = true;                          ///< false by default for grooms
  double skip_root = 0;                              ///< m, >= 0; 0.01 by default for grooms
};

struct StrandScript : RodChoice {
  enum class Shape { points, line, natural, arc, helix, wrap, overhand_knot } shape = Shape::line;
  std::vector<Eigen::Vector3d> points;                   ///< m
  Eigen::Vector3d start = Eigen::Vector3d::Zero();       ///< m
  Eigen::Vector3d direction = Eigen::Vector3d::UnitX();  ///< unit
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();      ///< zero: any
  double length = 0;                                     ///< m
  double radius = 0, pitch = 0;                          ///< m
  double angle = 0;                                      ///< rad
  Eigen::Vector2d tails = Eigen::Vector2d::Zero();       ///< m
  double twist = 0;                                      ///< rad
  EndScript root, tip;
  struct Load {
    double at = 1;  ///< part of the length, 0 to 1
    Eigen::Vector3d force = Eigen::Vector3d::Zero();
  };
  std::vector<Load> loads;
};

struct Groom : RodChoice {
  std::string on;                       ///< obstacle that carries the roots; may be empty with a file
  int count = 0;                        ///< >= 1
  double length = 0.25;                 ///< m, > 0
  double length_spread = 0.1;           ///< 0 to 0.9
  double hairline_front = 1;            ///< rad from the top
  double hairline_back = 2;             ///< rad from the top
  double lift = 0.5;                    ///< 0 to 1
  double droop = 0.04;                  ///< m, > 0
  double flare = 0.3;                   ///< rad
  double volume = 0.02;                 ///< m, >= 0
  std::optional<Eigen::Vector2d> curl;  ///< m: radius, pitch
  double curl_spread = 0.1;             ///< 0 to 0.9
  double jitter = 0.3;                  ///< 0 to 1
  std::uint64_t seed = 1;

  std::filesystem::path file;  ///< empty: grown
  double scale = 1;            ///< m per unit
  char up = 'z';
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  std::optional<int> limit;
};

struct Bundle : RodChoice {
  int count = 0;                                         ///< >= 1
  double length = 0;                                     ///< m, > 0
  double length_spread = 0;                              ///< 0 to 0.9
  Eigen::Vector3d center = Eigen::Vector3d::Zero();      ///< m
  Eigen::Vector3d direction = Eigen::Vector3d::UnitX();  ///< unit
  double spacing = 0;                                    ///< m, >= 0
  double tilt = 0, spread = 0;                           ///< rad
  double bend = 0;                                       ///< 1/m
  std::optional<double> droop;                           ///< m
  std::uint64_t seed = 1;
  EndScript root;
};

/// The structure of a surface, in the frame of its body. docs/friction.md says what the kinds are.
struct StructureSpec {
  enum class Kind {
    constant,
    axial,
    radial,
    concentric,
    sweep,
    channel,
    spread,
    slalom,
    texture,
    mesh_texture,
    vertices
  } kind = Kind::constant;
  Eigen::Vector3d direction = Eigen::Vector3d::UnitX();  ///< constant, sweep
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();       ///< axial, radial, concentric, sweep
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();      ///< m
  Eigen::Vector3d reference = Eigen::Vector3d::UnitX();  ///< sweep: where it has its direction, m
  Eigen::Vector3d x = Eigen::Vector3d::UnitX();  ///< steering: where things slide; texture: its width, m
  Eigen::Vector3d y = Eigen::Vector3d::UnitY();  ///< sideways; texture: its height, m
  double angle = 0;                              ///< steering, rad
  double width = 0, wavelength = 1;              ///< m
  std::filesystem::path file;                    ///< of a texture or mesh_texture; of vertices without a list
  bool repeat = true;                            ///< texture, mesh_texture
  std::vector<Eigen::Vector3d> directions;       ///< of vertices, axes of the mesh's file
  std::string place;                             ///< file:line:column, for what is found wrong later
};

/// The form of a rigid thing. Axes of capsule and cylinder and the normal of a plane are the z axis of its
/// frame.
struct SolidSpec {
  std::string name;
  enum class Shape {
    plane,
    sphere,
    capsule,
    box,
    cylinder,
    hull,
    mesh,
    head,
    shoulders,
    bust
  } shape = Shape::plane;
  double radius = 0;                               ///< m: sphere, capsule, cylinder
  double length = 0;                               ///< m: of the axis of capsule and cylinder
  Eigen::Vector3d size = Eigen::Vector3d::Zero();  ///< m: whole sides of a box
  std::filesystem::path file;                      ///< of a mesh or hull
  std::vector<Eigen::Vector3d> points;             ///< m: of a hull without a file
  double scale = 1;                                ///< of a mesh, hull, head, shoulders or bust
  char up = 'z';                                   ///< of a mesh or hull
  std::optional<StructureSpec> structure;          ///< of its surface
};

/// A rigid thing that moves as told.
struct ObstacleSpec : SolidSpec {
  std::optional<double> friction;  ///< else that of what touches it
  Motion motion;                   ///< pose at any time
};

/// Rigid bodies that move freely: one, or copies on a grid.
struct RigidSpec : SolidSpec {
  double density = 1000;                               ///< kg/m^3, > 0
  double friction = 0.5;                               ///< mu against itself
  Frame pose;                                          ///< of the first one at the start
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  ///< m/s
  Eigen::Vector3d spin = Eigen::Vector3d::Zero();      ///< rad/s, world axes
  Eigen::Vector3i repeat = Eigen::Vector3i::Ones();    ///< copies along x, y, z of the world
  Eigen::Vector3d spacing = Eigen::Vector3d::Zero();   ///< m, between their middles
  double jitter = 0;                                   ///< m, >= 0: random shift of each copy
  double tumble = 0;                                   ///< rad, >= 0: random turn of each copy
  std::uint64_t seed = 1;

  int count() const { return repeat.prod(); }
};

/// Nodes between two corners of a box at the start, and where they go.
struct HoldScript {
  Eigen::Vector3d low = Eigen::Vector3d::Zero(), high = Eigen::Vector3d::Zero();  ///< m
  MotionScript motion;
};

/// What cloth and soft solids have in common.
struct SoftSpec {
  std::string name;
  Frame pose;
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  ///< m/s
  Eigen::Vector3d spin = Eigen::Vector3d::Zero();      ///< rad/s, world axes
  std::filesystem::path file;                          ///< empty: made here
  double scale = 1;                                    ///< m per unit
  char up = 'z';
  double friction = 0.5;    ///< mu against itself
  double damping = 1e-3;    ///< s, >= 0
  double mass_damping = 0;  ///< 1/s, >= 0
  bool self_contact = true;
  std::optional<StructureSpec> structure;
  std::vector<HoldScript> holds;
};

struct ClothSpec : SoftSpec {
  Eigen::Vector2d size = Eigen::Vector2d::Ones();  ///< m
  Eigen::Vector2i cells = Eigen::Vector2i::Ones();
  std::string model = "membrane";  ///< or mass_spring
  double density = 0.2;            ///< kg/m^2, > 0
  double stretch = 500;            ///< N/m, > 0
  double poisson = 0.3;
  double shear = 150;                   ///< N/m, >= 0
  double bending = 1e-5;                ///< N m, >= 0
  double thickness = 2e-3;              ///< m, > 0
  double drag = 0.5, skin_drag = 0.02;  ///< N s/m^3, >= 0
};

struct SolidSoftSpec : SoftSpec {
  SolidSoftSpec() { self_contact = false; }
  std::string shape = "box";                       ///< box, ball, file or fill
  Eigen::Vector3d size = Eigen::Vector3d::Ones();  ///< m
  Eigen::Vector3i cells = Eigen::Vector3i::Ones();
  double radius = 1, cell = 1;         ///< m, > 0
  std::string model = "corotational";  ///< or neo_hookean
  double density = 1000;               ///< kg/m^3, > 0
  double young = 1e4;                  ///< Pa, > 0
  double poisson = 0.4;
  std::optional<double> skin;  ///< m, > 0
};

/// Friction of a pair, in the order of the file: the last one that fits holds.
struct FrictionPair {
  std::string a, b;
  PairFriction friction;
};

struct Scene {
  std::string title;
  SimulationSettings simulation;
  std::vector<Material> materials;  ///< of the file; presets are known without
  std::vector<FrictionPair> friction;
  std::vector<StrandScript> strands;
  std::vector<Groom> grooms;
  std::vector<Bundle> bundles;
  std::vector<RigidSpec> rigid;
  std::vector<ClothSpec> cloth;
  std::vector<SolidSoftSpec> soft;
  std::vector<ObstacleSpec> obstacles;
  std::filesystem::path folder;  ///< what paths in the file are relative to

  /// Of the file or built in; nullptr if there is none.
  const Material* find_material(const std::string& name) const;
  const ObstacleSpec* find_obstacle(const std::string& name) const;
};

/// A change to a scene before it is read: "groom.0.count=250", "simulation.duration = 3". The value is TOML.
struct Override {
  std::string path, value;
};
/// Throws InputError unless it is PATH=VALUE.
Override parse_override(const std::string& text);

/// Throws InputError that lists all that is wrong, one line "file:line:column: key: is X, expected Y" each.
/// Files that it names are looked for beside `file_name`.
Scene parse_scene(std::string_view text, const std::string& file_name,
                  const std::vector<Override>& overrides = {});
/// The [[friction]] tables of a text that has nothing else, between things of this scene.
std::vector<FrictionPair> parse_friction(std::string_view text, const std::string& file_name,
                                         const Scene& scene);
Scene read_scene(const std::filesystem::path& path, const std::vector<Override>& overrides = {});

}  // namespace capstan
