#include "capstan/solve/lemke.hpp"

#include <cmath>
#include <numbers>

#include "capstan/problem/dense_algebra.hpp"

namespace capstan {
namespace {

/// Rows: basic variables. Columns: nonbasic ones, then the constant. basic = rows . nonbasic + constant.
/// Variables: w_i is i, z_i is n + i, the artificial z0 is 2 n.
class LemkeTableau {
 public:
  explicit LemkeTableau(const LinearComplementarityProblem& problem)
      : n_(static_cast<int>(problem.q.size())),
        T_(n_, n_ + 2),
        basic_(n_),
        nonbasic_(n_ + 1),
        place_(2 * n_ + 1) {
    T_ << problem.M, Eigen::VectorXd::Ones(n_), problem.q;
    for (int i = 0; i < n_; ++i) basic_[i] = i;
    for (int j = 0; j <= n_; ++j) nonbasic_[j] = n_ + j;
    for (int v = 0; v <= 2 * n_; ++v) place_[v] = v < n_ ? v : v - n_;
    is_basic_.assign(2 * n_ + 1, false);
    for (int i = 0; i < n_; ++i) is_basic_[i] = true;
  }

  int artificial() const { return 2 * n_; }
  int complement(int variable) const { return variable < n_ ? variable + n_ : variable - n_; }
  int column(int variable) const { return place_[variable]; }
  int variable_of_row(int row) const { return basic_[row]; }
  bool is_basic(int variable) const { return is_basic_[variable]; }

  /// The row where z0 enters: the most negative constant; -1 if there is none.
  int first_row() const {
    int row = -1;
    for (int i = 0; i < n_; ++i)
      if (T_(i, n_ + 1) < 0 && (row < 0 || before(i, row, 1.0, 1.0))) row = i;
    return row;
  }

  /// The basic variable that first falls to zero as the variable of `column` grows; z0 wins ties; -1 on a
  /// ray.
  int blocking_row(int column) const {
    const double threshold = 1e-11 * T_.col(column).cwiseAbs().maxCoeff();
    int row = -1;
    for (int i = 0; i < n_; ++i) {
      if (!(-T_(i, column) > threshold)) continue;
      if (row < 0 || before(i, row, -T_(i, column), -T_(row, column))) row = i;
    }
    return row;
  }

  void pivot(int row, int column) {
    const double p = 1 / T_(row, column);
    const Eigen::VectorXd col = T_.col(column);
    Eigen::RowVectorXd r = -p * T_.row(row);
    r[column] = p;
    T_.col(column).setZero();
    T_.row(row).setZero();
    Eigen::VectorXd factors = col;
    factors[row] = 1;
    T_.noalias() += factors * r;
    const int leaving = basic_[row], entering = nonbasic_[column];
    basic_[row] = entering;
    nonbasic_[column] = leaving;
    place_[entering] = row;
    place_[leaving] = column;
    is_basic_[entering] = true;
    is_basic_[leaving] = false;
  }

  double constant(int row) const { return T_(row, n_ + 1); }

 private:
  /// Coefficient of row `i` of the inverse of the basis at w_j, by which ties are broken.
  double inverse_entry(int i, int j) const {
    return is_basic_[j] ? double(place_[j] == i) : -T_(i, place_[j]);
  }

  /// Whether row a / scale_a comes before row b / scale_b: by the constant, then lexicographically.
  bool before(int a, int b, double scale_a, double scale_b) const {
    const double qa = constant(a) / scale_a, qb = constant(b) / scale_b;
    const double tie = 1e-13 * std::max(std::abs(qa), std::abs(qb));
    if (std::abs(qa - qb) > tie) return qa < qb;
    if (basic_[a] == artificial() || basic_[b] == artificial()) return basic_[a] == artificial();
    for (int j = 0; j < n_; ++j) {
      const double va = inverse_entry(a, j) / scale_a, vb = inverse_entry(b, j) / scale_b;
      if (std::abs(va - vb) > 1e-13 * std::max(std::abs(va), std::abs(vb))) return va < vb;
    }
    return a < b;
  }

