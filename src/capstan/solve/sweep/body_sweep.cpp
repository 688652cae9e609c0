#include "capstan/solve/sweep/body_sweep.hpp"

#include <algorithm>
#include <array>

#include "capstan/cone/second_order_cone.hpp"
#include "capstan/solve/sweep/body_order.hpp"
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

constexpr int kChunkGroups = 12;      // of work that one thread takes at a time: some 2 microseconds
constexpr int kFewestGroups = 4;      // below it, starting a chunk costs as much as the chunk
constexpr int kChunksOfAColour = 32;  // so that threads share also what is small
constexpr int kChunkDoubles = 2048;   // of velocities

/// From this many bytes on, the constants of a sweep are rounded to float: past the processor's nearer
/// caches, the bytes moved are what a sweep costs.
constexpr std::size_t kRoundFrom = 4 << 20;

int padded(int dofs) { return (dofs + kLanes - 1) / kLanes * kLanes; }

/// The two bodies of a contact as entries of H, the one with more dofs first; -1 where there is none.
std::array<int, 2> slots(const ContactJacobian& H, int contact) {
  std::array<int, 2> entry{-1, -1};
  for (int k = H.begin(contact); k < H.end(contact); ++k) entry[k - H.begin(contact)] = k;
  if (entry[1] >= 0 && H.body_dofs(H.body(entry[1])) > H.body_dofs(H.body(entry[0])))
    std::swap(entry[0], entry[1]);
  return entry;
}

/// Contacts can share a group if their bodies are padded to the same sizes and their springs are of one kind.
enum class SpringKind { none, any, round };

struct Shape {
  int size[2];
  SpringKind spring;
  auto operator<=>(const Shape&) const = default;
};

SpringKind spring_kind(const CanonicalProblem& problem, int contact) {
  if (problem.springs().empty() || problem.spring_of()[contact] < 0) return SpringKind::none;
  const ContactSpring& spring = problem.springs()[problem.spring_of()[contact]];
  return is_round(spring, problem.dimension()) ? SpringKind::round : SpringKind::any;
}

Shape shape_of(const CanonicalProblem& problem, int contact, int uniform_dofs) {
  const ContactJacobian& H = problem.bodies().H;
  Shape shape{{padded(uniform_dofs), padded(uniform_dofs)}, spring_kind(problem, contact)};
  if (uniform_dofs) return shape;
  const auto entry = slots(H, contact);
  for (int s = 0; s < 2; ++s)
    if (entry[s] >= 0) shape.size[s] = padded(H.body_dofs(H.body(entry[s])));
  return shape;
}

/// What the kernel reads of a contact alone, in its order.
template <int D, class Put>
void put_local(const RotatedContact& contact, const Put& put) {
  put(contact.inverse_normal);
  put(contact.step);
  for (int a = 0; a < D - 1; ++a) put(contact.g[a]);
  for (int a = 0; a < D - 1; ++a) put(contact.lambda[a]);
  for (int a = 0; a < D - 1; ++a) put(contact.inverse_lambda[a]);
}

template <int D, class Put>
void put_spring(const SpringContact<D>& contact, const Put& put) {
  put_local<D>(contact.rotated, put);
  for (int a = 0; a < D; ++a)
    for (int c = 0; c < D; ++c) put(contact.W(a, c));
  for (int a = 0; a < D; ++a) put(contact.E[a]);
  for (int a = 0; a < D - 1; ++a)
    for (int c = 0; c < D - 1; ++c) put(contact.P(a, c));
}

/// Returns the frame.
template <int D, class Put>
Eigen::Matrix3d put_round_spring(const RotatedContact& contact, const ContactSpring& spring, const Put& put) {
  const double mu = spring.mu[0];
  for (const double value :
       {contact.normal, contact.inverse_normal, spring.E[0], spring.E[1], mu, mu > 0 ? 1 / mu : 0.0})
    put(value);
  for (int a = 0; a < D - 1; ++a) put(contact.g[a]);
  for (int a = 0; a < D - 1; ++a) put(contact.lambda[a]);
  for (int a = 0; a < D - 1; ++a) put(contact.inverse_lambda[a]);
  return contact.rotation;
}

