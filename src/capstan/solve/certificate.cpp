#include "capstan/solve/certificate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "capstan/cone/second_order_cone.hpp"

namespace capstan {
namespace {

constexpr int kChunk = 512;  // contacts whose sums are taken together, whatever the threads

/// One contact in canonical variables, unscaled (a = 1).
template <int D>
struct Canonical {
  cone::Vector<D> x, y;  // x = S^-1 (r + E (u + s)), y = S (u + s); zero on dropped axes
  double leftover = 0;   // impulse along dropped axes that no law explains, squared
};

template <int D>
Canonical<D> to_canonical(const ContactLaw& law, const cone::Vector<D>& r, const cone::Vector<D>& u) {
  Canonical<D> c{cone::Vector<D>::Zero(), cone::Vector<D>::Zero(), 0.0};
  const cone::Vector<D> shifted = u + law.shift.head<D>();
  const cone::Vector<D> reaction = r + law.traction.head<D>().cwiseProduct(shifted);
  c.x[0] = reaction[0];
  c.y[0] = shifted[0];
  for (int a = 1; a < D; ++a) {
    const double mu = law.friction[a - 1];
    if (mu > 0) {
      c.x[a] = reaction[a] / mu;
      c.y[a] = mu * shifted[a];
    } else {
      c.leftover += reaction[a] * reaction[a];
    }
  }
  return c;
}

void keep_worst(double value, int contact, double& worst, int& index) {
  if (value > worst || index < 0) {
    worst = std::max(value, 0.0);
    index = contact;
  }
}

/// Projection onto |x_T| <= mu x_N.
template <int D>
cone::Vector<D> project_circular(const cone::Vector<D>& x, double mu) {
  const double norm = cone::tangent<D>(x).norm();
  if (norm <= mu * x[0] && x[0] >= 0) return x;
  if (mu * norm <= -x[0]) return cone::Vector<D>::Zero();
  cone::Vector<D> p;
  p[0] = (x[0] + mu * norm) / (1 + mu * mu);
  p.template tail<D - 1>() = (mu * p[0] / norm) * cone::tangent<D>(x);
  return p;
}

/// Friction coefficients of a contact if they are all the same, else -1.
double circular_mu(const ContactLaw& law, int dimension) {
  return law.is_isotropic(dimension) ? law.friction[0] : -1;
}

/// One contact's part of the natural map, squared. mu < 0 stands for an elliptic cone, whose variables are
/// canonical.
template <int D>
double natural_map_squared(double mu, const cone::Vector<D>& r, const cone::Vector<D>& u) {
  if (mu < 0) return (r - cone::project<D>(r - cone::de_saxce<D>(u))).squaredNorm();
  cone::Vector<D> moved = r - u;
  moved[0] -= mu * cone::tangent<D>(u).norm();
  return (r - project_circular<D>(moved, mu)).squaredNorm();
}

template <int D>
double natural_map_squared(const ContactLaw& law, const cone::Vector<D>& r, const cone::Vector<D>& u) {
  const double mu = circular_mu(law, D);
  if (mu < 0) {
    const Canonical<D> c = to_canonical<D>(law, r, u);
    return natural_map_squared<D>(-1.0, c.x, c.y) + c.leftover;
  }
  const cone::Vector<D> shifted = u + law.shift.head<D>();
  return natural_map_squared<D>(mu, r + law.traction.head<D>().cwiseProduct(shifted), shifted);
}

/// |f_AC(u, r)|^2 with rho = 1, in physical variables where the cone is circular. [Bertails11, eq. 4]
template <int D>
double alart_curnier_squared(const ContactLaw& law, const cone::Vector<D>& r, const cone::Vector<D>& u) {
  const double mu = circular_mu(law, D);
  const Canonical<D> c = to_canonical<D>(law, r, u);
  if (mu < 0) return cone::alart_curnier<D>(c.x, c.y).f.squaredNorm() + c.leftover;
  const cone::Vector<D> shifted = u + law.shift.head<D>();
  const cone::Vector<D> reaction = r + law.traction.head<D>().cwiseProduct(shifted);
  const double normal = std::max(reaction[0] - shifted[0], 0.0) - reaction[0];
  const auto moved = (cone::tangent<D>(reaction) - cone::tangent<D>(shifted)).eval();
  const double radius = std::max(mu * reaction[0], 0.0), norm = moved.norm();
  const auto projected = norm > radius ? (moved * (radius / norm)).eval() : moved;
  return normal * normal + (projected - cone::tangent<D>(reaction)).squaredNorm();
}

/// Where x - rho y~ lies decides the state without any tolerance: in the polar cone, in the cone, or between.
template <int D>
ContactState state_of(const cone::Vector<D>& x, const cone::Vector<D>& y, double rho) {
  const cone::Vector<D> z = x - rho * cone::de_saxce<D>(y);
  const double norm = cone::tangent<D>(z).norm();
  if (norm <= -z[0]) return ContactState::open;
  return norm <= z[0] ? ContactState::stick : ContactState::slide;
}

/// |f_FB(x, rho y~)|. f_FB is homogeneous: scaled to unit size, no square overflows or vanishes.
template <int D>
double contact_error(const Canonical<D>& c, double rho) {
  const cone::Vector<D> y = rho * cone::de_saxce<D>(c.y);
  const double leftover = std::sqrt(c.leftover);
  const double size = std::max({c.x.cwiseAbs().maxCoeff(), y.cwiseAbs().maxCoeff(), leftover});
  if (size == 0) return 0;
  if (!std::isfinite(size) || !c.x.allFinite() || !y.allFinite())
    return std::numeric_limits<double>::infinity();
  return size * std::hypot(cone::fischer_burmeister<D>(c.x / size, y / size).norm(), leftover / size);
}

template <int D>
double largest_error(const ContactProblem& problem, const Eigen::VectorXd& rho, const Eigen::VectorXd& r,
                     const Eigen::VectorXd& u) {
  double worst = 0;
  for (int i = 0; i < problem.contacts(); ++i)
    worst = std::max(
        worst,
        contact_error<D>(to_canonical<D>(problem.law(i), r.segment<D>(i * D), u.segment<D>(i * D)), rho[i]));
  return worst;
}

template <int D>
double error_unit_of(const ContactProblem& problem, const Eigen::VectorXd& rho) {
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(problem.b().size());
  double floor = 0;
  for (int i = 0; i < problem.contacts(); ++i) {
    const Canonical<D> c =
        to_canonical<D>(problem.law(i), zero.segment<D>(i * D), problem.b().segment<D>(i * D));
    floor = std::max(floor, 1e-12 * rho[i] * c.y.norm());
  }
  return std::max(largest_error<D>(problem, rho, zero, problem.b()), floor);
}

template <int D>
Certificate certify_in(const ContactProblem& problem, const Eigen::VectorXd& r, const Eigen::VectorXd& u) {
  const Eigen::VectorXd rho = contact_masses(problem);
  Certificate result;
  result.states.resize(problem.contacts());
  double natural = 0, free = 0;
  for (int i = 0; i < problem.contacts(); ++i) {
    const ContactLaw& law = problem.law(i);
    const cone::Vector<D> ri = r.segment<D>(i * D), ui = u.segment<D>(i * D);
    const Canonical<D> c = to_canonical<D>(law, ri, ui);
    const cone::Vector<D> shifted = cone::de_saxce<D>(c.y);
    keep_worst(contact_error<D>(c, rho[i]), i, result.error, result.worst_contact);
    keep_worst(-c.y[0], i, result.penetration_velocity, result.worst_penetration);
    keep_worst(cone::tangent<D>(c.x).norm() - c.x[0] + std::sqrt(c.leftover), i, result.cone_violation,
               result.worst_cone);
    keep_worst(std::abs(c.x.dot(shifted)), i, result.dissipation_defect, result.worst_dissipation);
    natural += natural_map_squared<D>(law, ri, ui);
    result.alart_curnier += alart_curnier_squared<D>(law, ri, ui);
    double mu = 0;
    for (int a = 0; a < D - 1; ++a) mu = std::max(mu, law.friction[a]);
    const cone::Vector<D> scaled = (mu > 0 ? mu : 1.0) * c.x;
    result.fischer_burmeister =
        std::max(result.fischer_burmeister, cone::fischer_burmeister<D>(scaled, shifted).norm());
    free += (problem.b().segment<D>(i * D) + law.shift.head<D>()).squaredNorm();
    result.states[i] = state_of<D>(c.x, c.y, rho[i]);
    result.open += result.states[i] == ContactState::open;
    result.stick += result.states[i] == ContactState::stick;
    result.slide += result.states[i] == ContactState::slide;
  }
  const double unit = error_unit_of<D>(problem, rho);
  if (unit > 0) result.error /= unit;
  result.natural_map_error = free > 0 ? std::sqrt(natural / free) : std::sqrt(natural);
  return result;
}

}  // namespace

Certificate certify(const ContactProblem& problem, const Eigen::VectorXd& r) {
  return certify(problem, r, problem.relative_velocity(r));
}

Certificate certify(const ContactProblem& problem, const Eigen::VectorXd& r, const Eigen::VectorXd& u) {
  return cone::with_dimension(problem.dimension(), [&]<int D>() { return certify_in<D>(problem, r, u); });
}

double error_unit(const ContactProblem& problem) {
  const Eigen::VectorXd rho = contact_masses(problem);
  return cone::with_dimension(problem.dimension(), [&]<int D>() { return error_unit_of<D>(problem, rho); });
}

WorstContact worst_fischer_burmeister(int dimension, const Eigen::VectorXd& weight, const Eigen::VectorXd& x,
                                      const Eigen::VectorXd& y, const Executor& executor) {
  const int contacts = static_cast<int>(weight.size());
  std::vector<WorstContact> worst(contacts / kChunk + 1);
  cone::with_dimension(dimension, [&]<int D>() {
    for_each_chunk(
        executor, contacts,
        [&](int first, int last) {
          WorstContact& mine = worst[first / kChunk];
          for (int i = first; i < last; ++i) {
            const Canonical<D> c{x.segment<D>(i * D), y.segment<D>(i * D), 0.0};
            keep_worst(weight[i] * contact_error<D>(c, 1.0), i, mine.value, mine.contact);
          }
        },
        kChunk);
  });
  WorstContact result;
  for (const WorstContact& part : worst)
    if (part.contact >= 0) keep_worst(part.value, part.contact, result.value, result.contact);
  return result;
}

double natural_map(const CanonicalProblem& problem, const Eigen::VectorXd& x, const Eigen::VectorXd& y,
                   const Executor& executor) {
  std::vector<double> sums(problem.contacts() / kChunk + 1, 0.0);
  cone::with_dimension(problem.dimension(), [&]<int D>() {
    for_each_chunk(
        executor, problem.contacts(),
        [&](int first, int last) {
          double sum = 0;
          for (int i = first; i < last; ++i) {
            const cone::Vector<D> scale = problem.scale().segment<D>(i * D);  // of S a, with a the first
            const bool circular = (scale.template tail<D - 1>().array() == scale[1]).all();
            cone::Vector<D> r = scale[0] * x.segment<D>(i * D), u = y.segment<D>(i * D) / scale[0];
            const double mu = circular ? scale[1] / scale[0] : -1.0;
            if (mu > 0) {
              r.template tail<D - 1>() *= mu;
              u.template tail<D - 1>() /= mu;
            }
            sum += natural_map_squared<D>(mu, r, u);
          }
          sums[first / kChunk] = sum;
        },
        kChunk);
  });
  return std::sqrt(std::accumulate(sums.begin(), sums.end(), 0.0));
}

}  // namespace capstan