  int n_;
  Eigen::MatrixXd T_;
  std::vector<int> basic_, nonbasic_, place_;
  std::vector<bool> is_basic_;
};

/// z of the basis: M_zz z = -q_z, solved afresh; the tableau's own values where that matrix is singular.
Eigen::VectorXd solution_of_basis(const LinearComplementarityProblem& problem, const LemkeTableau& tableau) {
  const int n = static_cast<int>(problem.q.size());
  std::vector<int> basic;
  Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
  for (int i = 0; i < n; ++i)
    if (tableau.is_basic(n + i)) {
      basic.push_back(i);
      z[i] = std::max(tableau.constant(tableau.column(n + i)), 0.0);
    }
  if (basic.empty()) return z;
  const Eigen::VectorXd fresh = DenseLu(problem.M(basic, basic)).solve(Eigen::VectorXd(-problem.q(basic)));
  if (!fresh.allFinite() || fresh.minCoeff() < -1e-9 * fresh.cwiseAbs().maxCoeff()) return z;
  z(basic) = fresh.cwiseMax(0);
  return z;
}

/// Points of a hemisphere at about equal distances (a Fibonacci spiral) and their opposites.
Eigen::MatrixXd sphere_directions(int count) {
  const int half = std::max(count, 6) / 2;
  if (half == 3) {
    Eigen::MatrixXd axes(3, 6);
    axes << Eigen::Matrix3d::Identity(), -Eigen::Matrix3d::Identity();
    return axes;
  }
  Eigen::MatrixXd result(3, 2 * half);
  for (int j = 0; j < half; ++j) {
    const double height = (j + 0.5) / half, radius = std::sqrt(1 - height * height);
    const double angle = j * std::numbers::pi * (3 - std::sqrt(5.0));
    result.col(j) << radius * std::cos(angle), radius * std::sin(angle), height;
    result.col(half + j) = -result.col(j);
  }
  return result;
}

}  // namespace

LemkeResult solve_lemke(const LinearComplementarityProblem& problem, const std::function<bool(int)>& go_on) {
  LemkeResult result;
  result.z = Eigen::VectorXd::Zero(problem.q.size());
  LemkeTableau tableau(problem);
  int row = tableau.first_row(), entering = tableau.artificial();
  result.solved = row < 0;  // q >= 0: z = 0
  while (!result.solved && row >= 0 && go_on(result.pivots)) {
    const int leaving = tableau.variable_of_row(row);
    tableau.pivot(row, tableau.column(entering));
    ++result.pivots;
    result.solved = leaving == tableau.artificial();
    if (result.solved) break;
    entering = tableau.complement(leaving);
    row = tableau.blocking_row(tableau.column(entering));
  }
  result.z = solution_of_basis(problem, tableau);
  return result;
}

Eigen::MatrixXd facet_directions(int axes, int count) {
  if (axes == 0) return Eigen::MatrixXd(0, 0);
  if (axes == 1) return Eigen::RowVector2d(1, -1);
  if (axes == 3) return sphere_directions(count);
  Eigen::MatrixXd result(2, count);
  for (int j = 0; j < count; ++j) {
    const double angle = 2 * std::numbers::pi * j / count;
    result.col(j) << std::cos(angle), std::sin(angle);
  }
  return result;
}

FacetedContacts::FacetedContacts(const CanonicalProblem& problem, int facets) : canonical_(problem) {
  const int d = problem.dimension();
  for (int i = 0; i < problem.contacts(); ++i) {
    std::vector<int> kept;  // tangents with friction
    for (int a = 1; a < d; ++a)
      if (problem.scale()[i * d + a] > 0) kept.push_back(a - 1);
    const Eigen::MatrixXd reduced = facet_directions(static_cast<int>(kept.size()), facets);
    Eigen::MatrixXd directions = Eigen::MatrixXd::Zero(d - 1, reduced.cols());
    for (std::size_t a = 0; a < kept.size(); ++a) directions.row(kept[a]) = reduced.row(Eigen::Index(a));
    first_.push_back(size_);
    size_ += 1 + static_cast<int>(directions.cols()) + (directions.cols() > 0);
    directions_.push_back(std::move(directions));
  }
}

LinearComplementarityProblem FacetedContacts::problem() const {
  const int d = canonical_.dimension(), contacts = canonical_.contacts();
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(canonical_.size(), size_);  // x = G z
  LinearComplementarityProblem lcp{Eigen::MatrixXd::Zero(size_, size_), {}};
  for (int i = 0; i < contacts; ++i) {
    const int first = first_[i], k = static_cast<int>(directions_[i].cols());
    G(i * d, first) = 1;
    if (k == 0) continue;
    G.block(i * d + 1, first + 1, d - 1, k) = directions_[i];
    lcp.M.block(first + 1, first + 1 + k, k, 1).setOnes();  // direction.y_T + speed >= 0
    lcp.M(first + 1 + k, first) = 1;                        // x_N - sum of the weights >= 0
    lcp.M.block(first + 1 + k, first + 1, 1, k).setConstant(-1);
  }
  lcp.M += product(product(G.transpose(), canonical_.W().dense()), G);
  lcp.q = G.transpose() * canonical_.b();
  return lcp;
}

Eigen::VectorXd FacetedContacts::impulse(const Eigen::VectorXd& z) const {
  const int d = canonical_.dimension();
  Eigen::VectorXd x = Eigen::VectorXd::Zero(canonical_.size());
  for (int i = 0; i < canonical_.contacts(); ++i) {
    const Eigen::Index k = directions_[i].cols();
    x[i * d] = z[first_[i]];
    if (k > 0) x.segment(i * d + 1, d - 1) = directions_[i] * z.segment(first_[i] + 1, k);
  }
  return x;
}

}  // namespace capstan