/// Contacts of one colour lie far from each other in H: asked for while those before them are worked on.
void prefetch_rows(const ContactJacobian& H, const int* members) {
  constexpr int kDoublesOfALine = 8;
  for (int lane = 0; lane < kLanes; ++lane) {
    if (members[lane] < 0) continue;
    for (int k = H.begin(members[lane]); k < H.end(members[lane]); ++k)
      for (int at = 0; at < H.dimension() * H.body_dofs(H.body(k)); at += kDoublesOfALine)
        __builtin_prefetch(H.values(k) + at);
  }
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

BodySweep::BodySweep(const CanonicalProblem& problem, const Executor& threads,
                     const kernel::BodyKernel& kernel)
    : layout_{problem.dimension(), uniform_dofs(problem.bodies().H), false},
      contacts_(problem.contacts()),
      kernel_(kernel),
      threads_(threads) {
  const ContactJacobian& H = problem.bodies().H;
  std::vector<int> order;
  std::vector<std::vector<int>> colours;
  threads_.run(2, [&](int part) {
    if (part == 0)
      order = neighbours_together(H);
    else
      colours = colour_contacts(H);
  });
  place_bodies(problem.bodies(), order);
  make_groups(problem, std::move(colours));
  cone::with_dimension(layout_.dimension, [&]<int D>() {
    layout_.rounded ? fill_groups<D, float>(problem) : fill_groups<D, double>(problem);
  });
  set(Eigen::VectorXd::Zero(problem.size()));
}

void BodySweep::place_bodies(const BodySpace& space, const std::vector<int>& order) {
  std::uint32_t at = 0;
  body_at_.resize(space.H.bodies());
  for (const int body : order) {
    body_at_[body] = at;
    at += padded(space.H.body_dofs(body));
  }
  doubles_of_bodies_ = static_cast<int>(at);
  v_free_.assign(at, 0.0);
  for (int body = 0; body < space.H.bodies(); ++body)
    for (int k = 0; k < space.H.body_dofs(body); ++k)
      v_free_[body_at_[body] + k] = space.v0[space.H.dof_start(body) + k];
}

/// Cuts every colour into groups of four contacts of one shape, in the order in which their bodies lie.
void BodySweep::make_groups(const CanonicalProblem& problem, std::vector<std::vector<int>> colours) {
  const ContactJacobian& H = problem.bodies().H;
  const int d = layout_.dimension, dofs = layout_.dofs;
  int chunks = 0;
  const auto place = [&](int i) {
    std::uint32_t first = 0;
    for (int k = H.begin(i); k < H.end(i); ++k)
      first = k == H.begin(i) ? body_at_[H.body(k)] : std::min(first, body_at_[H.body(k)]);
    return first;
  };
  // A comparison of keys, not of what they are made from: a contact is compared some ten times.
  struct Key {
    Shape shape;
    std::uint32_t place;
    int contact;
    auto operator<=>(const Key&) const = default;
  };
  threads_.run(static_cast<int>(colours.size()), [&](int c) {
    std::vector<Key> keys;
    keys.reserve(colours[c].size());
    for (const int i : colours[c]) keys.push_back({shape_of(problem, i, dofs), place(i), i});
    std::sort(keys.begin(), keys.end());
    for (std::size_t k = 0; k < keys.size(); ++k) colours[c][k] = keys[k].contact;
  });
  for (const std::vector<int>& colour : colours) {
    const int first_group = static_cast<int>(groups_.size());
    for (std::size_t at = 0; at < colour.size();) {
      const Shape shape = shape_of(problem, colour[at], dofs);
      kernel::Group group{};
      group.round = shape.spring == SpringKind::round;
      for (int s = 0; s < 2; ++s) group.dofs[s] = dofs ? dofs : shape.size[s];
      for (int lane = 0; lane < kLanes; ++lane) {
        const bool taken = at < colour.size() && shape_of(problem, colour[at], dofs) == shape;
        members_.push_back(taken ? colour[at++] : -1);
      }
      groups_.push_back(group);
    }
    std::vector<Chunk> phase;
    const int end = static_cast<int>(groups_.size());
    const int some = std::clamp((end - first_group) / kChunksOfAColour, kFewestGroups, kChunkGroups);
    for (int g = first_group; g < end; g += some) phase.push_back({g, std::min(g + some, end)});
    chunks += static_cast<int>(phase.size());
    colours_.push_back(std::move(phase));
  }
  const auto size = [&](bool rounded) {
    std::size_t sum = 0;
    for (const kernel::Group& g : groups_) sum += kernel::group_size(d, g.dofs[0], g.dofs[1], rounded);
    return sum;
  };
  layout_.rounded = size(false) * sizeof(double) >= kRoundFrom;
  data_.resize(size(layout_.rounded));
  sums_.resize(chunks);
}

template <int D, class S>
void BodySweep::fill_groups(const CanonicalProblem& problem) {
  const ContactJacobian& H = problem.bodies().H;
  rotations_.resize(contacts_);
  double* data = data_.data();
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    kernel::Group& group = groups_[g];
    group.data = data;
    data += kernel::group_size(D, group.dofs[0], group.dofs[1], layout_.rounded);
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
  place_springs<D>(problem);
  const int count = static_cast<int>(groups_.size()), chunks = (count + kChunkGroups - 1) / kChunkGroups;
  threads_.run(chunks, [&](int c) {
    const int last = std::min((c + 1) * kChunkGroups, count);
    std::fill(groups_[c * kChunkGroups].data, last < count ? groups_[last].data : data, 0.0);
    for (int g = c * kChunkGroups; g < last; ++g) {
      if (g + 1 < last) prefetch_rows(H, members_.data() + std::size_t(g + 1) * kLanes);
      if (groups_[g].spring) fill_spring<D>(problem, groups_[g], members_.data() + std::size_t(g) * kLanes);
      for (int lane = 0; lane < kLanes; ++lane)
        fill_lane<D, S>(problem, groups_[g], lane, members_[std::size_t(g) * kLanes + lane]);
    }
  });
}

template <int D>
void BodySweep::place_springs(const CanonicalProblem& problem) {
  const auto size = [](const kernel::Group& group) {
    return std::size_t(kernel::constants_of_a_spring(D, group.round)) * kLanes;
  };
  std::size_t total = 0;
  std::vector<std::size_t> place(groups_.size());
  const auto sticks = [&](std::size_t g) {
    return spring_kind(problem, members_[g * kLanes]) != SpringKind::none;
  };
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    place[g] = total;
    if (sticks(g)) total += size(groups_[g]);
  }
  springs_.assign(total, 0.0);
  for (std::size_t g = 0; g < groups_.size(); ++g)
    if (sticks(g)) groups_[g].spring = springs_.data() + place[g];
}

