#include "capstan/record/checkpoint.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <sstream>

#include "capstan/errors.hpp"
#include "capstan/files/hdf5_access.hpp"
#include "capstan/files/isolated.hpp"
#include "capstan/files/whole_file.hpp"
#include "capstan/record/durable_file.hpp"

namespace capstan::record {
namespace {

constexpr std::size_t kKept = 2;
constexpr const char* kFolder = "checkpoints";

/// HDF5 notices no flipped bit in an array, and may not survive one in its own structures. So a line behind
/// its image, where HDF5 does not look, has the checksum of the whole.
std::string seal(std::string_view image) {
  char text[24];
  std::snprintf(text, sizeof text, "\ncrc32 %08x\n", checksum(image));
  return text;
}

std::string_view unsealed(std::string_view bytes, const std::string& name) {
  const std::size_t size = bytes.size() - std::min(bytes.size(), seal({}).size());
  if (bytes.substr(size) != seal(bytes.substr(0, size)))
    throw InputError(name + ": is damaged or cut off: its contents do not match their checksum");
  return bytes.substr(0, size);
}

void check(const Checkpoint& checkpoint) {
  const auto check_name = [](const std::string& name) {
    if (name.empty() || name.front() == '/' || name.back() == '/' || name.find("//") != std::string::npos ||
        name.find('\n') != std::string::npos)
      throw InputError("checkpoint: an array has the name '" + name + "', expected a path such as strands/q");
  };
  for (const auto& [name, values] : checkpoint.integers) check_name(name);
  for (const auto& [name, values] : checkpoint.reals) {
    check_name(name);
    for (std::size_t k = 0; k < values.size(); ++k)
      if (!std::isfinite(values[k]))
        throw InputError("checkpoint: " + name + " entry " + std::to_string(k) + " is " +
                         std::to_string(values[k]) + ", expected a finite number");
  }
  if (checkpoint.step < 0 || checkpoint.frame < 0)
    throw InputError("checkpoint: step " + std::to_string(checkpoint.step) + ", frame " +
                     std::to_string(checkpoint.frame) + ", expected numbers >= 0");
}

template <typename Arrays>
std::string names_of(const Arrays& arrays) {
  std::string names;
  for (const auto& [name, values] : arrays) names += name + "\n";
  return names;
}

std::string sealed_image(const Checkpoint& checkpoint, const std::string& name) {
  files::Hdf5Writer writer(name);
  writer.reals("/t", &checkpoint.t, {1});
  writer.reals("/dt", &checkpoint.dt, {1});
  writer.integer("/step", checkpoint.step);
  writer.integer("/frame", checkpoint.frame);
  writer.text("/names/reals", names_of(checkpoint.reals));
  writer.text("/names/integers", names_of(checkpoint.integers));
  for (const auto& [key, values] : checkpoint.reals)
    writer.reals("/reals/" + key, values.data(), {values.size()});
  for (const auto& [key, values] : checkpoint.integers) writer.integers("/integers/" + key, values);
  return sealed_checkpoint(writer.image());
}

Checkpoint read_arrays(const files::Hdf5Reader& reader) {
  constexpr int kAny = -1, kLargest = std::numeric_limits<int>::max();
  Checkpoint checkpoint;
  checkpoint.t = reader.reals("/t", {1}).front();
  checkpoint.dt = reader.reals("/dt", {1}).front();
  checkpoint.step = reader.integer("/step", 0, kLargest);
  checkpoint.frame = reader.integer("/frame", 0, kLargest);
  std::istringstream reals(reader.text("/names/reals")), integers(reader.text("/names/integers"));
  for (std::string key; std::getline(reals, key);)
    checkpoint.reals[key] = reader.reals("/reals/" + key, {kAny});
  for (std::string key; std::getline(integers, key);)
    checkpoint.integers[key] = reader.integers("/integers/" + key, kAny);
  return checkpoint;
}

template <typename Number>
void pack(files::ParcelWriter& parcel, const std::map<std::string, std::vector<Number>>& arrays) {
  parcel.put(arrays.size());
  for (const auto& [key, values] : arrays) parcel.put_text(key).put_list(values.data(), values.size());
}

template <typename Number>
void unpack(files::ParcelReader& parcel, std::map<std::string, std::vector<Number>>& arrays) {
  for (std::size_t left = parcel.get<std::size_t>(); left > 0; --left) {
    std::string key = parcel.get_text();
    arrays[std::move(key)] = parcel.get_list<Number>();
  }
}

std::string packed(const Checkpoint& c) {
  files::ParcelWriter parcel;
  parcel.put(c.t).put(c.dt).put(c.step).put(c.frame);
  pack(parcel, c.reals);
  pack(parcel, c.integers);
  return parcel.take();
}

Checkpoint unpacked_checkpoint(files::ParcelReader parcel) {
  Checkpoint c;
  c.t = parcel.get<double>();
  c.dt = parcel.get<double>();
  c.step = parcel.get<int>();
  c.frame = parcel.get<int>();
  unpack(parcel, c.reals);
  unpack(parcel, c.integers);
  return c;
}

/// The checksum finds chance damage; an image that was made to harm has the right one.
Checkpoint parse(std::string_view image, const std::string& name) {
  const std::string parcel = files::read_isolated(
      image, name, [](const files::Hdf5Reader& reader) { return packed(read_arrays(reader)); });
  return unpacked_checkpoint({parcel, name});
}

}  // namespace

std::filesystem::path checkpoint_path(const std::filesystem::path& run, int step) {
  char name[32];
  std::snprintf(name, sizeof name, "step_%010d.h5", step);
  return run / kFolder / name;
}

std::string checkpoint_bytes(const Checkpoint& checkpoint) {
  check(checkpoint);
  return sealed_image(checkpoint, "checkpoint");
}

std::string sealed_checkpoint(std::string_view image) { return std::string(image) + seal(image); }

Checkpoint parse_checkpoint(std::string_view bytes, const std::string& name) {
  return parse(unsealed(bytes, name), name);
}

void write_checkpoint(const std::filesystem::path& run, const Checkpoint& checkpoint) {
  const std::filesystem::path path = checkpoint_path(run, checkpoint.step);
  std::filesystem::create_directories(path.parent_path());
  write_durably(path, checkpoint_bytes(checkpoint));
  std::vector<std::filesystem::path> all = list_checkpoints(run);
  for (std::size_t k = 0; k + kKept < all.size(); ++k) std::filesystem::remove(all[k]);
}

Checkpoint read_checkpoint(const std::filesystem::path& file) {
  return parse_checkpoint(files::read_whole_file(file), file.string());
}

std::vector<std::filesystem::path> list_checkpoints(const std::filesystem::path& run) {
  std::vector<std::filesystem::path> result;
  if (!std::filesystem::is_directory(run / kFolder)) return result;
  for (const auto& entry : std::filesystem::directory_iterator(run / kFolder)) {
    const std::string name = entry.path().filename().string();
    if (name.rfind("step_", 0) == 0 && entry.path().extension() == ".h5") result.push_back(entry.path());
  }
  std::sort(result.begin(), result.end());
  return result;
}

std::optional<Checkpoint> newest_checkpoint(const std::filesystem::path& run, int frames,
                                            std::string* problems) {
  std::vector<std::filesystem::path> all = list_checkpoints(run);
  for (auto path = all.rbegin(); path != all.rend(); ++path) {
    std::string problem;
    try {
      Checkpoint checkpoint = read_checkpoint(*path);
      if (checkpoint.frame <= frames) return checkpoint;
      problem = path->string() + ": needs " + std::to_string(checkpoint.frame) + " frames, but only " +
                std::to_string(frames) + " are whole";
    } catch (const InputError& error) {
      problem = error.what();
    }
    if (problems) *problems += problem + "\n";
  }
  return std::nullopt;
}

}  // namespace capstan::record
