#include "capstan/solve/sweep/delassus_sweep.hpp"

#include "capstan/cone/second_order_cone.hpp"
#include "capstan/solve/sweep/local_kernel.hpp"

namespace capstan {
namespace {

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
SweepSums sweep(const BlockMatrix& W, const Eigen::VectorXd& b, const std::vector<RotatedContact>& contacts,
                const std::vector<SpringContact<D>>& springs, const std::vector<int>& spring_of,
                Eigen::VectorXd& y, Eigen::VectorXd& alpha, const Eigen::VectorXd& z, ContactUpdate update) {
  SweepSums sums;
  for (int i = 0; i < W.rows(); ++i) {
    cone::Vector<D> u = b.segment<D>(i * D);
    for (int k = W.row_begin(i); k < W.row_end(i); ++k)
      u.noalias() +=
          Eigen::Map<const cone::Matrix<D>>(W.values(k)) * y.segment<D>(Eigen::Index(W.column(k)) * D);
    const bool spring = !spring_of.empty() && spring_of[i] >= 0;
    const cone::Vector<D> x =
        spring ? update_with_spring<D>(springs[spring_of[i]], u, y.segment<D>(i * D), alpha[i])
               : update_contact<D>(contacts[i], u, y.segment<D>(i * D), alpha[i], update);
    const cone::Vector<D> dx = x - y.segment<D>(i * D);
    sums.step += dx.squaredNorm();
    sums.alignment += dx.dot(x - z.segment<D>(i * D));
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

/// W_ij <- Q_i^T W_ij Q_j with Q = diag(1, R).
template <int D>
void rotate_blocks(const std::vector<RotatedContact>& contacts, BlockMatrix& W) {
  std::vector<cone::Matrix<D>> Q(contacts.size(), cone::Matrix<D>::Identity());
  for (std::size_t i = 0; i < contacts.size(); ++i)
    Q[i].template bottomRightCorner<D - 1, D - 1>() =
        contacts[i].rotation.template topLeftCorner<D - 1, D - 1>();
  for (int i = 0; i < W.rows(); ++i)
    for (int k = W.row_begin(i); k < W.row_end(i); ++k) {
      Eigen::Map<cone::Matrix<D>> block(W.values(k));
      block = (Q[i].transpose() * block * Q[W.column(k)]).eval();
    }
}

}  // namespace

DelassusSweep::DelassusSweep(const CanonicalProblem& problem)
    : dimension_(problem.dimension()),
      W_(problem.W()),
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
  cone::with_dimension(d, [&]<int D>() { rotate_blocks<D>(contacts_, W_); });
  b_ = rotate(contacts_, d, problem.b(), true);
  set(Eigen::VectorXd::Zero(problem.size()));
}

void DelassusSweep::set(const Eigen::VectorXd& x) { z_ = z_before_ = rotate(contacts_, dimension_, x, true); }

Eigen::VectorXd DelassusSweep::get() { return rotate(contacts_, dimension_, z_, false); }

SweepSums DelassusSweep::run(double beta, ContactUpdate update) {
  Eigen::VectorXd y = z_ + beta * (z_ - z_before_);
  const SweepSums sums = cone::with_dimension(dimension_, [&]<int D>() {
    return sweep<D>(W_, b_, contacts_, std::get<std::vector<SpringContact<D>>>(springs_), spring_of_, y,
                    alpha_, z_, update);
  });
  z_before_.swap(z_);
  z_.swap(y);
  return sums;
}

}  // namespace capstan
