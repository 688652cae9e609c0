#include "capstan/solve/sweep/delassus_sweep.hpp"

#include "capstan/cone/second_order_cone.hpp"
#include "capstan/solve/sweep/local_kernel.hpp"

namespace capstan {
namespace {

/// Sweeps that leave out a contact that was open and stayed so: most contacts of a step are open, and cost as
/// much as the others.
constexpr char kRest = 3;

using Scalar = std::experimental::simd<double, std::experimental::simd_abi::scalar>;

template <int D>
kernel::LocalData<Scalar, D> local_data(const RotatedContact& contact) {
  kernel::LocalData<Scalar, D> data;
  data.inverse_normal = contact.inverse_normal;
  data.step = contact.step;
  for (int a = 0; a < D - 1; ++a) {
    data.g[a] = contact.g[a];
    data.lambda[a] = contact.lambda[a];
    data.inverse_lambda[a] = contact.inverse_lambda[a];
  }
  return data;
}

template <int D>
cone::Vector<D> update_contact(const RotatedContact& contact, const cone::Vector<D>& u,
                               const cone::Vector<D>& y, double& alpha, ContactUpdate update) {
  Scalar velocity[D], x[D], a = alpha;
  for (int k = 0; k < D; ++k) velocity[k] = u[k], x[k] = y[k];
  const auto data = local_data<D>(contact);
  if (update == ContactUpdate::exact)
    kernel::solve_exactly<Scalar, D>(data, velocity, x, a);
  else
    kernel::project_step<Scalar, D>(data, velocity, x);
  alpha = a[0];
  cone::Vector<D> result;
  for (int k = 0; k < D; ++k) result[k] = x[k][0];
  return result;
}

template <int D>
cone::Vector<D> update_with_spring(const SpringContact<D>& contact, const cone::Vector<D>& u,
                                   const cone::Vector<D>& y, double& alpha) {
  Scalar velocity[D], x[D], a = alpha;
  for (int k = 0; k < D; ++k) velocity[k] = u[k], x[k] = y[k];
  kernel::SpringData<Scalar, D> spring;
  for (int r = 0; r < D; ++r) {
    spring.E[r] = contact.E[r];
    for (int c = 0; c < D; ++c) spring.W[r][c] = contact.W(r, c);
  }
  for (int r = 0; r < D - 1; ++r)
    for (int c = 0; c < D - 1; ++c) spring.P[r][c] = contact.P(r, c);
  kernel::solve_with_spring<Scalar, D>(local_data<D>(contact.rotated), spring, velocity, x, a);
  alpha = a[0];
  cone::Vector<D> result;
  for (int k = 0; k < D; ++k) result[k] = x[k][0];
  return result;
}

template <int D>
cone::Vector<D> row_times(const BlockMatrix& W, int row, const Eigen::VectorXd& y) {
  cone::Vector<D> sum = cone::Vector<D>::Zero();
  for (int k = W.row_begin(row); k < W.row_end(row); ++k)
    sum.noalias() +=
        Eigen::Map<const cone::Matrix<D>>(W.values(k)) * y.segment<D>(Eigen::Index(W.column(k)) * D);
  return sum;
}

template <int D, class RowTimes>
SweepSums sweep(const RowTimes& row_times, const Eigen::VectorXd& b,
                const std::vector<RotatedContact>& contacts, const std::vector<SpringContact<D>>& springs,
                const std::vector<int>& spring_of, Eigen::VectorXd& y, Eigen::VectorXd& alpha,
                const Eigen::VectorXd& z, ContactUpdate update, std::vector<char>& rest) {
  SweepSums sums;
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i) {
    if (rest[i] > 0) {
      --rest[i];
      continue;
    }
    const cone::Vector<D> u = b.segment<D>(i * D) + row_times(i, y);
    const bool spring = !spring_of.empty() && spring_of[i] >= 0;
    const cone::Vector<D> x =
        spring ? update_with_spring<D>(springs[spring_of[i]], u, y.segment<D>(i * D), alpha[i])
               : update_contact<D>(contacts[i], u, y.segment<D>(i * D), alpha[i], update);
    const cone::Vector<D> dx = x - y.segment<D>(i * D);
    sums.step += dx.squaredNorm();
    sums.alignment += dx.dot(x - z.segment<D>(i * D));
    if (x.isZero(0) && dx.isZero(0) && z.segment<D>(i * D).isZero(0)) rest[i] = kRest;
    y.segment<D>(i * D) = x;
  }
  return sums;
}

/// diag(1, R) of every contact applied to a vector, transposed or not.
Eigen::VectorXd rotate(const std::vector<RotatedContact>& contacts, int d, Eigen::VectorXd x,
                       bool transposed) {
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Eigen::MatrixXd R = contacts[i].rotation.topLeftCorner(d - 1, d - 1);
    auto t = x.segment(Eigen::Index(i) * d + 1, d - 1);
    t = ((transposed ? R.transpose() : R) * t).eval();
  }
  return x;
}

/// Q = diag(1, R) of every contact.
template <int D>
std::vector<cone::Matrix<D>> rotations(const std::vector<RotatedContact>& contacts) {
  std::vector<cone::Matrix<D>> Q(contacts.size(), cone::Matrix<D>::Identity());
  for (std::size_t i = 0; i < contacts.size(); ++i)
    Q[i].template bottomRightCorner<D - 1, D - 1>() =
        contacts[i].rotation.template topLeftCorner<D - 1, D - 1>();
  return Q;
}

