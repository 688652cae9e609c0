#pragma once
#include <filesystem>
#include <string>
#include <string_view>

namespace capstan::files {

/// All bytes of a file, in one read.
std::string read_whole_file(const std::filesystem::path& path);

/// Writes beside `path` under a temporary name and renames, so that no reader ever sees half a file and a
/// failure leaves nothing behind.
void write_whole_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace capstan::files
