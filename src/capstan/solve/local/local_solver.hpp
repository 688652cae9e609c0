#pragma once
#include <string>
#include <vector>

#include "capstan/cone/second_order_cone.hpp"

/// One contact on its own, with friction coefficient 1: given W (d x d) and b, find
///
///     x with (x, y = W x + b) in the canonical law      (cone/second_order_cone.hpp)
///
/// by any of the methods that [Daviet11, sec. 7.1] compares, and by [Erleben20, eq. 14]. W should have a
/// trace near d, so that x and y share a unit; it may be singular and need not be symmetric. An axis whose
/// row and column of W and whose entry of b are zero is dropped: x is zero there. Theory:
/// docs/local-solvers.md.
namespace capstan::local {

using cone::Matrix;
using cone::Vector;

enum class Method {
  mfb,         ///< Fischer-Burmeister Newton [Daviet11, app. A.2]
  pac,         ///< Alart-Curnier Newton, pure
  dac,         ///< Alart-Curnier Newton, damped [Bertails11, Alg. 1, 2]
  enumerate,   ///< take-off, stick, slide by a polynomial [Daviet11, app. B]
  duriez06,    ///< one decoupled pass; not exact
  duriez08,    ///< the same, repeated
  four_sides,  ///< pyramid instead of the cone; not exact
  prox         ///< proximal steps with an adaptive factor [Erleben20, eq. 14]
};

/// A method and, for a hybrid, the enumerative method behind it as a fail-safe [Daviet11, sec. 6.1].
struct LocalMethod {
  Method first = Method::mfb;
  bool fail_safe = true;
};

struct LocalResult {
  bool converged = false;
  double residual = 0;       ///< |f_FB(x, y + |y_T| e)|
  int iterations = 0;        ///< of all that was tried
  bool fell_back = false;    ///< the fail-safe was called
  bool no_solution = false;  ///< the enumeration found none within the tolerance
};

/// x: first guess in, answer out; of all iterates the one with the smallest residual (a hybrid compares both
/// its methods). A tolerance finer than rounding allows is raised to what is attainable. Never allocates.
template <int D>
LocalResult solve_local(LocalMethod method, const Matrix<D>& W, const Vector<D>& b, Vector<D>& x,
                        double tolerance);

struct LocalMethodEntry {
  std::string name, summary;
  LocalMethod method;
  bool exact;  ///< whether its answers obey the law when it converges on its own terms
};

/// Every method by name, the hybrids as NAME+enum.
const std::vector<LocalMethodEntry>& local_methods();
/// Throws InputError with the names there are if there is none of that name.
const LocalMethodEntry& find_local_method(const std::string& name);

}  // namespace capstan::local
