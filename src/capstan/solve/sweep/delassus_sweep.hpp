#pragma once
#include <variant>
#include <vector>

#include "capstan/solve/sweep/row_kernel.hpp"
#include "capstan/solve/sweep/sweep.hpp"

namespace capstan {

/// Gauss-Seidel in Delassus space, for problems given as (W, b): y_i = b_i + sum_j W_ij x_j, one contact at a
/// time. The update of a contact takes W_ii as symmetric; its fixed points do not depend on that, so W is
/// solved as given. A large W of blocks of 3 x 3 is rounded to float; b then makes up for what that changes
/// at the last x that was judged, so that fixed points are those of W.
class DelassusSweep : public Sweep {
 public:
  /// Bytes from which W is rounded: past the processor's nearer caches half the bytes are half the time.
  static constexpr std::size_t kRoundFrom = std::size_t(1) << 19;

  explicit DelassusSweep(const CanonicalProblem& problem,
                         const kernel::RowKernel& kernel = kernel::best_row_kernel(),
                         std::size_t round_from = kRoundFrom);
  void set(const Eigen::VectorXd& x) override;
  Eigen::VectorXd get() override;
  SweepSums run(double beta, ContactUpdate update) override;
  void recentre(const Eigen::VectorXd& y) override;

 private:
  /// W in rotated frames: blocks for the kernel, as double or as float.
  struct Rows {
    std::vector<int> start, column;
    std::vector<double> exact;
    std::vector<float> rounded;
    const kernel::RowKernel& kernel;

    bool is_rounded() const { return !rounded.empty(); }
    Eigen::Vector3d times(int row, const Eigen::VectorXd& y) const;
  };
  void fill_rows(const BlockMatrix& W, std::size_t round_from);
  SweepSums sweep_once(Eigen::VectorXd& y, ContactUpdate update);

  int dimension_;
  BlockMatrix W_;  // in rotated frames, unless its blocks are 3 x 3
  Rows rows_;      // if they are
  std::vector<int> spring_of_;
  Eigen::VectorXd b_, z_, z_before_, alpha_;
  std::vector<char> rest_;  // of each contact, sweeps that still leave it out
  std::vector<RotatedContact> contacts_;
  std::variant<std::vector<SpringContact<3>>, std::vector<SpringContact<2>>, std::vector<SpringContact<4>>>
      springs_;
};

}  // namespace capstan
