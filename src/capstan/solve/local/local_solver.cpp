#include "capstan/solve/local/local_solver.hpp"

#include <array>
#include <cmath>

#include "capstan/errors.hpp"
#include "capstan/solve/local/local_problem.hpp"

namespace capstan::local {
namespace {

template <int D>
LocalResult run(Method method, const LocalProblem<D>& problem, Vector<D>& x) {
  switch (method) {
    case Method::mfb:
      return solve_fischer_burmeister<D>(problem, x);
    case Method::pac:
      return solve_alart_curnier<D>(problem, x, false);
    case Method::dac:
      return solve_alart_curnier<D>(problem, x, true);
    case Method::enumerate:
      return solve_enumerative<D>(problem, x);
    case Method::duriez06:
      x.setZero();  // a pass from the last iterate would be a step of the exact fixed point
      return solve_decoupled<D>(problem, x, 1);
    case Method::duriez08:
      return solve_decoupled<D>(problem, x, 100);
    case Method::four_sides:
      return solve_four_sides<D>(problem, x);
    case Method::prox:
      return solve_proximal<D>(problem, x);
  }
  return {};
}

/// The first method, then the fail-safe from the same first guess; the better of the two is kept. [Daviet11,
/// Alg. 1]
template <int D>
LocalResult run_hybrid(LocalMethod method, const LocalProblem<D>& problem, Vector<D>& x) {
  const Vector<D> guess = x;
  LocalResult first = run<D>(method.first, problem, x);
  if (first.converged || !method.fail_safe) return first;
  Vector<D> other = guess;
  LocalResult second = run<D>(Method::enumerate, problem, other);
  second.iterations += first.iterations;
  second.fell_back = first.fell_back = true;
  if (second.converged || second.residual < first.residual) {
    x = other;
    return second;
  }
  first.iterations = second.iterations;
  first.no_solution = second.no_solution;
  return first;
}

/// 0 <= x, 0 <= w x + b, x (w x + b) = 0: a contact with the normal axis alone.
LocalResult solve_normal(double w, double b, double& x, double tolerance) {
  x = b < 0 && w > 0 ? -b / w : 0.0;
  const double y = w * x + b;
  const double residual = std::abs(x + y - std::hypot(x, y));
  const bool converged =
      residual <= std::max(tolerance, 8 * std::numeric_limits<double>::epsilon() * std::abs(b));
  return {converged, residual, 0, false, !converged};
}

template <int D>
bool is_dropped(const Matrix<D>& W, const Vector<D>& b, int axis) {
  return W(axis, axis) == 0 && b[axis] == 0 && W.row(axis).isZero(0) && W.col(axis).isZero(0);
}

template <int D>
LocalResult solve_kept(LocalMethod method, const Matrix<D>& W, const Vector<D>& b, Vector<D>& x,
                       double tolerance) {
  if constexpr (D == 1)
    return solve_normal(W(0, 0), b[0], x[0], tolerance);
  else
    return run_hybrid<D>(method, {W, b, tolerance}, x);
}

/// Solves on the axes `kept` (K of them).
template <int D, int K>
LocalResult solve_compressed(LocalMethod method, const Matrix<D>& W, const Vector<D>& b, Vector<D>& x,
                             double tolerance, const std::array<int, 4>& kept) {
  Matrix<K> W_kept;
  Vector<K> b_kept, x_kept;
  for (int row = 0; row < K; ++row) {
    b_kept[row] = b[kept[row]];
    x_kept[row] = x[kept[row]];
    for (int column = 0; column < K; ++column) W_kept(row, column) = W(kept[row], kept[column]);
  }
  const LocalResult result = solve_kept<K>(method, W_kept, b_kept, x_kept, tolerance);
  x.setZero();
  for (int row = 0; row < K; ++row) x[kept[row]] = x_kept[row];
  return result;
}

}  // namespace

template <int D>
LocalResult solve_local(LocalMethod method, const Matrix<D>& W, const Vector<D>& b, Vector<D>& x,
                        double tolerance) {
  std::array<int, 4> kept{};
  int count = 1;
  for (int axis = 1; axis < D; ++axis)
    if (!is_dropped<D>(W, b, axis)) kept[count++] = axis;
  if (count == D) return solve_kept<D>(method, W, b, x, tolerance);
  if (count == 1) return solve_compressed<D, 1>(method, W, b, x, tolerance, kept);
  if constexpr (D > 2)
    if (count == 2) return solve_compressed<D, 2>(method, W, b, x, tolerance, kept);
  if constexpr (D > 3) return solve_compressed<D, 3>(method, W, b, x, tolerance, kept);
  return {};
}

template LocalResult solve_local<2>(LocalMethod, const Matrix<2>&, const Vector<2>&, Vector<2>&, double);
template LocalResult solve_local<3>(LocalMethod, const Matrix<3>&, const Vector<3>&, Vector<3>&, double);
template LocalResult solve_local<4>(LocalMethod, const Matrix<4>&, const Vector<4>&, Vector<4>&, double);

const std::vector<LocalMethodEntry>& local_methods() {
  static const std::vector<LocalMethodEntry> all = [] {
    std::vector<LocalMethodEntry> list{
        {"mfb", "Fischer-Burmeister Newton", {Method::mfb, false}, true},
        {"pac", "Alart-Curnier Newton, pure", {Method::pac, false}, true},
        {"dac", "Alart-Curnier Newton, Goldstein-Price line search", {Method::dac, false}, true},
        {"enum", "enumeration: take-off, stick, slide by a polynomial", {Method::enumerate, false}, true},
        {"duriez06", "one decoupled pass, not exact", {Method::duriez06, false}, false},
        {"duriez08", "decoupled fixed point", {Method::duriez08, false}, true},
        {"4sides", "four-sided pyramid, not exact", {Method::four_sides, false}, false},
        {"prox", "proximal fixed point with an adaptive factor", {Method::prox, false}, true},
    };
    const std::size_t plain = list.size();
    for (std::size_t k = 0; k < plain; ++k) {
      const LocalMethodEntry entry = list[k];
      if (entry.method.first == Method::enumerate) continue;
      list.push_back({entry.name + "+enum",
                      entry.summary + "; enumeration as fail-safe",
                      {entry.method.first, true},
                      true});
    }
    return list;
  }();
  return all;
}

const LocalMethodEntry& find_local_method(const std::string& name) {
  std::string known;
  for (const LocalMethodEntry& entry : local_methods()) {
    if (entry.name == name) return entry;
    known += (known.empty() ? "" : ", ") + entry.name;
  }
  throw InputError("local solver: there is no '" + name + "'; there are " + known);
}

}  // namespace capstan::local
