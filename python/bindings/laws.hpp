#pragma once
#include <optional>
#include <vector>

#include "bindings/arrays.hpp"
#include "capstan/law/contact_law.hpp"

namespace capstan::python {

/// One law a contact, from arrays of one row a contact: friction (d - 1 columns), traction and shift (d
/// columns), restitution with the normal velocities before. In a batch the contacts of all problems follow
/// each other.
class Laws {
 public:
  Laws(const Matrix& friction, const std::optional<Matrix>& traction, const std::optional<Matrix>& shift,
       const std::optional<Vector>& restitution, const std::optional<Vector>& velocity_before);

  const std::vector<ContactLaw>& all() const { return laws_; }
  std::vector<ContactLaw> slice(int first, int count) const {
    return {laws_.begin() + first, laws_.begin() + first + count};
  }

 private:
  std::vector<ContactLaw> laws_;
};

}  // namespace capstan::python
