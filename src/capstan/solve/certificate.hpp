#pragma once
#include <Eigen/Core>
#include <vector>

#include "capstan/problem/canonical_problem.hpp"
#include "capstan/problem/contact_problem.hpp"

namespace capstan {

enum class ContactState : unsigned char { open, stick, slide };

/// What can be said of an answer r, computed from the problem as given and from nothing else: no solver
/// judges itself. An r that is not finite has error infinity.
struct Certificate {
  /// max_i e_i(r) / max(max_i e_i(0), 1e-12 max_i rho_i |b^_i|) with e_i(r) = |f_FB(x_i, rho_i y~_i)|: 1
  /// means no better than doing nothing. Dimensionless, and the same in any units. (8)
  double error = 0;
  int worst_contact = -1;  ///< -1 where there is no contact

  double penetration_velocity = 0;  ///< max_i of -(u + s)_N, m/s
  int worst_penetration = -1;
  double cone_violation = 0;  ///< max_i of |x_T| - x_N, N s: how far the impulse leaves its cone
  int worst_cone = -1;
  double dissipation_defect = 0;  ///< max_i of |x . y~|, J: friction that does not dissipate all it should
  int worst_dissipation = -1;

  // What others publish, so that results can be compared. They depend on units.
  double natural_map_error = 0;   ///< |r - P(r - u~)|_2 / |b|_2, as Siconos
  double fischer_burmeister = 0;  ///< max_i |f_FB(mu x_i, y~_i)| with 1 kg between them, as [Daviet11]
  double alart_curnier = 0;       ///< |f_AC(u, r)|^2 with rho = 1 kg, as [Bertails11]

  std::vector<ContactState> states;
  int open = 0, stick = 0, slide = 0;
};

Certificate certify(const ContactProblem& problem, const Eigen::VectorXd& r);
/// The same where u = relative_velocity(r) is at hand.
Certificate certify(const ContactProblem& problem, const Eigen::VectorXd& r, const Eigen::VectorXd& u,
                    const Executor& executor = serial_executor());

/// The denominator of (8), N s.
double error_unit(const ContactProblem& problem, const Executor& executor = serial_executor());

/// The error of canonical variables: max_i a_i |f_FB(x_i, y~_i)|, N s. The one place where (8) is written
/// down; certify calls it too.
struct WorstContact {
  double value = 0;
  int contact = -1;
};
WorstContact worst_fischer_burmeister(const CanonicalProblem& problem, const Eigen::VectorXd& x,
                                      const Eigen::VectorXd& y, const Executor& executor = serial_executor());

/// |r - P(r - u~)|_2 over the contacts, N s (not yet divided by |b|). Circular cones are projected in
/// physical variables, as Siconos does; elliptic ones in canonical variables.
double natural_map(const CanonicalProblem& problem, const Eigen::VectorXd& x, const Eigen::VectorXd& y,
                   const Executor& executor = serial_executor());

}  // namespace capstan
