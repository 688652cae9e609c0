#pragma once
#include <vector>

#include "bindings/compressed_rows.hpp"
#include "bindings/laws.hpp"
#include "capstan/problem/contact_problem.hpp"

/// Contact problems from what Python has. Sizes have been checked there, numbers are checked by
/// ContactProblem. They let other Python threads run while they work.
namespace capstan::python {

ContactProblem delassus_from_dense(int dimension, const Matrix& W, const Vector& b, const Laws& laws);
ContactProblem delassus_from_rows(int dimension, const CompressedRows& W, const Vector& b, const Laws& laws);
/// data: the blocks of W, each row by row, one after the other.
ContactProblem delassus_from_blocks(int dimension, const Indices& row_start, const Indices& column,
                                    const Vector& data, const Vector& b, const Laws& laws);

ContactProblem mass_from_rows(int dimension, const CompressedRows& M, const Vector& f,
                              const CompressedRows& H, const Vector& w, const Laws& laws);
ContactProblem mass_from_blocks(int dimension, const std::vector<Matrix>& M, const Vector& f,
                                const CompressedRows& H, const Vector& w, const Laws& laws);

}  // namespace capstan::python
