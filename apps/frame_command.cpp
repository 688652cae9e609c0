#include <fmt/format.h>

#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <optional>

#include "apps/commands.hpp"
#include "apps/suggest.hpp"
#include "apps/terminal.hpp"
#include "capstan/errors.hpp"
#include "capstan/files/whole_file.hpp"
#include "capstan/record/frame_reader.hpp"
#include "capstan/record/manifest.hpp"
#include "capstan/record/picture/picture.hpp"

namespace capstan::app {
namespace {

struct FrameArguments {
  std::string run, output, view = "three-quarter", color = "own";
  std::optional<double> at, azimuth, elevation;
  std::optional<int> frame;
  record::PictureOptions picture;
};

/// Azimuth and elevation, degrees.
const std::map<std::string, std::pair<double, double>>& views() {
  static const std::map<std::string, std::pair<double, double>> known = {
      {"three-quarter", {150, 12}}, {"front", {180, 5}}, {"back", {0, 5}},
      {"left", {-90, 5}},           {"right", {90, 5}},  {"top", {0, 90}}};
  return known;
}

record::View view_of(const FrameArguments& arguments) {
  const auto found = views().find(arguments.view);
  if (found == views().end()) {
    std::vector<std::string> names;
    for (const auto& [name, angles] : views()) names.push_back(name);
    throw InputError(fmt::format("there is no view '{}'{}; expected one of {}", arguments.view,
                                 did_you_mean(arguments.view, names), fmt::join(names, ", ")));
  }
  record::View view = arguments.picture.view;
  view.azimuth = arguments.azimuth.value_or(found->second.first);
  view.elevation = arguments.elevation.value_or(found->second.second);
  return view;
}

record::MeshColor mesh_color_of(const std::string& name) {
  if (name == "own") return record::MeshColor::own;
  if (name == "strain") return record::MeshColor::strain;
  throw InputError("--color: is '" + name + "', expected own or strain");
}

/// What is asked for soft bodies must find some.
void check_soft_options(const record::PictureOptions& options, const record::PictureScene& scene) {
  if (scene.has_soft_bodies()) return;
  if (options.mesh_color != record::MeshColor::own)
    throw InputError("--color: is 'strain', expected own: the run has no soft bodies");
  if (options.wireframe) throw InputError("--wireframe: the run has no soft bodies");
}

/// By number, by time, or the last one.
int frame_of(const FrameArguments& arguments, const record::FrameReader& reader) {
  if (arguments.frame) {
    reader.time(*arguments.frame);  // refuses one that is not there
    return *arguments.frame;
  }
  const int last = reader.frames() - 1;
  if (!arguments.at) return reader.frame_at(std::numeric_limits<double>::infinity());
  const int frame = reader.frame_at(*arguments.at);
  const double end = reader.time(last), spacing = last > 0 ? end / last : 0.0;
  if (!(*arguments.at >= 0 && *arguments.at <= end + spacing))
    throw InputError(fmt::format("--at: is {:.6g} s, expected 0 to {:.6g}, where the frames of {} end",
                                 *arguments.at, end, arguments.run));
  return frame;
}

int draw_frame(const FrameArguments& arguments) {
  const std::string extension = std::filesystem::path(arguments.output).extension().string();
  if (extension != ".png" && extension != ".svg")
    throw InputError("frame: -o is '" + arguments.output + "', expected a name that ends in .png or .svg");
  record::PictureOptions options = arguments.picture;
  options.view = view_of(arguments);
  options.mesh_color = mesh_color_of(arguments.color);
  const record::Manifest manifest = record::read_manifest(arguments.run);
  record::FrameReader reader(arguments.run, manifest);
  if (!reader.dropped().empty()) fmt::print(stderr, "capstan: {}: {}\n", arguments.run, reader.dropped());
  const int frame = frame_of(arguments, reader);
  const record::PictureScene scene = record::picture_scene(manifest, reader.read(frame));
  check_soft_options(options, scene);
  if (options.strain_high == 0) options.strain_high = scene.high_strain();
  files::make_folders_for(arguments.output);
  Progress progress;
  progress.start("drawing");
  files::write_whole_file(arguments.output, extension == ".png" ? png_bytes(draw_picture(scene, options))
                                                                : draw_svg(scene, options));
  progress.clear();
  fmt::print("{}: frame {} of {}, t = {:.4g} s\n", arguments.output, frame, reader.frames(),
             reader.time(frame));
  if (options.mesh_color == record::MeshColor::strain)
    fmt::print("strain: blue is 0, yellow is {:.3g}\n", options.strain_high);
  return kAllConverged;
}

}  // namespace

void add_frame_command(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<FrameArguments>();
  CLI::App* command = app.add_subcommand("frame", "Draw one frame of a run");
  command->add_option("DIR", arguments->run, "Folder of a run; it may still be going on")->required();
  CLI::Option* at =
      command->add_option("--at", arguments->at, "Time; the nearest frame is taken")->type_name("S");
  command
      ->add_option("--frame", arguments->frame,
                   "Number of the frame, from 0; the last one if neither is given")
      ->type_name("N")
      ->excludes(at);
  command->add_option("-o,--output", arguments->output, "Picture to write, .png or .svg")
      ->type_name("FILE")
      ->required();
  command->add_option("--width", arguments->picture.width, "Pixels")->capture_default_str();
  command->add_option("--height", arguments->picture.height, "Pixels")->capture_default_str();
  command
      ->add_option("--samples", arguments->picture.samples, "A pixel and direction, 1 to 8, against stairs")
      ->capture_default_str();
  command->add_option("--view", arguments->view, "three-quarter, front, back, left, right, top")
      ->capture_default_str();
  command->add_option("--azimuth", arguments->azimuth, "Instead of the view's, degrees; 0 looks along +y");
  command->add_option("--elevation", arguments->elevation,
                      "Instead of the view's, degrees above the horizon");
  command->add_option("--zoom", arguments->picture.view.zoom, "2: twice as large")->capture_default_str();
  command->add_flag("--orthographic", arguments->picture.view.orthographic, "Without perspective");
  command->add_option("--color", arguments->color, "Of soft bodies: own, strain")->capture_default_str();
  command
      ->add_option("--strain-high", arguments->picture.strain_high,
                   "Strain at the end of the scale; from the frame if it is 0")
      ->capture_default_str();
  command->add_flag("--wireframe", arguments->picture.wireframe, "Edges of soft bodies as faint lines");
  command->footer(R"(
Examples:
  capstan frame runs/hair --at 1.5 -o hair.png
  capstan frame runs/hair --view back --zoom 1.5 -o back.svg
  capstan frame runs/cloth --color strain --wireframe -o strain.png)");
  command->callback([&action, arguments] { action = [arguments] { return draw_frame(*arguments); }; });
}

}  // namespace capstan::app
