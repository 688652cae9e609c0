#pragma once
#include <filesystem>
#include <functional>

#include "capstan/export/footage.hpp"

/// One function a format: writes its files into an empty folder, as NAME and an ending. It calls begin() of
/// the footage first.
namespace capstan::exports {

using ProgressCall = std::function<void(double)>;

void write_usd(Footage& footage, const std::filesystem::path& folder, const ProgressCall& progress);
void write_glb(Footage& footage, const std::filesystem::path& folder, const ProgressCall& progress);
void write_vtp(Footage& footage, const std::filesystem::path& folder, const ProgressCall& progress);
void write_vtkhdf(Footage& footage, const std::filesystem::path& folder, const ProgressCall& progress);
void write_hair(Footage& footage, const std::filesystem::path& folder, const ProgressCall& progress);
void write_obj(Footage& footage, const std::filesystem::path& folder, const ProgressCall& progress);
void write_npz(Footage& footage, const std::filesystem::path& folder, const ProgressCall& progress);

/// NAME_000012.obj: the number of the frame in the run; `what` stands before it.
std::string series_name(const Footage& footage, int k, const std::string& ending,
                        const std::string& what = "");

}  // namespace capstan::exports
