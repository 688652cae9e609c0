#pragma once
#include <Eigen/Core>
#include <array>
#include <optional>
#include <vector>

#include "capstan/problem/contact_problem.hpp"

namespace capstan {

class Executor;

/// Multiply-adds of one Gauss-Seidel sweep with u_i = H_i v: once to read u, once to write v.
double cost_in_body_space(const ContactJacobian& H);
/// The same with u = W r + b. Contacts that share two bodies are counted twice.
double cost_in_delassus_space(const ContactJacobian& H);

/// Mass-normalised body space: with M = L L^T and v^ = L^T v,  v^ = v0 + H^T x,  y = H v^ + w.
struct BodySpace {
  ContactJacobian H;                ///< D H L^-T
  Eigen::VectorXd v0;               ///< L^-1 f
  Eigen::VectorXd w;                ///< D (w + s)
  ContactJacobian::ByBody by_body;  ///< empty if there is but one thread
};

/// Space of nodes and small bodies, as they are: y = H v + w, M v = f + H^T x, with sparse bodies in M.
struct NodeSpace {
  MassMatrix M;
  ContactJacobian H;  ///< D H, a body for each node
  Eigen::VectorXd f;
  Eigen::VectorXd w;  ///< D (w + s)
};

/// The traction of one contact where it is kept beside the law: r = r' - E u', in the units of the canonical
/// problem. x is then the whole impulse r/a and y = a u', and the law holds for S^-1 (x + E y) and S y.
struct ContactSpring {
  int contact;
  Eigen::Vector4d E = Eigen::Vector4d::Zero();  ///< over a^2
  std::array<double, 3> mu{0, 0, 0};            ///< S without its first entry
};

/// Where tractions go.
enum class TractionForm {
  in_mass,     ///< into M: every solver sees plain contacts, but bodies that stick together become one
  in_contact,  ///< they stay with their contacts: bodies stay apart, and only sweeps know how to do it
};

/// What every solver sees: all contacts obey the one canonical law (friction coefficient 1), all quantities
/// are scaled so that every diagonal block of W has trace d (less where a traction stiffens the contact).
///
///     y = W x + b,   (x_i, y_i) in C   (cone/second_order_cone.hpp)
///
/// From the problem as given: r' = D x, y = D u' with D = S a, a_i = sqrt(rho_i) (a positive scalar
/// per contact leaves the cone as it is), and r = r' - E u', u' = u + s; see without_traction. Or tractions
/// stay in their contacts: see ContactSpring.
class CanonicalProblem {
 public:
  /// The executor must outlive this: W() is assembled when it is first asked for.
  CanonicalProblem(const ContactProblem& problem, const Executor& executor,
                   TractionForm form = TractionForm::in_mass);

  int dimension() const { return dimension_; }
  int contacts() const { return contacts_; }
  Eigen::Index size() const { return b_.size(); }
  const Eigen::VectorXd& b() const { return b_; }

  /// Whether body space is at hand (M block diagonal, no traction, no chains so long that W is smaller); W
  /// always is, on demand.
  bool has_bodies() const { return bodies_.has_value(); }
  const BodySpace& bodies() const { return *bodies_; }
  /// Whether there are sparse bodies: W is then dense and large, and better not asked for.
  bool has_nodes() const { return nodes_.has_value(); }
  const NodeSpace& nodes() const { return *nodes_; }
  const BlockMatrix& W() const;  ///< assembled at the first call; not thread-safe then
  bool has_W() const { return W_.has_value(); }
  /// d x d diagonal blocks of W, side by side (d x d n).
  const Eigen::MatrixXd& diagonal() const { return diagonal_; }
  auto diagonal(int contact) const { return diagonal_.middleCols(contact * dimension_, dimension_); }
  /// Multiply-adds of one Gauss-Seidel sweep in either space.
  double cost_in_body_space() const;
  double cost_in_delassus_space() const;

  /// y = W x + b, through body space if there is one, or through W where that is at hand and costs less.
  void velocity(const Eigen::VectorXd& x, Eigen::VectorXd& y,
                const Executor& executor = serial_executor()) const;

  /// By rising contact; none unless tractions stay in their contacts.
  const std::vector<ContactSpring>& springs() const { return springs_; }
  /// In `springs` for each contact, -1: none. Empty if there are no springs.
  const std::vector<int>& spring_of() const { return spring_of_; }

  /// a_i = sqrt(rho_i): impulses are a_i x, velocities are y / a_i, both up to the friction coefficients.
  const Eigen::VectorXd& weight() const { return weight_; }
  /// D = S a, one entry a row; 0 on dropped axes.
  const Eigen::VectorXd& scale() const { return D_; }
  /// Denominator of the error (8), in impulse units; see certificate.hpp.
  double error_unit() const { return error_unit_; }
  void set_error_unit(double unit) { error_unit_ = unit; }

  Eigen::VectorXd impulse_from_canonical(const Eigen::VectorXd& x) const;  ///< r
  Eigen::VectorXd canonical_from_impulse(const Eigen::VectorXd& r) const;  ///< x; dropped axes give 0

  /// The sub-problem of some contacts that do not touch any other.
  CanonicalProblem island(const std::vector<int>& contacts) const;
  /// The sub-problem of some contacts with all others held at their x.
  CanonicalProblem part(const std::vector<int>& contacts, const Eigen::VectorXd& x) const;
  /// Contacts grouped by connectivity, each group sorted, groups ordered by their first contact.
  std::vector<std::vector<int>> islands() const;

 private:
  CanonicalProblem() = default;
  void keep_springs(const ContactProblem& problem);

  int dimension_ = 3, contacts_ = 0;
  Eigen::VectorXd b_, D_, weight_;
  Eigen::MatrixXd diagonal_;
  std::vector<ContactSpring> springs_;
  std::vector<int> spring_of_;
  std::optional<BodySpace> bodies_;
  std::optional<NodeSpace> nodes_;
  mutable std::optional<BlockMatrix> W_;
  double error_unit_ = 1;
  const Executor* executor_ = nullptr;
  std::optional<ContactProblem> given_, without_traction_;  // to recover r = r' - E u', if a law has traction
};

}  // namespace capstan
