#include "capstan/solve/sweep/body_sweep.hpp"

#include <algorithm>
#include <array>

#include "capstan/cone/second_order_cone.hpp"
#include "capstan/solve/sweep/colouring.hpp"

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace capstan {

void ask_for_large_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef __linux__
  constexpr std::uintptr_t kPage = 2 << 20;
  const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + kPage - 1) / kPage * kPage;
  const auto end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / kPage * kPage;
  // A wish, not a need: a refusal changes nothing.
  if (end > begin) (void)madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
}

namespace {

using kernel::kLanes;

constexpr int kChunkGroups = 64;      // of work that one thread takes at a time: some 8 microseconds
constexpr int kChunkDoubles = 16384;  // of velocities

int padded(int dofs) { return (dofs + kLanes - 1) / kLanes * kLanes; }

/// The two bodies of a contact as entries of H, the one with more dofs first; -1 where there is none.
std::array<int, 2> slots(const ContactJacobian& H, int contact) {
  std::array<int, 2> entry{-1, -1};
  for (int k = H.begin(contact); k < H.end(contact); ++k) entry[k - H.begin(contact)] = k;
  if (entry[1] >= 0 && H.body_dofs(H.body(entry[1])) > H.body_dofs(H.body(entry[0])))
    std::swap(entry[0], entry[1]);
  return entry;
}

/// Contacts can share a group if their bodies are padded to the same sizes.
struct Shape {
  int size[2];
  bool operator==(const Shape& o) const { return size[0] == o.size[0] && size[1] == o.size[1]; }
  bool operator<(const Shape& o) const {
    return size[0] != o.size[0] ? size[0] < o.size[0] : size[1] < o.size[1];
  }
};

Shape shape_of(const ContactJacobian& H, int contact, int uniform_dofs) {
  if (uniform_dofs) return {{padded(uniform_dofs), padded(uniform_dofs)}};
  const auto entry = slots(H, contact);
  Shape shape{{0, 0}};
  for (int s = 0; s < 2; ++s)
    if (entry[s] >= 0) shape.size[s] = padded(H.body_dofs(H.body(entry[s])));
  return shape;
}

/// 6 in space and 3 in the plane if every body is like that, else 0.
int uniform_dofs(const ContactJacobian& H) {
  const int usual = H.dimension() == 2 ? 3 : 6;
  for (int body = 0; body < H.bodies(); ++body)
    if (H.body_dofs(body) != usual) return 0;
  return usual;
}

}  // namespace

bool BodySweep::can_handle(const CanonicalProblem& problem) {
  if (!problem.has_bodies()) return false;
  const ContactJacobian& H = problem.bodies().H;
  for (int i = 0; i < H.contacts(); ++i) {
    if (H.end(i) - H.begin(i) > 2) return false;
    for (int k = H.begin(i); k < H.end(i); ++k)
      if (H.body_dofs(H.body(k)) > kernel::kMaxBodyDofs) return false;
  }
  return true;
}

BodySweep::BodySweep(const CanonicalProblem& problem, const Executor& executor,
                     const kernel::BodyKernel& kernel)
    : dimension_(problem.dimension()),
      contacts_(problem.contacts()),
      uniform_dofs_(uniform_dofs(problem.bodies().H)),
      kernel_(kernel),
      team_(executor) {
  place_bodies(problem.bodies());
  make_groups(problem);
  cone::with_dimension(dimension_, [&]<int D>() { fill_groups<D>(problem); });
  set(Eigen::VectorXd::Zero(problem.size()));
}

void BodySweep::place_bodies(const BodySpace& space) {
  std::uint32_t at = 0;
  for (int body = 0; body < space.H.bodies(); ++body) {
    body_at_.push_back(at);
    at += padded(space.H.body_dofs(body));
  }
  v_free_.assign(at, 0.0);
  for (int body = 0; body < space.H.bodies(); ++body)
    for (int k = 0; k < space.H.body_dofs(body); ++k)
      v_free_[body_at_[body] + k] = space.v0[space.H.dof_start(body) + k];
}

