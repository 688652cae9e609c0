#pragma once
#include <Eigen/SparseCore>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "capstan/executor.hpp"

namespace capstan {

/// H of u = H v + w, block-sparse: a contact has d rows and touches a few bodies (one or two as a rule), each
/// through a dense d x (dofs of the body) block. Blocks are column-major and follow each other in memory.
class ContactJacobian {
 public:
  ContactJacobian() = default;
  /// dof_start: first degree of freedom of each body, and at the end their total number.
  ContactJacobian(int dimension, std::vector<int> dof_start);
  /// Which bodies each contact touches, in one list: those of contact i begin at start[i], and start ends
  /// with their number.
  struct Pattern {
    std::vector<int> start{0}, body;
    void add_contact(std::initializer_list<int> bodies) {
      body.insert(body.end(), bodies);
      start.push_back(static_cast<int>(body.size()));
    }
  };
  /// All blocks at once, zero until they are written. No contact may touch a body twice.
  ContactJacobian(int dimension, std::vector<int> dof_start, Pattern pattern);
  static ContactJacobian from_sparse(const Eigen::Ref<const Eigen::SparseMatrix<double, Eigen::RowMajor>>& H,
                                     int dimension, std::vector<int> dof_start);

  /// The same bodies at the same contacts, no block of it written yet.
  ContactJacobian with_same_pattern() const;

  /// Adds a contact that touches no body yet, and returns its index.
  int add_contact();
  /// Adds the block of the last contact on `body`.
  void add_block(int body, const Eigen::Ref<const Eigen::MatrixXd>& block);

  int dimension() const { return dimension_; }
  int contacts() const { return static_cast<int>(contact_start_.size()) - 1; }
  int bodies() const { return static_cast<int>(dof_start_.size()) - 1; }
  int dofs() const { return dof_start_.back(); }
  int dof_start(int body) const { return dof_start_[body]; }
  int body_dofs(int body) const { return dof_start_[body + 1] - dof_start_[body]; }
  const std::vector<int>& dof_starts() const { return dof_start_; }

  int begin(int contact) const { return contact_start_[contact]; }
  int end(int contact) const { return contact_start_[contact + 1]; }
  int body(int entry) const { return body_[entry]; }
  double* values(int entry) { return values_.data() + offset_[entry]; }
  const double* values(int entry) const { return values_.data() + offset_[entry]; }
  Eigen::Map<const Eigen::MatrixXd> block(int entry) const {
    return {values(entry), dimension_, body_dofs(body_[entry])};
  }
  Eigen::Map<Eigen::MatrixXd> block(int entry) {
    return {values(entry), dimension_, body_dofs(body_[entry])};
  }

  /// u = H v.
  void multiply(const Eigen::VectorXd& v, Eigen::VectorXd& u,
                const Executor& executor = serial_executor()) const;
  /// f = H^T r.
  void multiply_transposed(const Eigen::VectorXd& r, Eigen::VectorXd& f) const;
  /// Entries of H by body, in the order of their contacts, and what multiply_transposed needs to run on
  /// several threads with the same bits.
  struct ByBody {
    std::vector<int> start;  ///< first of each body, then their number
    std::vector<int> entry, contact;
  };
  ByBody by_body() const;
  void multiply_transposed(const Eigen::VectorXd& r, Eigen::VectorXd& f, const ByBody& entries,
                           const Executor& executor) const;
  bool all_finite(const Executor& executor = serial_executor()) const;
  Eigen::SparseMatrix<double, Eigen::RowMajor> sparse() const;
  /// The contacts of `keep`, renumbered, over the bodies of `keep_bodies`, renumbered.
  ContactJacobian restricted(const std::vector<int>& keep, const std::vector<int>& keep_bodies) const;

 private:
  /// Leaves new numbers unwritten, so that threads may be the first to touch them.
  template <class T>
  struct Unwritten : std::allocator<T> {
    template <class U>
    struct rebind {
      using other = Unwritten<U>;
    };
    template <class U, class... Values>
    void construct(U* at, Values&&... values) {
      if constexpr (sizeof...(Values) == 0)
        ::new (static_cast<void*>(at)) U;
      else
        ::new (static_cast<void*>(at)) U(std::forward<Values>(values)...);
    }
  };

  int dimension_ = 3;
  std::vector<int> dof_start_{0};
  std::vector<int> contact_start_{0}, body_;
  std::vector<std::size_t> offset_;
  std::vector<double, Unwritten<double>> values_;
};

}  // namespace capstan
