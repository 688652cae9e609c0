#include "capstan/errors.hpp"
#include "capstan/files/fclib.hpp"
#include "capstan/files/hdf5_access.hpp"
#include "capstan/files/stored_problem.hpp"
#include "capstan/solve/solver.hpp"

namespace capstan::files {
namespace {

using RowMajor = Eigen::SparseMatrix<double, Eigen::RowMajor>;

enum class Layout { triplets, rows };

/// Entries row by row, zeros left out. Siconos reads global problems from triplets only, and libfclib writes
/// past its memory where nzmax < nz: here they are equal.
void write_matrix(Hdf5Writer& out, const std::string& group, const RowMajor& matrix, Layout layout) {
  std::vector<int> row, column, row_start{0};
  std::vector<double> x;
  for (int i = 0; i < matrix.rows(); ++i) {
    for (RowMajor::InnerIterator it(matrix, i); it; ++it) {
      if (it.value() == 0) continue;
      row.push_back(i);
      column.push_back(static_cast<int>(it.col()));
      x.push_back(it.value());
    }
    row_start.push_back(static_cast<int>(x.size()));
  }
  const int entries = static_cast<int>(x.size());
  out.integer(group + "/nzmax", entries);
  out.integer(group + "/m", static_cast<int>(matrix.rows()));
  out.integer(group + "/n", static_cast<int>(matrix.cols()));
  out.integer(group + "/nz", layout == Layout::triplets ? entries : -2);
  out.integers(group + "/p", layout == Layout::triplets ? column : row_start);
  out.integers(group + "/i", layout == Layout::triplets ? row : column);
  out.reals(group + "/x", x.data(), {x.size()});
}

void write_info(Hdf5Writer& out, const std::string& group, const ProblemInfo& info) {
  out.text(group + "/title", info.title);
  out.text(group + "/description", info.description);
  out.text(group + "/math_info", info.math_info);
}

void write_full_laws(Hdf5Writer& out, const std::vector<ContactLaw>& laws) {
  std::vector<double> friction, traction, shift;
  for (const ContactLaw& law : laws) {
    friction.insert(friction.end(), law.friction.begin(), law.friction.end());
    traction.insert(traction.end(), law.traction.begin(), law.traction.end());
    shift.insert(shift.end(), law.shift.begin(), law.shift.end());
  }
  out.integer("/capstan/version", 1);
  out.reals("/capstan/friction", friction.data(), {laws.size(), 3});
  out.reals("/capstan/traction", traction.data(), {laws.size(), 4});
  out.reals("/capstan/shift", shift.data(), {laws.size(), 4});
}

void check_solution(const ContactProblem& problem, const Solution& solution, const std::string& name) {
  const Eigen::Index size = problem.b().size(), dofs = problem.dofs();
  const auto check = [&](const char* vector, Eigen::Index found, Eigen::Index expected) {
    if (found != expected)
      throw InputError(name + ":/solution/" + vector + ": cannot be written: has " + std::to_string(found) +
                       " entries, expected " + std::to_string(expected));
  };
  check("r", solution.r.size(), size);
  check("u", solution.u.size(), size);
  if (problem.has_mass()) check("v", solution.v.size(), dofs);
}

void write_solution(Hdf5Writer& out, const ContactProblem& problem, const Solution& solution) {
  out.vector("/solution/u", solution.u);
  out.vector("/solution/r", solution.r);
  if (problem.has_mass()) out.vector("/solution/v", solution.v);
}

void write_matrices(Hdf5Writer& out, const std::string& group, const ContactProblem& problem,
                    const std::string& name) {
  if (problem.has_mass()) {
    write_matrix(out, group + "/M", mass_to_store(problem, name), Layout::triplets);
    write_matrix(out, group + "/H", RowMajor(problem.H().sparse().transpose()), Layout::triplets);
    out.vector(group + "/vectors/f", problem.f());
    out.vector(group + "/vectors/w", problem.w());
  } else {
    write_matrix(out, group + "/W", problem.W().sparse(), Layout::rows);
    out.vector(group + "/vectors/q", problem.b());
  }
}

}  // namespace

std::string fclib_image(const ContactProblem& problem, const Solution* solution, const ProblemInfo& info,
                        const std::string& name) {
  if (solution) check_solution(problem, *solution, name);
  const std::string group = problem.has_mass() ? "/fclib_global" : "/fclib_local";
  Hdf5Writer out(name);
  out.integer(group + "/spacedim", problem.dimension());
  write_matrices(out, group, problem, name);
  Eigen::VectorXd mu(problem.contacts());
  for (int i = 0; i < problem.contacts(); ++i) mu[i] = problem.law(i).friction[0];
  out.vector(group + "/vectors/mu", mu);
  write_info(out, group + "/info", info);
  if (beyond_coulomb(problem)) write_full_laws(out, problem.laws());
  if (solution) write_solution(out, problem, *solution);
  return out.image();
}

}  // namespace capstan::files
