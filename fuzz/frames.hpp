#pragma once
#include <string>
#include <string_view>
#include <vector>

/// Frames behind their checksums, which a mutation would otherwise not pass.
namespace capstan::fuzz {

/// A frames.bin as it is, then with the checksums of its header and its records made right.
void read_frames_file(std::string_view bytes);
std::vector<std::string> frames_seeds();

/// What a block of frames holds before it is compressed, with a small layout in front (see
/// frame_block_seeds()).
void read_frame_block(std::string_view bytes);
std::vector<std::string> frame_block_seeds();

}  // namespace capstan::fuzz