/// Contacts of a group, all with springs of one kind, and the frames the kernel has them in. An empty lane
/// has none that matters.
template <int D>
void BodySweep::fill_spring(const CanonicalProblem& problem, kernel::Group& group, const int* members) {
  double* const first = springs_.data() + (group.spring - springs_.data());
  for (int lane = 0; lane < kLanes; ++lane) {
    const int contact = members[lane];
    const auto& spring = contact < 0 ? ContactSpring{-1} : problem.springs()[problem.spring_of()[contact]];
    const cone::Matrix<D> W =
        contact < 0 ? cone::Matrix<D>::Identity().eval() : cone::Matrix<D>(problem.diagonal(contact));
    double* p = first + lane;
    const auto put = [&p](double value) {
      *p = value;
      p += kLanes;
    };
    Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
    if (group.round)
      rotation = put_round_spring<D>(rotate_contact<D>(stiffened<D>(W, spring)), spring, put);
    else
      put_spring<D>(spring_contact<D>(W, spring), put);
    if (contact >= 0) rotations_[contact] = rotation;
  }
}

template <int D, class S>
void BodySweep::fill_lane(const CanonicalProblem& problem, kernel::Group& group, int lane, int contact) {
  const bool empty = contact < 0;
  RotatedContact rotated{};
  if (!group.spring)
    rotated = rotate_contact<D>(empty ? cone::Matrix<D>::Identity().eval()
                                      : cone::Matrix<D>(problem.diagonal(contact)));
  else if (!empty)
    rotated.rotation = rotations_[contact];  // of fill_spring; nothing else of it is read
  S* p = reinterpret_cast<S*>(group.data + kernel::constants_offset(D)) + lane;
  const auto put = [&p](double value) {
    *p = static_cast<S>(value);
    p += kLanes;
  };
  put_local<D>(rotated, put);
  double* const w = group.data + kernel::shift_offset(D) + lane;
  if (empty) {
    w[0] = 1;  // a contact that opens
    return;
  }
  rotations_[contact] = rotated.rotation;
  cone::Matrix<D> Q = cone::Matrix<D>::Identity();
  Q.template bottomRightCorner<D - 1, D - 1>() =
      rotated.rotation.template topLeftCorner<D - 1, D - 1>().transpose();
  const cone::Vector<D> shift = Q * problem.bodies().w.segment<D>(contact * D);
  for (int a = 0; a < D; ++a) w[a * kLanes] = shift[a];
  const ContactJacobian& H = problem.bodies().H;
  const auto entry = slots(H, contact);
  for (int s = 0; s < 2; ++s) {
    S* const h = p;
    p += std::size_t(group.dofs[s]) * D * kLanes;
    if (entry[s] < 0) continue;
    group.body[s][lane] = body_at_[H.body(entry[s])];
    const Eigen::Map<const Eigen::Matrix<double, D, Eigen::Dynamic>> block(H.values(entry[s]), D,
                                                                           H.body_dofs(H.body(entry[s])));
    for (int k = 0; k < block.cols(); ++k) {
      const cone::Vector<D> column = Q * block.col(k);
      for (int a = 0; a < D; ++a) h[(k * D + a) * kLanes] = static_cast<S>(column[a]);
    }
  }
}

