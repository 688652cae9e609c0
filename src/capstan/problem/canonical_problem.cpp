#include "capstan/problem/canonical_problem.hpp"

#include <algorithm>
#include <limits>

#include "capstan/executor.hpp"

namespace capstan {
namespace {

/// D = S a, one entry a row.
Eigen::VectorXd change_of_variables(const ContactProblem& problem, const Eigen::VectorXd& weight) {
  const int d = problem.dimension();
  Eigen::VectorXd D(Eigen::Index(problem.contacts()) * d);
  for (int i = 0; i < problem.contacts(); ++i) {
    D[i * d] = weight[i];
    for (int a = 1; a < d; ++a) D[i * d + a] = weight[i] * problem.law(i).friction[a - 1];
  }
  return D;
}

/// H L^-T is dense: of no use for chains so long that W is smaller, nor where M is known by its inverse.
bool wants_bodies(const ContactProblem& p) {
  if (!p.has_mass() || !p.mass().is_block_diagonal()) return false;
  if (p.mass().has_compliance()) return false;
  for (int body = 0; body < p.mass().bodies(); ++body)
    if (p.mass().factor(body).is_large()) return cost_in_body_space(p.H()) <= cost_in_delassus_space(p.H());
  return true;
}

/// H, f and w as given, rows not scaled by D yet.
BodySpace normalised_bodies(const MassMatrix& M, const ContactJacobian& H, const Eigen::VectorXd& f,
                            const Eigen::VectorXd& w, const Eigen::VectorXd& D, const Executor& executor) {
  const int d = H.dimension();
  BodySpace space{H.with_same_pattern(), Eigen::VectorXd(M.dofs()), D.cwiseProduct(w), {}};
  for_each_chunk(executor, M.bodies(), [&](int begin, int end) {
    for (int body = begin; body < end; ++body) {
      const int first = M.dof_starts()[body], size = M.dof_starts()[body + 1] - first;
      space.v0.segment(first, size) = f.segment(first, size);
      M.factor(body).solve_lower(space.v0.segment(first, size));
    }
  });
  for_each_chunk(executor, H.contacts(), [&](int first, int last) {
    Eigen::MatrixXd transposed;
    for (int i = first; i < last; ++i)
      for (int k = H.begin(i); k < H.end(i); ++k) {
        transposed = H.block(k).transpose() * D.segment(i * d, d).asDiagonal();
        M.factor(H.body(k)).solve_lower(transposed);
        space.H.block(k) = transposed.transpose();
      }
  });
  if (executor.helped()) space.by_body = H.by_body();  // whoever helps is here by now
  return space;
}

NodeSpace nodes_of(const ContactProblem& problem, const Eigen::VectorXd& D) {
  const int d = problem.dimension();
  NodeSpace space{problem.mass(), problem.H(), problem.f(), D.cwiseProduct(problem.w())};
  for (int i = 0; i < problem.contacts(); ++i)
    for (int k = space.H.begin(i); k < space.H.end(i); ++k)
      space.H.block(k) = D.segment(i * d, d).asDiagonal() * problem.H().block(k);
  return space;
}

/// How many contacts touch each block of M.
std::vector<double> contacts_of_blocks(const NodeSpace& space) {
  const std::vector<int> block_of = blocks_of_bodies(space.M, space.H);
  std::vector<double> touching(space.M.bodies(), 0.0);
  std::vector<int> seen(space.M.bodies(), -1);
  for (int i = 0; i < space.H.contacts(); ++i)
    for (int k = space.H.begin(i); k < space.H.end(i); ++k) {
      const int block = block_of[space.H.body(k)];
      if (seen[block] != i) ++touching[block];
      seen[block] = i;
    }
  return touching;
}

/// Sorted, each once.
void sort_uniquely(std::vector<int>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

/// Some contacts and the blocks of M that they touch, whole.
NodeSpace restricted(const NodeSpace& space, const std::vector<int>& keep) {
  const std::vector<int> block_of = blocks_of_bodies(space.M, space.H);
  std::vector<int> blocks, bodies;
  for (const int i : keep)
    for (int k = space.H.begin(i); k < space.H.end(i); ++k) blocks.push_back(block_of[space.H.body(k)]);
  sort_uniquely(blocks);
  for (int body = 0; body < space.H.bodies(); ++body)
    if (std::binary_search(blocks.begin(), blocks.end(), block_of[body])) bodies.push_back(body);
  const int d = space.H.dimension();
  NodeSpace result{space.M.restricted(blocks),
                   space.H.restricted(keep, bodies),
                   {},
                   Eigen::VectorXd(Eigen::Index(keep.size()) * d)};
  result.f.resize(result.M.dofs());
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const int to = result.M.dof_starts()[b], size = result.M.dof_starts()[b + 1] - to;
    result.f.segment(to, size) = space.f.segment(space.M.dof_starts()[blocks[b]], size);
  }
  for (std::size_t k = 0; k < keep.size(); ++k)
    result.w.segment(Eigen::Index(k) * d, d) = space.w.segment(Eigen::Index(keep[k]) * d, d);
  return result;
}

}  // namespace

double cost_in_body_space(const ContactJacobian& H) {
  double dofs = 0;
  for (int i = 0; i < H.contacts(); ++i)
    for (int k = H.begin(i); k < H.end(i); ++k) dofs += H.body_dofs(H.body(k));
  return 2.0 * H.dimension() * dofs;
}

double cost_in_delassus_space(const ContactJacobian& H) {
  std::vector<double> touching(H.bodies(), 0.0);
  for (int i = 0; i < H.contacts(); ++i)
    for (int k = H.begin(i); k < H.end(i); ++k) ++touching[H.body(k)];
  double pairs = 0;
  for (const double k : touching) pairs += k * k;
  return double(H.dimension()) * H.dimension() * pairs;
}

CanonicalProblem::CanonicalProblem(const ContactProblem& problem, const Executor& executor, TractionForm form)
    : dimension_(problem.dimension()),
      contacts_(problem.contacts()),
      weight_(contact_masses(problem, executor).cwiseSqrt()),
      executor_(&executor) {
  bool traction = false, shift = false;
  for (const ContactLaw& law : problem.laws()) {
    traction |= law.has_traction();
    shift |= !law.shift.isZero(0);
  }
  const bool keep = form == TractionForm::in_contact && traction;
  std::optional<ContactProblem> changed;
  if (keep)
    changed = without_shift(problem);
  else if (traction || shift)
    changed = without_traction(problem, executor);
  const ContactProblem& p = changed ? *changed : problem;
  D_ = change_of_variables(p, weight_);
  if (keep) keep_springs(p);
  b_ = D_.cwiseProduct(p.b());
  const int d = dimension_;
  diagonal_.resize(d, Eigen::Index(contacts_) * d);
  for_each_chunk(executor, contacts_, [&](int first, int last) {
    for (int i = first; i < last; ++i) {
      const auto scale = D_.segment(i * d, d).asDiagonal();
      diagonal_.middleCols(i * d, d) = scale * p.diagonal(i) * scale;
    }
  });
  if (wants_bodies(p)) {
    bodies_ = normalised_bodies(p.mass(), p.H(), p.f(), p.w(), D_, executor);
  } else if (p.has_mass() && p.mass().has_sparse_bodies()) {
    nodes_ = nodes_of(p, D_);
  } else {
    const bool blocks = p.has_mass() && p.mass().is_block_diagonal();
    W_ = blocks ? assemble_delassus(p.mass(), p.H(), executor) : p.W();
    W_->scale(D_);
  }
  if (!traction || keep) return;
  given_ = problem;
  without_traction_ = std::move(changed);
}

/// Takes friction out of the change of variables of contacts with a traction.
void CanonicalProblem::keep_springs(const ContactProblem& problem) {
  const int d = dimension_;
  spring_of_.assign(contacts_, -1);
  for (int i = 0; i < contacts_; ++i) {
    const ContactLaw& law = problem.law(i);
    if (!law.has_traction()) continue;
    D_.segment(i * d, d).setConstant(weight_[i]);
    spring_of_[i] = static_cast<int>(springs_.size());
    springs_.push_back({i, law.traction / (weight_[i] * weight_[i]), law.friction});
  }
}

const BlockMatrix& CanonicalProblem::W() const {
  if (!W_ && nodes_) W_ = assemble_delassus(nodes_->M, nodes_->H, *executor_);
  if (!W_) {
    std::vector<BodyMatrix> identity;  // banded: a long chain must not cost its dofs cubed
    for (int body = 0; body < bodies_->H.bodies(); ++body) {
      BandedMatrix one(bodies_->H.body_dofs(body), 0);
      for (int i = 0; i < one.size(); ++i) one.at(i, i) = 1;
      identity.emplace_back(std::move(one));
    }
    W_ = assemble_delassus(MassMatrix::from_bodies(std::move(identity), *executor_), bodies_->H, *executor_);
  }
  return *W_;
}

double CanonicalProblem::cost_in_body_space() const {
  return bodies_ ? capstan::cost_in_body_space(bodies_->H) : std::numeric_limits<double>::infinity();
}

double CanonicalProblem::cost_in_delassus_space() const {
  if (W_) return double(dimension_) * dimension_ * W_->blocks();
  if (!nodes_) return capstan::cost_in_delassus_space(bodies_->H);
  double pairs = 0;
  for (const double k : contacts_of_blocks(*nodes_)) pairs += k * k;
  return double(dimension_) * dimension_ * pairs;
}

void CanonicalProblem::velocity(const Eigen::VectorXd& x, Eigen::VectorXd& y,
                                const Executor& executor) const {
  // Long strands with few contacts: once W is there it is the shorter way.
  const bool shorter = bodies_ && W_ && cost_in_delassus_space() < cost_in_body_space();
  if (bodies_ && !shorter) {
    Eigen::VectorXd v;
    if (executor.helped() && !bodies_->by_body.start.empty())
      bodies_->H.multiply_transposed(x, v, bodies_->by_body, executor);
    else
      bodies_->H.multiply_transposed(x, v);
    v += bodies_->v0;
    bodies_->H.multiply(v, y, executor);
    y += bodies_->w;
    return;
  }
  if (nodes_ && !W_) {
    Eigen::VectorXd force;
    nodes_->H.multiply_transposed(x, force);
    nodes_->H.multiply(nodes_->M.solve(nodes_->f + force, executor), y, executor);
    y += nodes_->w;
    return;
  }
  W_->multiply(x, y);
  y += b_;
}

Eigen::VectorXd CanonicalProblem::impulse_from_canonical(const Eigen::VectorXd& x) const {
  Eigen::VectorXd r = D_.cwiseProduct(x);  // r'
  if (!given_) return r;
  const Eigen::VectorXd u = without_traction_->relative_velocity(r);  // u'
  const int d = dimension_;
  for (int i = 0; i < contacts_; ++i)
    r.segment(i * d, d) -= given_->law(i).traction.head(d).cwiseProduct(u.segment(i * d, d));
  return r;
}

Eigen::VectorXd CanonicalProblem::canonical_from_impulse(const Eigen::VectorXd& r) const {
  const int d = dimension_;
  Eigen::VectorXd x = r;
  if (given_) {
    const Eigen::VectorXd u = given_->relative_velocity(r);
    for (int i = 0; i < contacts_; ++i) {
      const ContactLaw& law = given_->law(i);
      x.segment(i * d, d) += law.traction.head(d).cwiseProduct(u.segment(i * d, d) + law.shift.head(d));
    }
  }
  for (Eigen::Index k = 0; k < x.size(); ++k) x[k] = D_[k] > 0 ? x[k] / D_[k] : 0.0;
  return x;
}

CanonicalProblem CanonicalProblem::island(const std::vector<int>& keep) const {
  const int d = dimension_;
  CanonicalProblem result;
  result.dimension_ = d;
  result.contacts_ = static_cast<int>(keep.size());
  result.executor_ = executor_;
  result.error_unit_ = error_unit_;
  result.b_.resize(Eigen::Index(keep.size()) * d);
  result.D_.resize(result.b_.size());
  result.weight_.resize(Eigen::Index(keep.size()));
  result.diagonal_.resize(d, result.b_.size());
  for (int k = 0; k < result.contacts_; ++k) {
    const int i = keep[k];
    result.b_.segment(k * d, d) = b_.segment(i * d, d);
    result.D_.segment(k * d, d) = D_.segment(i * d, d);
    result.diagonal_.middleCols(k * d, d) = diagonal(i);
    result.weight_[k] = weight_[i];
  }
  if (!springs_.empty()) result.spring_of_.assign(keep.size(), -1);
  for (int k = 0; k < result.contacts_ && !springs_.empty(); ++k) {
    if (spring_of_[keep[k]] < 0) continue;
    result.spring_of_[k] = static_cast<int>(result.springs_.size());
    result.springs_.push_back(springs_[spring_of_[keep[k]]]);
    result.springs_.back().contact = k;
  }
  if (bodies_) {
    std::vector<int> touched;
    for (const int i : keep)
      for (int k = bodies_->H.begin(i); k < bodies_->H.end(i); ++k) touched.push_back(bodies_->H.body(k));
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    BodySpace space{bodies_->H.restricted(keep, touched), {}, Eigen::VectorXd(result.b_.size()), {}};
    if (!bodies_->by_body.start.empty()) space.by_body = space.H.by_body();
    space.v0.resize(space.H.dofs());
    for (std::size_t k = 0; k < touched.size(); ++k) {
      const int body = static_cast<int>(k), size = space.H.body_dofs(body);
      space.v0.segment(space.H.dof_start(body), size) =
          bodies_->v0.segment(bodies_->H.dof_start(touched[k]), size);
    }
    for (int k = 0; k < result.contacts_; ++k) space.w.segment(k * d, d) = bodies_->w.segment(keep[k] * d, d);
    result.bodies_ = std::move(space);
  } else if (nodes_) {
    NodeSpace space = restricted(*nodes_, keep);
    if (space.M.has_sparse_bodies())
      result.nodes_ = std::move(space);
    else  // small bodies among themselves
      result.bodies_ = normalised_bodies(space.M, space.H, space.f, space.w,
                                         Eigen::VectorXd::Ones(result.b_.size()), *executor_);
  } else {
    result.W_ = W_->restricted(keep);
  }
  return result;
}

CanonicalProblem CanonicalProblem::part(const std::vector<int>& keep, const Eigen::VectorXd& x) const {
  const int d = dimension_;
  CanonicalProblem result = island(keep);
  Eigen::VectorXd y, kept(result.size()), own;
  velocity(x, y);
  for (int k = 0; k < result.contacts_; ++k) kept.segment(k * d, d) = x.segment(keep[k] * d, d);
  result.velocity(kept, own);
  // What the others contribute to y goes into b, w and, where there are bodies, leaves v0 alone: the velocity
  // of a part is then not that of its bodies, but only relative velocities are ever asked for.
  for (int k = 0; k < result.contacts_; ++k) {
    const Eigen::VectorXd others = y.segment(keep[k] * d, d) - own.segment(k * d, d);
    result.b_.segment(k * d, d) += others;
    if (result.bodies_) result.bodies_->w.segment(k * d, d) += others;
    if (result.nodes_) result.nodes_->w.segment(k * d, d) += others;
  }
  return result;
}

}  // namespace capstan