/// Cuts every colour into groups of four contacts of one shape, in the order of their bodies.
void BodySweep::make_groups(const CanonicalProblem& problem) {
  const ContactJacobian& H = problem.bodies().H;
  std::size_t size = 0;
  int chunks = 0;
  const auto first_body = [&](int i) { return H.begin(i) < H.end(i) ? H.body(H.begin(i)) : -1; };
  for (std::vector<int>& colour : colour_contacts(H)) {
    std::sort(colour.begin(), colour.end(), [&](int i, int j) {
      const Shape a = shape_of(H, i, uniform_dofs_), b = shape_of(H, j, uniform_dofs_);
      return a == b ? std::pair(first_body(i), i) < std::pair(first_body(j), j) : a < b;
    });
    const int first_group = static_cast<int>(groups_.size());
    for (std::size_t at = 0; at < colour.size();) {
      const Shape shape = shape_of(H, colour[at], uniform_dofs_);
      kernel::Group group{};
      for (int s = 0; s < 2; ++s) group.dofs[s] = uniform_dofs_ ? uniform_dofs_ : shape.size[s];
      for (int lane = 0; lane < kLanes; ++lane) {
        const bool taken = at < colour.size() && shape_of(H, colour[at], uniform_dofs_) == shape;
        members_.push_back(taken ? colour[at++] : -1);
      }
      size += kernel::group_size(dimension_, group.dofs[0], group.dofs[1]);
      groups_.push_back(group);
    }
    std::vector<Chunk> phase;
    for (int g = first_group; g < static_cast<int>(groups_.size()); g += kChunkGroups)
      phase.push_back({g, std::min(g + kChunkGroups, static_cast<int>(groups_.size()))});
    chunks += static_cast<int>(phase.size());
    colours_.push_back(std::move(phase));
  }
  data_.assign(size, 0.0);
  sums_.resize(chunks);
}

template <int D>
void BodySweep::fill_groups(const CanonicalProblem& problem) {
  const ContactJacobian& H = problem.bodies().H;
  rotations_.resize(contacts_);
  double* data = data_.data();
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    kernel::Group& group = groups_[g];
    group.data = data;
    data += kernel::group_size(D, group.dofs[0], group.dofs[1]);
    // A body of no consequence for contacts that touch one body, or for empty lanes; one a group, so that no
    // two threads share it.
    const auto dummy = static_cast<std::uint32_t>(v_free_.size());
    for (auto& slot : group.body)
      for (std::uint32_t& body : slot) body = dummy;
    const int* const member = members_.data() + g * kLanes;
    const bool used =
        std::any_of(member, member + kLanes, [&](int i) { return i < 0 || H.end(i) - H.begin(i) < 2; });
    if (used) v_free_.resize(dummy + padded(std::max(group.dofs[0], group.dofs[1])), 0.0);
  }
  const int count = static_cast<int>(groups_.size()), chunks = (count + kChunkGroups - 1) / kChunkGroups;
  team_.run(chunks, [&](int c) {
    for (int g = c * kChunkGroups; g < std::min((c + 1) * kChunkGroups, count); ++g)
      for (int lane = 0; lane < kLanes; ++lane)
        fill_lane<D>(problem, groups_[g], lane, members_[std::size_t(g) * kLanes + lane]);
  });
}

template <int D>
void BodySweep::fill_lane(const CanonicalProblem& problem, kernel::Group& group, int lane, int contact) {
  const bool empty = contact < 0;
  const RotatedContact rotated = rotate_contact<D>(empty ? cone::Matrix<D>::Identity().eval()
                                                         : cone::Matrix<D>(problem.diagonal(contact)));
  double* p = group.data + kernel::contact_offset(D, group.dofs[0], group.dofs[1]) + lane;
  const auto put = [&p](double value) {
    *p = value;
    p += kLanes;
  };
  put(rotated.inverse_normal);
  put(rotated.step);
  for (int a = 0; a < D - 1; ++a) put(rotated.g[a]);
  for (int a = 0; a < D - 1; ++a) put(rotated.lambda[a]);
  for (int a = 0; a < D - 1; ++a) put(rotated.inverse_lambda[a]);
  p += (1 + 2 * D) * kLanes;  // alpha, z, z'
  if (empty) {
    put(1);  // a contact that opens
    return;
  }
  rotations_[contact] = rotated.rotation;
  cone::Matrix<D> Q = cone::Matrix<D>::Identity();
  Q.template bottomRightCorner<D - 1, D - 1>() =
      rotated.rotation.template topLeftCorner<D - 1, D - 1>().transpose();
  const cone::Vector<D> w = Q * problem.bodies().w.segment<D>(contact * D);
  for (int a = 0; a < D; ++a) put(w[a]);
  const ContactJacobian& H = problem.bodies().H;
  const auto entry = slots(H, contact);
  double* h = group.data + lane;
  for (int s = 0; s < 2; ++s) {
    if (entry[s] >= 0) {
      group.body[s][lane] = body_at_[H.body(entry[s])];
      const Eigen::Map<const Eigen::Matrix<double, D, Eigen::Dynamic>> block(H.values(entry[s]), D,
                                                                             H.body_dofs(H.body(entry[s])));
      for (int k = 0; k < block.cols(); ++k) {
        const cone::Vector<D> column = Q * block.col(k);
        for (int a = 0; a < D; ++a) h[(k * D + a) * kLanes] = column[a];
      }
    }
    h += std::size_t(group.dofs[s]) * D * kLanes;
  }
}

