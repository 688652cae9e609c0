#include "capstan/files/problem_file.hpp"

#include "capstan/errors.hpp"
#include "capstan/files/fclib.hpp"
#include "capstan/files/siconos.hpp"
#include "capstan/files/whole_file.hpp"

namespace capstan {
namespace {

/// Siconos text begins with a number.
bool may_be_text(std::string_view contents) {
  const std::size_t first = contents.find_first_not_of(" \t\r\n\v\f");
  return first != std::string_view::npos &&
         (contents[first] == '+' || (contents[first] >= '0' && contents[first] <= '9'));
}

}  // namespace

ContactProblem parse_problem(std::string_view contents, const std::string& name) {
  if (contents.empty())
    throw InputError(name + ": is empty, expected an FCLib (HDF5) or Siconos (text) problem");
  if (files::is_hdf5(contents)) return files::parse_fclib(contents, name);
  if (may_be_text(contents)) return files::parse_siconos(contents, name);
  throw InputError(
      name +
      ": is neither HDF5 (its signature is missing: another format, or damaged) nor Siconos text "
      "(which begins with a number)");
}

ContactProblem read_problem(const std::filesystem::path& path) {
  return parse_problem(files::read_whole_file(path), path.string());
}

ContactProblem read_siconos(const std::filesystem::path& path) {
  return files::parse_siconos(files::read_whole_file(path), path.string());
}

ProblemInfo read_info(const std::filesystem::path& path) {
  const std::string contents = files::read_whole_file(path);
  return files::is_hdf5(contents) ? files::parse_fclib_info(contents, path.string()) : ProblemInfo{};
}

std::optional<StoredSolution> read_solution(const std::filesystem::path& path) {
  const std::string contents = files::read_whole_file(path);
  if (!files::is_hdf5(contents)) return std::nullopt;
  return files::parse_fclib_solution(contents, path.string());
}

void write_fclib(const std::filesystem::path& path, const ContactProblem& problem, const Solution* solution,
                 const ProblemInfo& info) {
  files::write_whole_file(path, files::fclib_image(problem, solution, info, path.string()));
}

void write_siconos(const std::filesystem::path& path, const ContactProblem& problem) {
  files::write_whole_file(path, files::siconos_text(problem, path.string()));
}

}  // namespace capstan
