#pragma once
#include <new>
#include <vector>

#include "capstan/solve/sweep/body_kernel.hpp"
#include "capstan/solve/sweep/sweep.hpp"

namespace capstan {

/// A sweep walks through all its data: with small pages, the processor spends a good part of it looking up
/// addresses.
void ask_for_large_pages(void* memory, std::size_t bytes);

/// Starts at a cache line, so that a rigid body's velocity (6 dofs, padded to 8) fills exactly one.
template <class T>
struct CacheLineAllocator {
  using value_type = T;
  CacheLineAllocator() = default;
  template <class U>
  CacheLineAllocator(const CacheLineAllocator<U>&) {}
  T* allocate(std::size_t n) {
    void* const p = ::operator new(n * sizeof(T), std::align_val_t(64));
    ask_for_large_pages(p, n * sizeof(T));
    return static_cast<T*>(p);
  }
  /// Memory that nobody has written is first touched by the thread that fills it.
  template <class U>
  void construct(U* p) {
    ::new (static_cast<void*>(p)) U;
  }
  template <class U>
  void construct(U* p, const U& value) {
    ::new (static_cast<void*>(p)) U(value);
  }
  void deallocate(T* p, std::size_t) { ::operator delete(p, std::align_val_t(64)); }
  bool operator==(const CacheLineAllocator&) const { return true; }
};
using AlignedVector = std::vector<double, CacheLineAllocator<double>>;

/// Gauss-Seidel in body space, four contacts of one colour at a time: u_i = H_i v + w_i, update, v += H_i^T
/// dx_i. In large problems H is rounded to float, and w takes up the difference each time the exact y is at
/// hand (recentre): an iterative refinement, whose fixed points are those of the exact H. Bytes moved per
/// contact and sweep: 44 floats (two rigid bodies) and 10 doubles, of which 7 are written.
class BodySweep : public Sweep {
 public:
  /// Whether every contact touches at most two bodies of a size that the kernel handles.
  static bool can_handle(const CanonicalProblem& problem);

  BodySweep(const CanonicalProblem& problem, const Executor& threads,
            const kernel::BodyKernel& kernel = kernel::best_kernel());
  void set(const Eigen::VectorXd& x) override;
  Eigen::VectorXd get() override;
  SweepSums run(double beta, ContactUpdate update) override;
  void recentre(const Eigen::VectorXd& y) override;

 private:
  struct Chunk {
    int begin, end;  // groups
  };
  void place_bodies(const BodySpace& space, const std::vector<int>& order);
  void make_groups(const CanonicalProblem& problem, std::vector<std::vector<int>> colours);
  template <int D, class S>
  void fill_groups(const CanonicalProblem& problem);
  template <int D, class S>
  void fill_lane(const CanonicalProblem& problem, kernel::Group& group, int lane, int contact);
  template <int D>
  void place_springs(const CanonicalProblem& problem);
  template <int D>
  void fill_spring(const CanonicalProblem& problem, kernel::Group& group, const int* members);
  void rebuild_velocity();
  void sort_by_state();
  template <int D, class S>
  void sort_chunk(Chunk chunk);
  template <int D, class S>
  void sort_groups(Chunk groups);
  void extrapolate(double beta);
  template <class F>
  void for_every_contact(F&& f);  // f(contact, its lane of the group's data), on all threads
  template <int D>
  Eigen::Matrix<double, D, 1> rotated(const Eigen::VectorXd& x, int contact) const;

  kernel::Layout layout_;
  int contacts_;
  const kernel::BodyKernel& kernel_;
  std::vector<std::uint32_t> body_at_;   // start of each body's velocity
  int doubles_of_bodies_ = 0;            // of v; bodies of no consequence follow
  AlignedVector v_, v_before_, v_free_;  // of y during a sweep, of z', without impulses
  std::vector<int> members_;             // kLanes contacts a group, -1 for an empty lane
  std::vector<kernel::Group> groups_;
  AlignedVector data_, springs_;
  std::vector<Eigen::Matrix3d> rotations_;
  std::vector<std::vector<Chunk>> colours_;  // phases of a sweep
  std::vector<kernel::Sums> sums_;
  const Executor& threads_;
};

}  // namespace capstan