const double* BodySweep::impulse(int group) const {
  return groups_[group].data +
         kernel::impulse_offset(dimension_, groups_[group].dofs[0], groups_[group].dofs[1]);
}

void BodySweep::set(const Eigen::VectorXd& x) {
  const int d = dimension_;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    double* z = impulse(static_cast<int>(g));
    for (int lane = 0; lane < kLanes; ++lane) {
      const int i = members_[g * kLanes + lane];
      if (i < 0) continue;
      z[lane] = z[d * kLanes + lane] = x[i * d];
      const Eigen::VectorXd t =
          rotations_[i].topLeftCorner(d - 1, d - 1).transpose() * x.segment(i * d + 1, d - 1);
      for (int a = 1; a < d; ++a) z[a * kLanes + lane] = z[(d + a) * kLanes + lane] = t[a - 1];
    }
  }
  rebuild_velocity();
  v_before_ = v_;
}

Eigen::VectorXd BodySweep::get() const {
  const int d = dimension_;
  Eigen::VectorXd x(Eigen::Index(contacts_) * d);
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const double* z = impulse(static_cast<int>(g));
    for (int lane = 0; lane < kLanes; ++lane) {
      const int i = members_[g * kLanes + lane];
      if (i < 0) continue;
      Eigen::Vector3d t = Eigen::Vector3d::Zero();
      for (int a = 1; a < d; ++a) t[a - 1] = z[a * kLanes + lane];
      x[i * d] = z[lane];
      x.segment(i * d + 1, d - 1) = rotations_[i].topLeftCorner(d - 1, d - 1) * t.head(d - 1);
    }
  }
  return x;
}

void BodySweep::rebuild_velocity() {
  v_ = v_free_;
  for (const auto& phase : colours_)
    team_.run(static_cast<int>(phase.size()), [&](int c) {
      kernel_.add_impulses(dimension_, uniform_dofs_, groups_.data() + phase[c].begin,
                           phase[c].end - phase[c].begin, v_.data());
    });
}

void BodySweep::refresh() {
  const AlignedVector drifted = v_;
  rebuild_velocity();
  // v' gets the same correction: left alone, the extrapolation would take it for motion and amplify it.
  for (std::size_t k = 0; k < v_.size(); ++k) v_before_[k] += v_[k] - drifted[k];
}

/// v <- v + beta (v - v'), v' <- v: the velocity of y, as the kernel forms y itself.
void BodySweep::extrapolate(double beta) {
  const int size = static_cast<int>(v_.size()), chunks = (size + kChunkDoubles - 1) / kChunkDoubles;
  team_.run(chunks, [&](int c) {
    const int end = std::min((c + 1) * kChunkDoubles, size);
    for (int k = c * kChunkDoubles; k < end; ++k) {
      const double z = v_[k];
      v_[k] = z + beta * (z - v_before_[k]);
      v_before_[k] = z;
    }
  });
}

SweepSums BodySweep::run(double beta, ContactUpdate update) {
  extrapolate(beta);
  int first = 0;
  for (const auto& phase : colours_) {
    team_.run(static_cast<int>(phase.size()), [&](int c) {
      sums_[first + c] =
          kernel_.sweep(dimension_, uniform_dofs_, groups_.data() + phase[c].begin,
                        phase[c].end - phase[c].begin, v_.data(), beta, update == ContactUpdate::exact);
    });
    first += static_cast<int>(phase.size());
  }
  SweepSums total;
  for (const kernel::Sums& s : sums_) {
    total.step += s.step;
    total.alignment += s.alignment;
  }
  return total;
}

}  // namespace capstan
