#pragma once
#include <variant>

#include "capstan/problem/banded_matrix.hpp"

namespace capstan {

/// The block of M that belongs to one body: dense for a few dofs that are all coupled, banded for a chain.
using BodyMatrix = std::variant<Eigen::MatrixXd, BandedMatrix>;

}  // namespace capstan
