#pragma once
#include <filesystem>
#include <string>
#include <string_view>

namespace capstan::files {

/// All bytes of a file, in one read.
std::string read_whole_file(const std::filesystem::path& path);

/// Makes a folder and those above it, as far as they are not there. InputError says why it cannot.
void make_folders(const std::filesystem::path& folder);

/// Makes the folders that a file of this name needs.
void make_folders_for(const std::filesystem::path& file);

/// Returns the path with an ending that no other process or thread uses, for what is not complete yet.
std::filesystem::path temporary_for(const std::filesystem::path& path);

/// Removes what processes that were killed left at temporary_for(path).
void remove_abandoned(const std::filesystem::path& path);

/// Writes next to `path` under a temporary name and renames, so that no reader ever sees half a file and a
/// failure leaves nothing behind. What a killed process left of an earlier attempt is removed.
void write_whole_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace capstan::files
