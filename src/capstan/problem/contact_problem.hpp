#pragma once
#include <Eigen/Core>
#include <memory>
#include <optional>
#include <vector>

#include "capstan/law/contact_law.hpp"
#include "capstan/problem/block_matrix.hpp"
#include "capstan/problem/contact_jacobian.hpp"
#include "capstan/problem/mass_matrix.hpp"

namespace capstan {

class Executor;

/// One step of frictional contact, the waist of the program:
///
///     M v - f = H^T r,    u = H v + w,    (r_i, u_i) in Law_i    for every contact i            (1)
///
/// or, with v eliminated, u = W r + b, W = H M^-1 H^T, b = w + H M^-1 f.                           (2)
///
///   v generalised velocity (dofs)     r impulse, N s     u relative velocity, m/s
///
/// Contact frame: normal first, then the tangents; in dimension 4 the fourth component is the torque about
/// the normal and its spin. r acts on body A, u is the velocity of A relative to B, the normal points from B
/// to A. Checked at the door: sizes, finite numbers, coefficients >= 0, M positive; InputError names the
/// entry.
class ContactProblem {
 public:
  /// Form (1).
  static ContactProblem from_mass(MassMatrix M, Eigen::VectorXd f, ContactJacobian H, Eigen::VectorXd w,
                                  std::vector<ContactLaw> laws, const Executor& executor = serial_executor());
  /// Form (1) from sparse matrices, as files have it; bodies are found from the pattern of M.
  static ContactProblem from_sparse(int dimension, const Eigen::SparseMatrix<double>& M, Eigen::VectorXd f,
                                    const RowsView& H, Eigen::VectorXd w, std::vector<ContactLaw> laws);
  /// Form (2) alone. W may be singular and need not be symmetric: it is solved as given.
  static ContactProblem from_delassus(BlockMatrix W, Eigen::VectorXd b, std::vector<ContactLaw> laws);

  /// The same contacts under other laws, one each; the matrices are shared.
  ContactProblem with_laws(std::vector<ContactLaw> laws) const;

  int dimension() const { return dimension_; }
  int contacts() const { return static_cast<int>(laws_.size()); }
  int dofs() const { return has_mass() ? mass().dofs() : 0; }  ///< 0 in form (2), which does not know v
  const ContactLaw& law(int contact) const { return laws_[contact]; }
  const std::vector<ContactLaw>& laws() const { return laws_; }

  bool has_mass() const { return form_1_ != nullptr; }
  const MassMatrix& mass() const { return form_1_->M; }
  const Eigen::VectorXd& f() const { return form_1_->f; }
  const ContactJacobian& H() const { return form_1_->H; }
  const Eigen::VectorXd& w() const { return form_1_->w; }
  const BlockMatrix& W() const { return *W_; }  ///< form (2), and (1) where M has no small blocks

  const Eigen::VectorXd& b() const { return b_; }  ///< the relative velocity without any impulse
  /// d x d diagonal block of W.
  auto diagonal(int contact) const { return diagonal_.middleCols(contact * dimension_, dimension_); }

  /// v = M^-1 (f + H^T r); form (1) only.
  Eigen::VectorXd velocity(const Eigen::VectorXd& r, const Executor& executor = serial_executor()) const;
  /// u = H v + w; form (1) only.
  Eigen::VectorXd relative_velocity_of(const Eigen::VectorXd& v,
                                       const Executor& executor = serial_executor()) const;
  /// u = W r + b, from the given matrices.
  Eigen::VectorXd relative_velocity(const Eigen::VectorXd& r) const;

 private:
  struct MassForm {
    MassMatrix M;
    Eigen::VectorXd f;
    ContactJacobian H;
    Eigen::VectorXd w;
  };
  ContactProblem() = default;
  void check_laws() const;
  void compute_diagonal(const Executor& executor);

  int dimension_ = 3;
  std::shared_ptr<const MassForm> form_1_;  // shared: a problem is a value, its matrices are never changed
  std::shared_ptr<const BlockMatrix> W_;
  Eigen::VectorXd b_;
  Eigen::MatrixXd diagonal_;  // blocks side by side
  std::vector<ContactLaw> laws_;
};

/// An equivalent problem whose laws have neither traction nor shift, only friction: with r = r' - E u' and
/// u' = u + s it is M' = M + H^T E H, f' = f - H^T E (w + s), w' = w + s, or W' = (I + W E)^-1 W. Its impulse
/// is r' and its relative velocity is u'.
ContactProblem without_traction(const ContactProblem& problem, const Executor& executor = serial_executor());

/// The same with shifts gone and tractions left: w' = w + s.
ContactProblem without_shift(const ContactProblem& problem);

/// rho_i = d / tr(S W'_ii S), kg: the mass that scales contact i in the error (8), W' = (I + W_ii E)^-1 W_ii
/// and d the number of axes that are not dropped. A contact that no impulse can move gets the largest of the
/// others.
Eigen::VectorXd contact_masses(const ContactProblem& problem, const Executor& executor = serial_executor());

/// The block of M that each body of H belongs to. There are several to a block where bodies are sparse: one a
/// node.
std::vector<int> blocks_of_bodies(const MassMatrix& M, const ContactJacobian& H);

/// W = H M^-1 H^T block by block: a body of m dofs with k contacts costs O(m^2 k d + k^2 m d^2), and only the
/// upper half is computed. [Daviet11, sec. 6.2]
BlockMatrix assemble_delassus(const MassMatrix& M, const ContactJacobian& H, const Executor& executor);

}  // namespace capstan
