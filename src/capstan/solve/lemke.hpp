#pragma once
#include <Eigen/Core>
#include <functional>
#include <vector>

#include "capstan/problem/canonical_problem.hpp"

namespace capstan {

/// w = M z + q, w >= 0, z >= 0, w.z = 0.
struct LinearComplementarityProblem {
  Eigen::MatrixXd M;
  Eigen::VectorXd q;
};

struct LemkeResult {
  bool solved = false;  ///< false: ended on a ray, or was stopped
  int pivots = 0;
  Eigen::VectorXd z;
};

/// Lemke's complementary pivoting on a dense tableau, with the lexicographic ratio test, which cannot cycle
/// in exact arithmetic [Cottle, Pang, Stone, "The Linear Complementarity Problem", sec. 4.4, 4.9]. The answer
/// is computed afresh from the final basis, so that rounding does not build up over the pivots. go_on(pivots)
/// is asked before each pivot.
LemkeResult solve_lemke(const LinearComplementarityProblem& problem, const std::function<bool(int)>& go_on);

/// The friction cone of every contact replaced by the pyramid over `facets` unit directions, inside the cone
/// [Stewart and Trinkle 1996; Erleben20, sec. 4.1]. Unknowns of a contact: x_N, one weight per direction with
/// x_T = sum_j weight_j direction_j, and the sliding speed; a contact without friction has x_N alone.
/// A single tangent has two directions, and the pyramid is then the cone itself.
class FacetedContacts {
 public:
  FacetedContacts(const CanonicalProblem& problem, int facets);

  int size() const { return size_; }
  LinearComplementarityProblem problem() const;  ///< dense: size()^2 numbers
  Eigen::VectorXd impulse(const Eigen::VectorXd& z) const;

 private:
  const CanonicalProblem& canonical_;
  std::vector<Eigen::MatrixXd> directions_;  // of each contact, (d - 1) x its number of directions
  std::vector<int> first_;                   // unknown of x_N of each contact
  int size_ = 0;
};

/// `count` unit vectors that span R^axes with positive weights, in opposite pairs: two on a line, `count`
/// (even) at equal angles in the plane, at least six over the sphere.
Eigen::MatrixXd facet_directions(int axes, int count);

}  // namespace capstan