/// W_ij <- Q_i^T W_ij Q_j.
template <int D>
void rotate_blocks(const std::vector<RotatedContact>& contacts, BlockMatrix& W) {
  const std::vector<cone::Matrix<D>> Q = rotations<D>(contacts);
  for (int i = 0; i < W.rows(); ++i)
    for (int k = W.row_begin(i); k < W.row_end(i); ++k) {
      Eigen::Map<cone::Matrix<D>> block(W.values(k));
      block = (Q[i].transpose() * block * Q[W.column(k)]).eval();
    }
}

}  // namespace

DelassusSweep::DelassusSweep(const CanonicalProblem& problem, const kernel::RowKernel& kernel,
                             std::size_t round_from)
    : dimension_(problem.dimension()),
      rows_{{}, {}, {}, {}, kernel},
      spring_of_(problem.spring_of()),
      alpha_(Eigen::VectorXd::Zero(problem.contacts())) {
  const int d = dimension_;
  cone::with_dimension(d, [&]<int D>() {
    for (int i = 0; i < problem.contacts(); ++i) contacts_.push_back(rotate_contact<D>(problem.diagonal(i)));
    std::vector<SpringContact<D>> springs;
    for (const ContactSpring& spring : problem.springs()) {
      springs.push_back(spring_contact<D>(problem.diagonal(spring.contact), spring));
      contacts_[spring.contact].rotation.setIdentity();
    }
    springs_ = std::move(springs);
  });
  if (d == 3) {
    fill_rows(problem.W(), round_from);
  } else {
    W_ = problem.W();
    cone::with_dimension(d, [&]<int D>() { rotate_blocks<D>(contacts_, W_); });
  }
  b_ = rotate(contacts_, d, problem.b(), true);
  set(Eigen::VectorXd::Zero(problem.size()));
}

void DelassusSweep::fill_rows(const BlockMatrix& W, std::size_t round_from) {
  const std::vector<cone::Matrix<3>> Q = rotations<3>(contacts_);
  const std::size_t size = std::size_t(W.blocks()) * kernel::kBlockSize;
  const bool round = size * sizeof(double) >= round_from;
  round ? rows_.rounded.assign(size, 0) : rows_.exact.assign(size, 0);
  rows_.column.resize(W.blocks());
  for (int i = 0; i < W.rows(); ++i) {
    rows_.start.push_back(W.row_begin(i));
    for (int k = W.row_begin(i); k < W.row_end(i); ++k) {
      const int j = rows_.column[k] = W.column(k);
      const cone::Matrix<3> block = Q[i].transpose() * Eigen::Map<const cone::Matrix<3>>(W.values(k)) * Q[j];
      for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r) {
          const std::size_t at = std::size_t(k) * kernel::kBlockSize + c * kernel::kColumnSize + r;
          if (round)
            rows_.rounded[at] = static_cast<float>(block(r, c));
          else
            rows_.exact[at] = block(r, c);
        }
    }
  }
  rows_.start.push_back(W.blocks());
}

Eigen::Vector3d DelassusSweep::Rows::times(int row, const Eigen::VectorXd& y) const {
  Eigen::Vector4d sum = Eigen::Vector4d::Zero();
  const int first = start[row], count = start[row + 1] - first;
  const std::size_t at = std::size_t(first) * kernel::kBlockSize;
  if (is_rounded())
    kernel.multiply_rounded(rounded.data() + at, column.data() + first, count, y.data(), sum.data());
  else
    kernel.multiply(exact.data() + at, column.data() + first, count, y.data(), sum.data());
  return sum.head<3>();
}

void DelassusSweep::set(const Eigen::VectorXd& x) {
  z_ = z_before_ = rotate(contacts_, dimension_, x, true);
  rest_.assign(contacts_.size(), 0);
}

Eigen::VectorXd DelassusSweep::get() { return rotate(contacts_, dimension_, z_, false); }

void DelassusSweep::recentre(const Eigen::VectorXd& y) {
  if (!rows_.is_rounded()) return;
  b_ = rotate(contacts_, 3, y, true);
  for (int i = 0; i < static_cast<int>(contacts_.size()); ++i) b_.segment<3>(3 * i) -= rows_.times(i, z_);
}

SweepSums DelassusSweep::run(double beta, ContactUpdate update) {
  Eigen::VectorXd y = z_ + beta * (z_ - z_before_);
  SweepSums sums = sweep_once(y, update);
  if (sums.step == 0) {  // only where those that rest change nothing either
    rest_.assign(contacts_.size(), 0);
    sums = sweep_once(y, update);
  }
  z_before_.swap(z_);
  z_.swap(y);
  return sums;
}

SweepSums DelassusSweep::sweep_once(Eigen::VectorXd& y, ContactUpdate update) {
  return cone::with_dimension(dimension_, [&]<int D>() {
    const auto times = [&](int row, const Eigen::VectorXd& at) -> cone::Vector<D> {
      if constexpr (D == 3) return rows_.times(row, at);
      return row_times<D>(W_, row, at);
    };
    return sweep<D>(times, b_, contacts_, std::get<std::vector<SpringContact<D>>>(springs_), spring_of_, y,
                    alpha_, z_, update, rest_);
  });
}

}  // namespace capstan