template <class F>
void BodySweep::for_every_contact(F&& f) {
  const int count = static_cast<int>(groups_.size()), chunks = (count + kChunkGroups - 1) / kChunkGroups;
  threads_.run(chunks, [&](int c) {
    for (int g = c * kChunkGroups; g < std::min((c + 1) * kChunkGroups, count); ++g)
      for (int lane = 0; lane < kLanes; ++lane)
        if (const int i = members_[std::size_t(g) * kLanes + lane]; i >= 0) f(i, groups_[g].data + lane);
  });
}

/// x_i in the frame of the kernel.
template <int D>
cone::Vector<D> BodySweep::rotated(const Eigen::VectorXd& x, int contact) const {
  cone::Vector<D> y;
  y[0] = x[contact * D];
  y.template tail<D - 1>() = rotations_[contact].template topLeftCorner<D - 1, D - 1>().transpose() *
                             x.segment<D - 1>(contact * D + 1);
  return y;
}

void BodySweep::set(const Eigen::VectorXd& x) {
  cone::with_dimension(layout_.dimension, [&]<int D>() {
    for_every_contact([&](int contact, double* state) {
      const cone::Vector<D> y = rotated<D>(x, contact);
      double* const z = state + kernel::impulse_offset;
      for (int a = 0; a < D; ++a) z[a * kLanes] = z[(D + a) * kLanes] = y[a];
    });
  });
  rebuild_velocity();
  v_before_ = v_;
}

Eigen::VectorXd BodySweep::get() {
  Eigen::VectorXd x(Eigen::Index(contacts_) * layout_.dimension);
  cone::with_dimension(layout_.dimension, [&]<int D>() {
    for_every_contact([&](int contact, const double* state) {
      cone::Vector<D> z;
      for (int a = 0; a < D; ++a) z[a] = state[kernel::impulse_offset + a * kLanes];
      x[contact * D] = z[0];
      x.segment<D - 1>(contact * D + 1) =
          rotations_[contact].template topLeftCorner<D - 1, D - 1>() * z.template tail<D - 1>();
    });
  });
  return x;
}

void BodySweep::rebuild_velocity() {
  v_ = v_free_;
  for (const auto& phase : colours_)
    threads_.run(static_cast<int>(phase.size()), [&](int c) {
      kernel_.add_impulses(layout_, groups_.data() + phase[c].begin, phase[c].end - phase[c].begin,
                           v_.data());
    });
}

/// w <- y - H v, so that the sweep's own H v + w is y at z.
void BodySweep::recentre(const Eigen::VectorXd& y) {
  cone::with_dimension(layout_.dimension, [&]<int D>() {
    for_every_contact([&](int contact, double* state) {
      const cone::Vector<D> target = rotated<D>(y, contact);
      for (int a = 0; a < D; ++a) state[kernel::shift_offset(D) + a * kLanes] = target[a];
    });
  });
  const int count = static_cast<int>(groups_.size()), chunks = (count + kChunkGroups - 1) / kChunkGroups;
  threads_.run(chunks, [&](int c) {
    const int first = c * kChunkGroups;
    kernel_.subtract_velocity(layout_, groups_.data() + first, std::min(kChunkGroups, count - first),
                              v_.data());
  });
  sort_by_state();
}

