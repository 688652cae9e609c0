#pragma once
#include <variant>
#include <vector>

#include "capstan/solve/sweep/sweep.hpp"

namespace capstan {

/// Gauss-Seidel in Delassus space, for problems given as (W, b): y_i = b_i + sum_j W_ij x_j, one contact at a
/// time. The update of a contact takes W_ii as symmetric; its fixed points do not depend on that, so W is
/// solved as given.
class DelassusSweep : public Sweep {
 public:
  explicit DelassusSweep(const CanonicalProblem& problem);
  void set(const Eigen::VectorXd& x) override;
  Eigen::VectorXd get() override;
  SweepSums run(double beta, ContactUpdate update) override;
  void recentre(const Eigen::VectorXd&) override {}  // y is computed afresh all the time

 private:
  int dimension_;
  BlockMatrix W_;  // in rotated frames
  std::vector<int> spring_of_;
  Eigen::VectorXd b_, z_, z_before_, alpha_;
  std::vector<RotatedContact> contacts_;
  std::variant<std::vector<SpringContact<3>>, std::vector<SpringContact<2>>, std::vector<SpringContact<4>>>
      springs_;
};

}  // namespace capstan
