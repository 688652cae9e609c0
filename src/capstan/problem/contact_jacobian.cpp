#include "capstan/problem/contact_jacobian.hpp"

#include <algorithm>
#include <cassert>
#include <string>

#include "capstan/cone/second_order_cone.hpp"
#include "capstan/errors.hpp"

namespace capstan {
namespace {

// The entries of a body lie far from each other: asked for while those before them are worked on.
constexpr int kAhead = 6, kDoublesOfALine = 8;

}  // namespace

ContactJacobian::ContactJacobian(int dimension, std::vector<int> dof_start)
    : dimension_(dimension), dof_start_(std::move(dof_start)) {
  if (dof_start_.empty() || dof_start_.front() != 0 || !std::is_sorted(dof_start_.begin(), dof_start_.end()))
    throw InputError("H: dof_start must begin with 0 and never decrease");
}

ContactJacobian::ContactJacobian(int dimension, std::vector<int> dof_start, Pattern pattern)
    : ContactJacobian(dimension, std::move(dof_start)) {
  contact_start_ = std::move(pattern.start);
  body_ = std::move(pattern.body);
  offset_.reserve(body_.size());
  std::size_t size = 0;
  for (const int body : body_) {
    assert(body >= 0 && body < bodies());
    offset_.push_back(size);
    size += std::size_t(dimension_) * body_dofs(body);
  }
  values_.resize(size, 0.0);
}

ContactJacobian ContactJacobian::with_same_pattern() const {
  ContactJacobian result;
  result.dimension_ = dimension_;
  result.dof_start_ = dof_start_;
  result.contact_start_ = contact_start_;
  result.body_ = body_;
  result.offset_ = offset_;
  result.values_.resize(values_.size());
  return result;
}

int ContactJacobian::add_contact() {
  contact_start_.push_back(static_cast<int>(body_.size()));
  return contacts() - 1;
}

void ContactJacobian::add_block(int body, const Eigen::Ref<const Eigen::MatrixXd>& block) {
  if (contacts() == 0) throw InputError("H: add_contact before add_block");
  if (body < 0 || body >= bodies())
    throw InputError("H: contact " + std::to_string(contacts() - 1) + " touches body " +
                     std::to_string(body) + ", but there are " + std::to_string(bodies()) + " bodies");
  if (block.rows() != dimension_ || block.cols() != body_dofs(body))
    throw InputError("H: block of contact " + std::to_string(contacts() - 1) + " on body " +
                     std::to_string(body) + " is " + std::to_string(block.rows()) + " x " +
                     std::to_string(block.cols()) + ", expected " + std::to_string(dimension_) + " x " +
                     std::to_string(body_dofs(body)));
  for (int k = contact_start_[contacts() - 1]; k < contact_start_.back(); ++k)
    if (body_[k] == body) {  // both sides of a self-contact: their blocks add up
      this->block(k) += block;
      return;
    }
  body_.push_back(body);
  offset_.push_back(values_.size());
  values_.resize(values_.size() + std::size_t(block.size()));
  contact_start_.back() = static_cast<int>(body_.size());
  this->block(static_cast<int>(body_.size()) - 1) = block;
}

namespace {

using Rows = Eigen::Ref<const Eigen::SparseMatrix<double, Eigen::RowMajor>>;

/// The bodies that each contact touches, by rising number.
ContactJacobian::Pattern touched_bodies(const Rows& H, int dimension, const std::vector<int>& body_of) {
  ContactJacobian::Pattern pattern;
  const int contacts = static_cast<int>(H.rows()) / dimension;
  std::vector<int> last_seen(body_of.empty() ? 0 : body_of.back() + 1, -1);
  for (int i = 0; i < contacts; ++i) {
    for (int a = 0; a < dimension; ++a)
      for (Rows::InnerIterator it(H, i * dimension + a); it; ++it) {
        const int body = body_of[it.col()];
        if (it.value() == 0 || last_seen[body] == i) continue;
        last_seen[body] = i;
        pattern.body.push_back(body);
      }
    std::sort(pattern.body.begin() + pattern.start.back(), pattern.body.end());
    pattern.start.push_back(static_cast<int>(pattern.body.size()));
  }
  return pattern;
}

}  // namespace

ContactJacobian ContactJacobian::from_sparse(const Rows& H, int dimension, std::vector<int> dof_start) {
  const ContactJacobian bodies(dimension, dof_start);  // checks them
  std::vector<int> body_of(bodies.dofs());
  for (int body = 0; body < bodies.bodies(); ++body)
    for (int k = dof_start[body]; k < dof_start[body + 1]; ++k) body_of[k] = body;
  ContactJacobian result(dimension, std::move(dof_start), touched_bodies(H, dimension, body_of));
  std::vector<int> entry(result.bodies());
  for (int i = 0; i < result.contacts(); ++i) {
    for (int k = result.begin(i); k < result.end(i); ++k) entry[result.body(k)] = k;
    for (int a = 0; a < dimension; ++a)
      for (Rows::InnerIterator it(H, i * dimension + a); it; ++it) {
        if (it.value() == 0) continue;
        const int body = body_of[it.col()];
        result.block(entry[body])(a, it.col() - result.dof_start(body)) += it.value();
      }
  }
  return result;
}

void ContactJacobian::multiply(const Eigen::VectorXd& v, Eigen::VectorXd& u, const Executor& executor) const {
  u.resize(Eigen::Index(contacts()) * dimension_);
  cone::with_dimension(dimension_, [&]<int D>() {
    for_each_chunk(executor, contacts(), [&](int first, int last) {
      for (int i = first; i < last; ++i) {
        cone::Vector<D> sum = cone::Vector<D>::Zero();
        for (int k = begin(i); k < end(i); ++k) {
          const double* h = values(k);
          const double* vb = v.data() + dof_start_[body_[k]];
          for (int c = 0; c < body_dofs(body_[k]); ++c)
            sum += Eigen::Map<const cone::Vector<D>>(h + Eigen::Index(c) * D) * vb[c];
        }
        u.segment<D>(Eigen::Index(i) * D) = sum;
      }
    });
  });
}

ContactJacobian::ByBody ContactJacobian::by_body() const {
  ByBody result;
  result.start.assign(bodies() + 1, 0);
  for (const int body : body_) ++result.start[body + 1];
  for (int body = 0; body < bodies(); ++body) result.start[body + 1] += result.start[body];
  std::vector<int> next(result.start.begin(), result.start.end() - 1);
  result.entry.resize(body_.size());
  result.contact.resize(body_.size());
  for (int i = 0; i < contacts(); ++i)
    for (int k = begin(i); k < end(i); ++k) {
      const int at = next[body_[k]]++;
      result.entry[at] = k;
      result.contact[at] = i;
    }
  return result;
}

void ContactJacobian::multiply_transposed(const Eigen::VectorXd& r, Eigen::VectorXd& f, const ByBody& entries,
                                          const Executor& executor) const {
  f.setZero(dofs());
  cone::with_dimension(dimension_, [&]<int D>() {
    for_each_chunk(executor, bodies(), [&](int first, int last) {
      const int end = entries.start[last];
      for (int at = entries.start[first]; at < end; ++at) {
        const int k = entries.entry[at], later = entries.entry[std::min(at + kAhead, end - 1)];
        for (int line = 0; line < D * body_dofs(body_[later]); line += kDoublesOfALine)
          __builtin_prefetch(values(later) + line);
        const cone::Vector<D> ri = r.segment<D>(Eigen::Index(entries.contact[at]) * D);
        const double* h = values(k);
        double* fb = f.data() + dof_start_[body_[k]];
        for (int c = 0; c < body_dofs(body_[k]); ++c)
          fb[c] += Eigen::Map<const cone::Vector<D>>(h + Eigen::Index(c) * D).dot(ri);
      }
    });
  });
}

void ContactJacobian::multiply_transposed(const Eigen::VectorXd& r, Eigen::VectorXd& f) const {
  f.setZero(dofs());
  cone::with_dimension(dimension_, [&]<int D>() {
    for (int i = 0; i < contacts(); ++i) {
      const cone::Vector<D> ri = r.segment<D>(Eigen::Index(i) * D);
      for (int k = begin(i); k < end(i); ++k) {
        const double* h = values(k);
        double* fb = f.data() + dof_start_[body_[k]];
        for (int c = 0; c < body_dofs(body_[k]); ++c)
          fb[c] += Eigen::Map<const cone::Vector<D>>(h + Eigen::Index(c) * D).dot(ri);
      }
    }
  });
}

bool ContactJacobian::all_finite(const Executor& executor) const {
  constexpr std::size_t kAtATime = 1 << 15;
  std::vector<char> finite((values_.size() + kAtATime - 1) / kAtATime);
  executor.for_each(static_cast<int>(finite.size()), [&](int part) {
    const std::size_t first = part * kAtATime, size = std::min(kAtATime, values_.size() - first);
    finite[part] = Eigen::Map<const Eigen::VectorXd>(values_.data() + first, Eigen::Index(size)).allFinite();
  });
  return std::all_of(finite.begin(), finite.end(), [](char part) { return part; });
}

Eigen::SparseMatrix<double, Eigen::RowMajor> ContactJacobian::sparse() const {
  std::vector<Eigen::Triplet<double>> triplets;
  triplets.reserve(values_.size());
  for (int i = 0; i < contacts(); ++i)
    for (int k = begin(i); k < end(i); ++k) {
      const auto h = block(k);
      for (int c = 0; c < h.cols(); ++c)
        for (int a = 0; a < dimension_; ++a)
          if (h(a, c) != 0) triplets.emplace_back(i * dimension_ + a, dof_start_[body_[k]] + c, h(a, c));
    }
  Eigen::SparseMatrix<double, Eigen::RowMajor> result(Eigen::Index(contacts()) * dimension_, dofs());
  result.setFromTriplets(triplets.begin(), triplets.end());
  return result;
}

ContactJacobian ContactJacobian::restricted(const std::vector<int>& keep,
                                            const std::vector<int>& keep_bodies) const {
  std::vector<int> dof_start{0}, renumbered(bodies(), -1);
  for (const int body : keep_bodies) {
    renumbered[body] = static_cast<int>(dof_start.size()) - 1;
    dof_start.push_back(dof_start.back() + body_dofs(body));
  }
  Pattern pattern;
  for (const int i : keep) {
    for (int k = begin(i); k < end(i); ++k) pattern.body.push_back(renumbered[body_[k]]);
    pattern.start.push_back(static_cast<int>(pattern.body.size()));
  }
  ContactJacobian result(dimension_, std::move(dof_start), std::move(pattern));
  int to = 0;
  for (const int i : keep)
    for (int k = begin(i); k < end(i); ++k) result.block(to++) = block(k);
  return result;
}

}  // namespace capstan