/// Four contacts that do the same are cheaper than four that do not: those that stay open change nothing, and
/// only one of four has to slide for all to be solved for it. So those of a chunk are brought together by
/// what they do. No two of them share a body: the sweep does the same as before.
void BodySweep::sort_by_state() {
  cone::with_dimension(layout_.dimension, [&]<int D>() {
    for (const auto& phase : colours_)
      threads_.run(static_cast<int>(phase.size()), [&](int c) {
        layout_.rounded ? sort_chunk<D, float>(phase[c]) : sort_chunk<D, double>(phase[c]);
      });
  });
}

template <int D, class S>
void BodySweep::sort_chunk(Chunk chunk) {
  const auto alike = [&](int g, int h) {
    return !groups_[g].spring && !groups_[h].spring && groups_[g].dofs[0] == groups_[h].dofs[0] &&
           groups_[g].dofs[1] == groups_[h].dofs[1];
  };
  for (int first = chunk.begin; first < chunk.end;) {
    int last = first + 1;
    while (last < chunk.end && alike(first, last)) ++last;
    if (last > first + 1) sort_groups<D, S>({first, last});
    first = last;
  }
}

namespace {

enum class State { open, stick, slide };

template <int D>
State state_of(const double* z) {
  double slide2 = 0;
  for (int a = 1; a < D; ++a) slide2 += z[a * kLanes] * z[a * kLanes];
  if (z[0] == 0 && slide2 == 0) return State::open;
  return slide2 < (1 - 1e-6) * z[0] * z[0] ? State::stick : State::slide;
}

}  // namespace

/// Groups of one shape, without springs.
template <int D, class S>
void BodySweep::sort_groups(Chunk groups) {
  constexpr int kMost = kChunkGroups * kLanes;
  const int count = (groups.end - groups.begin) * kLanes;
  std::array<State, kMost> state;
  std::array<int, kMost> from;
  for (int k = 0; k < count; ++k) {
    const kernel::Group& group = groups_[groups.begin + k / kLanes];
    state[k] = state_of<D>(group.data + kernel::impulse_offset + k % kLanes);
  }
  if (std::is_sorted(state.begin(), state.begin() + count)) return;
  int next = 0;
  for (const State wanted : {State::open, State::stick, State::slide})
    for (int k = 0; k < count; ++k)
      if (state[k] == wanted) from[next++] = k;

  const kernel::Group& shape = groups_[groups.begin];
  const std::size_t size = kernel::group_size(D, shape.dofs[0], shape.dofs[1], layout_.rounded);
  const std::vector<double> data(shape.data, shape.data + size * (groups.end - groups.begin));
  const std::vector<kernel::Group> before(groups_.begin() + groups.begin, groups_.begin() + groups.end);
  int* const member = members_.data() + std::size_t(groups.begin) * kLanes;
  const std::vector<int> members(member, member + count);
  const int constants = kernel::constants_of_a_contact(D) + (shape.dofs[0] + shape.dofs[1]) * D;
  for (int k = 0; k < count; ++k) {
    if (from[k] == k) continue;
    kernel::Group& group = groups_[groups.begin + k / kLanes];
    const int lane = k % kLanes, old_group = from[k] / kLanes, old_lane = from[k] % kLanes;
    member[k] = members[from[k]];
    for (int s = 0; s < 2; ++s) group.body[s][lane] = before[old_group].body[s][old_lane];
    const double* const source = data.data() + size * old_group;
    for (std::size_t at = 0; at < kernel::constants_offset(D); at += kLanes)
      group.data[at + lane] = source[at + old_lane];
    const S* const constant = reinterpret_cast<const S*>(source + kernel::constants_offset(D)) + old_lane;
    S* const place = reinterpret_cast<S*>(group.data + kernel::constants_offset(D)) + lane;
    for (int at = 0; at < constants * kLanes; at += kLanes) place[at] = constant[at];
  }
}

/// v <- v + beta (v - v'), v' <- v: the velocity of y, as the kernel forms y itself.
void BodySweep::extrapolate(double beta) {
  const int size = doubles_of_bodies_, chunks = (size + kChunkDoubles - 1) / kChunkDoubles;
  threads_.run(chunks, [&](int c) {
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
    threads_.run(static_cast<int>(phase.size()), [&](int c) {
      sums_[first + c] =
          kernel_.sweep(layout_, groups_.data() + phase[c].begin, phase[c].end - phase[c].begin, v_.data(),
                        beta, update == ContactUpdate::exact);
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
