#include "bindings/laws.hpp"

namespace capstan::python {

Laws::Laws(const Matrix& friction, const std::optional<Matrix>& traction, const std::optional<Matrix>& shift,
           const std::optional<Vector>& restitution, const std::optional<Vector>& velocity_before)
    : laws_(friction.shape(0)) {
  const auto axes = Eigen::Index(friction.shape(1)), d = axes + 1;
  for (std::size_t i = 0; i < laws_.size(); ++i) {
    ContactLaw& law = laws_[i];
    for (Eigen::Index a = 0; a < axes; ++a) law.friction[a] = view(friction)(i, a);
    if (traction) law.traction.head(d) = row(*traction, i);
    if (shift) law.shift.head(d) = row(*shift, i);
    if (restitution && velocity_before)
      law = law.with_restitution(restitution->data()[i], velocity_before->data()[i]);
  }
}

}  // namespace capstan::python
