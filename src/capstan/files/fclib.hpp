#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "capstan/files/problem_file.hpp"

namespace capstan::files {

/// Whether the bytes have the signature of HDF5: at the start, or at 512, 1024, ... after a user's own
/// header.
bool is_hdf5(std::string_view bytes);

ContactProblem parse_fclib(std::string_view image, const std::string& name);
ProblemInfo parse_fclib_info(std::string_view image, const std::string& name);
std::optional<StoredSolution> parse_fclib_solution(std::string_view image, const std::string& name);

std::string fclib_image(const ContactProblem& problem, const Solution* solution, const ProblemInfo& info,
                        const std::string& name);

}  // namespace capstan::files
