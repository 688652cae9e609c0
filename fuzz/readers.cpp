#include "fuzz/readers.hpp"

#include <algorithm>

#include "capstan/errors.hpp"
#include "capstan/files/fclib.hpp"
#include "capstan/files/hair.hpp"
#include "capstan/files/obj.hpp"
#include "capstan/files/siconos.hpp"
#include "capstan/files/tet_files.hpp"
#include "capstan/files/usc_data.hpp"
#include "capstan/files/usd_curves.hpp"
#include "capstan/import/mjcf.hpp"
#include "capstan/record/checkpoint.hpp"
#include "capstan/record/manifest.hpp"
#include "capstan/record/statistics.hpp"
#include "capstan/record/summary.hpp"
#include "capstan/scene/scene.hpp"
#include "capstan/surface/texture_field.hpp"
#include "fuzz/allocations.hpp"
#include "fuzz/frames.hpp"
#include "fuzz/seeds.hpp"

namespace capstan::fuzz {
namespace {

constexpr std::size_t kMegabyte = 1 << 20;
constexpr const char* kName = "fuzz";

void read_siconos_text(std::string_view bytes) { files::parse_siconos(bytes, kName); }

void read_fclib_file(std::string_view bytes) {
  files::parse_fclib(bytes, kName);
  files::parse_fclib_info(bytes, kName);
  files::parse_fclib_solution(bytes, kName);
}

void read_scene_text(std::string_view bytes) { parse_scene(bytes, kName); }
void read_obj_file(std::string_view bytes) { parse_obj(bytes, kName); }
void read_gmsh_file(std::string_view bytes) { files::parse_gmsh(bytes, kName); }

/// Both files in one, with a NUL between them.
void read_tetgen_files(std::string_view bytes) {
  const std::size_t middle = std::min(bytes.find('\0'), bytes.size());
  files::parse_tetgen(bytes.substr(0, middle), kName, bytes.substr(std::min(middle + 1, bytes.size())),
                      kName);
}

void read_hair_file(std::string_view bytes) { parse_hair(bytes, kName); }
void read_usc_file(std::string_view bytes) { parse_usc_data(bytes, kName); }
void read_usd_file(std::string_view bytes) { parse_usd_curves(bytes, kName); }
void read_png_file(std::string_view bytes) { parse_structure_png(bytes, kName); }
void read_mjcf_file(std::string_view bytes) { imports::scene_from_mjcf(bytes, kName, "nowhere", "nowhere"); }

void read_manifest_text(std::string_view bytes) { record::parse_manifest(std::string(bytes), kName); }

/// A mean or a sum that is no number would be printed.
void read_stats_text(std::string_view bytes) {
  const record::Statistics statistics = record::parse_statistics(std::string(bytes), kName);
  const record::Summary summary = record::summarize({}, statistics.steps);
  for (const double value : {summary.mean_error, summary.max_error, summary.mean_nu, summary.mean_sweeps,
                             summary.simulated, summary.total, summary.mean_step, summary.max_penetration})
    if (!std::isfinite(value)) throw std::logic_error("a summary has a number that is not finite");
}

/// As it is, and as an image whose checksum is right: otherwise no mutation would reach HDF5.
void read_checkpoint_file(std::string_view bytes) {
  try {
    record::parse_checkpoint(bytes, kName);
    return;
  } catch (const InputError&) {
  }
  record::parse_checkpoint(
      record::sealed_checkpoint(bytes.substr(0, bytes.size() - std::min<std::size_t>(bytes.size(), 16))),
      kName);
}

}  // namespace

const std::vector<Reader>& readers() {
  static const std::vector<Reader> all{
      {"siconos", read_siconos_text, siconos_seeds, kMegabyte},
      {"fclib", read_fclib_file, fclib_seeds, 16 * kMegabyte, 100},
      {"scene", read_scene_text, scene_seeds, kMegabyte, 10},
      {"obj", read_obj_file, obj_seeds, kMegabyte},
      {"gmsh", read_gmsh_file, gmsh_seeds, kMegabyte},
      {"tetgen", read_tetgen_files, tetgen_seeds, kMegabyte},
      {"hair", read_hair_file, hair_seeds, kMegabyte},
      {"usc_data", read_usc_file, usc_seeds, kMegabyte},
      {"usd", read_usd_file, usd_seeds, kMegabyte},
      {"png", read_png_file, png_seeds, 16 * kMegabyte},
      {"mjcf", read_mjcf_file, mjcf_seeds, kMegabyte},
      {"frames", read_frames_file, frames_seeds, 16 * kMegabyte},
      {"frame_block", read_frame_block, frame_block_seeds, 16 * kMegabyte},
      {"checkpoint", read_checkpoint_file, checkpoint_seeds, 16 * kMegabyte, 100},
      {"manifest", read_manifest_text, manifest_seeds, kMegabyte},
      {"stats", read_stats_text, stats_seeds, kMegabyte},
  };
  return all;
}

const Reader& reader(std::string_view name) {
  for (const Reader& one : readers())
    if (one.name == name) return one;
  std::string known;
  for (const Reader& one : readers()) known += std::string(known.empty() ? "" : ", ") + one.name;
  throw InputError("reader: is '" + std::string(name) + "', expected one of " + known);
}

Outcome run(const Reader& reader, std::string_view bytes) {
  Outcome outcome;
  outcome.allowed = std::max(reader.always_allowed, kAllowedPerByte * bytes.size());
  start_measuring();
  try {
    reader.read(bytes);
    outcome.accepted = true;
  } catch (const InputError&) {
  }
  outcome.largest_allocation = largest_allocation();
  return outcome;
}

}  // namespace capstan::fuzz
