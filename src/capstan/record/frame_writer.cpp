#include "capstan/record/frame_writer.hpp"

#include <limits>

#include "capstan/errors.hpp"
#include "capstan/record/frame_reader.hpp"

namespace capstan::record {

FrameWriter::FrameWriter(const std::filesystem::path& run, FrameLayout layout)
    : layout_(std::move(layout)),
      layout_id_(layout_id(layout_)),
      file_(frames_path(run)),
      journal_(journal_path(run)) {}

FrameWriter FrameWriter::create(const std::filesystem::path& run, const FrameLayout& layout) {
  check(layout);
  std::filesystem::remove(journal_path(run));
  write_durably(frames_path(run), layout_bytes(layout));
  return {run, layout};
}

FrameWriter FrameWriter::resume(const std::filesystem::path& run, int frames) {
  FrameReader reader(run);
  if (frames < 0 || frames > reader.frames())
    throw InputError(frames_path(run).string() + ": has " + std::to_string(reader.frames()) +
                     " whole frames, the checkpoint needs " + std::to_string(frames) + ". " +
                     reader.dropped());
  const FrameLayout& layout = reader.layout();
  const std::uint32_t id = layout_id(layout);
  const int first = frames / layout.frames_per_chunk * layout.frames_per_chunk;
  std::string journal;
  std::vector<LatticeFrame> pending;
  for (int k = first; k < frames; ++k) {
    pending.push_back(reader.read_lattice(k));
    journal += record_bytes(layout, id, k, {&pending.back(), 1});
  }
  // The journal before the chunk it comes from is cut: a kill in between leaves frames twice, never lost.
  write_durably(journal_path(run), journal);
  FrameWriter writer(run, layout);
  writer.first_ = first;
  writer.pending_ = std::move(pending);
  std::uint64_t end = layout_bytes(layout).size();
  for (const FrameRecord& chunk : reader.chunks()) {
    if (chunk.end() > first) break;
    writer.chunks_.push_back(chunk);
    end = chunk.offset + chunk.bytes;
  }
  writer.file_.truncate(end);
  writer.file_.sync();
  return writer;
}

void FrameWriter::write(const Snapshot& snapshot) {
  if (finished_) throw InputError("frame: written after the run was finished");
  const double last = !pending_.empty()  ? pending_.back().t
                      : !chunks_.empty() ? chunks_.back().times.back()
                                         : -std::numeric_limits<double>::infinity();
  if (!(snapshot.t > last))
    throw InputError("frame: t is " + std::to_string(snapshot.t) +
                     " s, expected later than the frame before, " + std::to_string(last) + " s");
  LatticeFrame frame = to_lattice(layout_, snapshot);
  journal_.append(record_bytes(layout_, layout_id_, frames(), {&frame, 1}));
  pending_.push_back(std::move(frame));
  if (static_cast<int>(pending_.size()) == layout_.frames_per_chunk) fold();
}

void FrameWriter::fold() {
  FrameRecord chunk{file_.size(), 0, first_, {}};
  for (const LatticeFrame& frame : pending_) chunk.times.push_back(frame.t);
  file_.append(record_bytes(layout_, layout_id_, first_, pending_));
  file_.sync();  // before the journal forgets them
  journal_.truncate(0);
  chunk.bytes = file_.size() - chunk.offset;
  chunks_.push_back(std::move(chunk));
  first_ += static_cast<int>(pending_.size());
  pending_.clear();
}

void FrameWriter::sync() { journal_.sync(); }

void FrameWriter::finish() {
  if (!pending_.empty()) fold();
  finished_ = true;
}

}  // namespace capstan::record
