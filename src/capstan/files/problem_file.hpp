#pragma once
#include <Eigen/Core>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "capstan/problem/contact_problem.hpp"

namespace capstan {

struct Solution;

/// Contact problems in other people's files: FCLib (HDF5) and Siconos (text), described in docs/files.md.
/// Their convention is M v = H r + f, u = H^T v + w: the H of a file is the transpose of ours.
/// Whatever is wrong with a file is an InputError that names the file and the dataset or line:column. Calls
/// may be made from several threads; those that touch HDF5 wait for each other.

/// What a file says about itself; free text.
struct ProblemInfo {
  std::string title, description, math_info;
};

/// An answer kept beside the problem. Others often store zeros here: certify() it before any use.
struct StoredSolution {
  Eigen::VectorXd r;  ///< impulses, N s
  Eigen::VectorXd u;  ///< relative velocities, m/s
  Eigen::VectorXd v;  ///< generalised velocities; empty for a problem given as (W, b)
};

/// Reads FCLib or Siconos text, whichever the contents are; the file's extension does not matter.
ContactProblem read_problem(const std::filesystem::path& path);
/// The same of a file already in memory; `name` stands for it in error messages.
ContactProblem parse_problem(std::string_view contents, const std::string& name);
/// Siconos text only.
ContactProblem read_siconos(const std::filesystem::path& path);

/// Empty strings where the file is silent, as text files are.
ProblemInfo read_info(const std::filesystem::path& path);
/// Nothing where the file has no solution. Entries are finite and r, u have one size.
std::optional<StoredSolution> read_solution(const std::filesystem::path& path);

/// Form (1) goes to /fclib_global, form (2) to /fclib_local; no bit of a number is lost. Laws that FCLib has
/// no words for (elliptic, drilling, traction, shift) go to a group /capstan beside it, which read_problem
/// reads back and others ignore. The file appears whole or not at all; one of the same name is replaced.
void write_fclib(const std::filesystem::path& path, const ContactProblem& problem,
                 const Solution* solution = nullptr, const ProblemInfo& info = {});

/// Isotropic Coulomb friction in dimension 2 or 3 only: the format has no place for more. No bit is lost; the
/// file appears whole or not at all.
void write_siconos(const std::filesystem::path& path, const ContactProblem& problem);

}  // namespace capstan
