#include "capstan/record/frame_reader.hpp"

#include <algorithm>
#include <fstream>

#include "capstan/errors.hpp"
#include "capstan/files/whole_file.hpp"

namespace capstan::record {
namespace {

std::string drop_note(const std::string& name, const FrameScan& scan, std::size_t size) {
  if (scan.problem.empty()) return {};
  return name + ": " + scan.problem + "; the last " + std::to_string(size - scan.end) +
         " bytes are left out. ";
}

std::string read_part(const std::filesystem::path& path, std::uint64_t offset, std::uint64_t count) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes(count, '\0');
  if (!file.seekg(static_cast<std::streamoff>(offset)) ||
      !file.read(bytes.data(), static_cast<std::streamsize>(count)))
    throw InputError(path.string() + ": cannot be read: it has become shorter");
  return bytes;
}

}  // namespace

FrameReader::FrameReader(const std::filesystem::path& run) : path_(frames_path(run)) {
  // The journal first: a run that goes on may move its frames to the chunks at any time, never the reverse.
  if (std::filesystem::exists(journal_path(run))) journal_ = files::read_whole_file(journal_path(run));
  const std::string bytes = files::read_whole_file(path_);
  std::uint64_t start = 0;
  layout_ = read_layout(bytes, path_.string(), start);
  const std::uint32_t id = layout_id(layout_);
  FrameScan scan = scan_records(bytes, start, layout_, id, 0);
  dropped_ = drop_note("frames.bin", scan, bytes.size());
  chunks_ = std::move(scan.records);
  const int folded = chunks_.empty() ? 0 : chunks_.back().end();
  scan = scan_records(journal_, 0, layout_, id, folded);
  dropped_ += drop_note("frames.journal", scan, journal_.size());
  singles_ = std::move(scan.records);
  for (const auto* records : {&chunks_, &singles_})
    for (const FrameRecord& record : *records)
      times_.insert(times_.end(), record.times.begin(), record.times.end());
}

FrameReader::FrameReader(const std::filesystem::path& run, const Manifest& manifest) : FrameReader(run) {
  if (layout_ != manifest.layout)
    throw InputError(run.string() + ": manifest.json and frames.bin belong to different runs");
}

double FrameReader::time(int frame) const {
  if (frame < 0 || frame >= frames())
    throw InputError(path_.string() + ": there is no frame " + std::to_string(frame) + ", expected 0 to " +
                     std::to_string(frames() - 1));
  return times_[static_cast<std::size_t>(frame)];
}

int FrameReader::frame_at(double t) const {
  if (times_.empty()) throw InputError(path_.string() + ": has no frames yet");
  const auto above = std::lower_bound(times_.begin(), times_.end(), t);
  if (above == times_.end()) return frames() - 1;
  if (above == times_.begin() || *above - t < t - *(above - 1))
    return static_cast<int>(above - times_.begin());
  return static_cast<int>(above - times_.begin()) - 1;
}

const FrameRecord& FrameReader::record_of(int frame, std::string& bytes) const {
  const bool folded = !chunks_.empty() && frame < chunks_.back().end();
  const std::vector<FrameRecord>& records = folded ? chunks_ : singles_;
  const FrameRecord& record = *std::upper_bound(records.begin(), records.end(), frame,
                                                [](int f, const FrameRecord& r) { return f < r.end(); });
  bytes =
      folded ? read_part(path_, record.offset, record.bytes) : journal_.substr(record.offset, record.bytes);
  return record;
}

LatticeFrame FrameReader::read_lattice(int frame) {
  time(frame);  // refuses a frame that is not there
  const int index = frame - decoded_first_;
  if (index >= 0 && index < static_cast<int>(decoded_.size()))
    return decoded_[static_cast<std::size_t>(index)];
  std::string bytes;
  const FrameRecord& record = record_of(frame, bytes);
  decoded_ = decode_record(layout_, record, bytes);
  decoded_first_ = record.first;
  return decoded_[static_cast<std::size_t>(frame - decoded_first_)];
}

Snapshot FrameReader::read(int frame) { return from_lattice(layout_, read_lattice(frame)); }

}  // namespace capstan::record
