#include "capstan/law/contact_law.hpp"

#include <algorithm>

namespace capstan {

ContactLaw ContactLaw::frictionless() { return {}; }

ContactLaw ContactLaw::coulomb(double mu) { return elliptic(mu, mu); }

ContactLaw ContactLaw::elliptic(double mu_t, double mu_b) { return drilling(mu_t, mu_b, 0); }

ContactLaw ContactLaw::drilling(double mu_t, double mu_b, double mu_tau) {
  ContactLaw law;
  law.friction = {mu_t, mu_b, mu_tau};
  return law;
}

ContactLaw ContactLaw::with_restitution(double restitution, double normal_velocity_before) const {
  ContactLaw law = *this;
  law.shift[0] += restitution * std::min(normal_velocity_before, 0.0);
  return law;
}

ContactLaw ContactLaw::with_traction(const Eigen::Vector4d& E, const Eigen::Vector4d& s) const {
  ContactLaw law = *this;
  law.traction += E;
  law.shift += s;
  return law;
}

bool ContactLaw::is_isotropic(int dimension) const {
  return std::all_of(friction.begin(), friction.begin() + dimension - 1,
                     [&](double mu) { return mu == friction[0]; });
}

}  // namespace capstan
