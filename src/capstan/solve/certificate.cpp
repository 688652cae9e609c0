#include "capstan/solve/certificate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <Eigen/LU>

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

/// What a normal velocity may be off, of the tangential one: a normal is known to some bits only.
constexpr double kRounding = 64 * std::numeric_limits<double>::epsilon();

/// |f_FB(0, y~)| = sqrt(2) times the negative eigenvalues of y~. The smaller one is y_N, which adding |y_T|
/// and taking it away again would round: a contact that is open while it slides by fast has no error. Nor has
/// one that slides along and is not pressed: between two walls no impulse could undo what is mere rounding.
template <int D>
double error_without_impulse(const cone::Vector<D>& y) {
  const double tangential = cone::tangent<D>(y).norm(), larger = y[0] + 2 * tangential;
  if (y[0] >= -kRounding * tangential) return 0;
  return std::sqrt(2.0) * std::hypot(y[0], std::min(larger, 0.0));
}

/// |f_FB(x, rho y~)|. f_FB is homogeneous: scaled to unit size, no square overflows or vanishes.
template <int D>
double contact_error(const Canonical<D>& c, double rho) {
  if (c.x.isZero(0) && c.leftover == 0 && c.y.allFinite()) return rho * error_without_impulse<D>(c.y);
  const cone::Vector<D> y = rho * cone::de_saxce<D>(c.y);
  const double leftover = std::sqrt(c.leftover);
  const double size = std::max({c.x.cwiseAbs().maxCoeff(), y.cwiseAbs().maxCoeff(), leftover});
  if (size == 0) return 0;
  if (!std::isfinite(size) || !c.x.allFinite() || !y.allFinite())
    return std::numeric_limits<double>::infinity();
  return size * std::hypot(cone::fischer_burmeister<D>(c.x / size, y / size).norm(), leftover / size);
}

/// part(first, last) over the contacts, in chunks that do not depend on the threads; the results in order.
template <class Part>
auto for_chunks(const Executor& executor, int contacts, const Part& part) {
  std::vector<decltype(part(0, 0))> parts((contacts + kChunk - 1) / kChunk);
  for_each_chunk(
      executor, contacts, [&](int first, int last) { parts[first / kChunk] = part(first, last); }, kChunk);
  return parts;
}

/// Doing nothing: no reaction r' of the surfaces. A traction acts all the same, with the other contacts at
/// rest: u' = (I + W_ii E)^-1 (b + s), and what it bears counts as well. (With r = 0 instead, a reaction that
/// undoes the traction would be counted over a friction mu (1 - beta) that may be next to nothing, and hide
/// the errors of all others.)
template <int D>
double error_of_nothing(const ContactProblem& problem, int i, double rho) {
  const ContactLaw& law = problem.law(i);
  const auto E = law.traction.head<D>();
  cone::Vector<D> free = problem.b().segment<D>(i * D) + law.shift.head<D>();
  if (law.has_traction()) {
    const cone::Matrix<D> W = problem.diagonal(i);
    const cone::Matrix<D> stiffened = cone::Matrix<D>::Identity() + W * E.asDiagonal();
    free = stiffened.partialPivLu().solve(free).eval();
  }
  Canonical<D> c{cone::Vector<D>::Zero(), free, 0.0};
  for (int a = 1; a < D; ++a) c.y[a] *= law.friction[a - 1];
  return std::max({contact_error<D>(c, rho), 1e-12 * rho * c.y.norm(), E.cwiseProduct(free).norm()});
}

template <int D>
double error_unit_of(const ContactProblem& problem, const Eigen::VectorXd& rho, const Executor& executor) {
  const auto largest = for_chunks(executor, problem.contacts(), [&](int first, int last) {
    double unit = 0;
    for (int i = first; i < last; ++i) unit = std::max(unit, error_of_nothing<D>(problem, i, rho[i]));
    return unit;
  });
  return largest.empty() ? 0.0 : *std::max_element(largest.begin(), largest.end());
}

/// What a certificate adds up before it is divided by its units.
struct Sums {
  Certificate worst;  // its error not yet divided, its states left out
  double natural = 0, free = 0;
};

template <int D>
Sums certify_contacts(const ContactProblem& problem, const Eigen::VectorXd& rho, const Eigen::VectorXd& r,
                      const Eigen::VectorXd& u, int first, int last, std::vector<ContactState>& states) {
  Sums sums;
  Certificate& worst = sums.worst;
  for (int i = first; i < last; ++i) {
    const ContactLaw& law = problem.law(i);
    const cone::Vector<D> ri = r.segment<D>(i * D), ui = u.segment<D>(i * D);
    const Canonical<D> c = to_canonical<D>(law, ri, ui);
    const cone::Vector<D> shifted = cone::de_saxce<D>(c.y);
    keep_worst(contact_error<D>(c, rho[i]), i, worst.error, worst.worst_contact);
    keep_worst(-c.y[0], i, worst.penetration_velocity, worst.worst_penetration);
    keep_worst(cone::tangent<D>(c.x).norm() - c.x[0] + std::sqrt(c.leftover), i, worst.cone_violation,
               worst.worst_cone);
    keep_worst(std::abs(c.x.dot(shifted)), i, worst.dissipation_defect, worst.worst_dissipation);
    sums.natural += natural_map_squared<D>(law, ri, ui);
    worst.alart_curnier += alart_curnier_squared<D>(law, ri, ui);
    double mu = 0;
    for (int a = 0; a < D - 1; ++a) mu = std::max(mu, law.friction[a]);
    const cone::Vector<D> scaled = (mu > 0 ? mu : 1.0) * c.x;
    worst.fischer_burmeister =
        std::max(worst.fischer_burmeister, cone::fischer_burmeister<D>(scaled, shifted).norm());
    sums.free += (problem.b().segment<D>(i * D) + law.shift.head<D>()).squaredNorm();
    states[i] = state_of<D>(c.x, c.y, rho[i]);
    worst.open += states[i] == ContactState::open;
    worst.stick += states[i] == ContactState::stick;
    worst.slide += states[i] == ContactState::slide;
  }
  return sums;
}

void add(const Sums& part, Sums& total) {
  const Certificate& p = part.worst;
  Certificate& t = total.worst;
  keep_worst(p.error, p.worst_contact, t.error, t.worst_contact);
  keep_worst(p.penetration_velocity, p.worst_penetration, t.penetration_velocity, t.worst_penetration);
  keep_worst(p.cone_violation, p.worst_cone, t.cone_violation, t.worst_cone);
  keep_worst(p.dissipation_defect, p.worst_dissipation, t.dissipation_defect, t.worst_dissipation);
  t.alart_curnier += p.alart_curnier;
  t.fischer_burmeister = std::max(t.fischer_burmeister, p.fischer_burmeister);
  t.open += p.open;
  t.stick += p.stick;
  t.slide += p.slide;
  total.natural += part.natural;
  total.free += part.free;
}

template <int D>
Certificate certify_in(const ContactProblem& problem, const Eigen::VectorXd& r, const Eigen::VectorXd& u,
                       const Executor& executor) {
  const Eigen::VectorXd rho = contact_masses(problem, executor);
  std::vector<ContactState> states(problem.contacts());
  Sums total;
  for (const Sums& part : for_chunks(executor, problem.contacts(), [&](int first, int last) {
         return certify_contacts<D>(problem, rho, r, u, first, last, states);
       }))
    add(part, total);
  Certificate result = std::move(total.worst);
  result.states = std::move(states);
  const double unit = error_unit_of<D>(problem, rho, executor);
  if (unit > 0) result.error /= unit;
  result.natural_map_error =
      total.free > 0 ? std::sqrt(total.natural / total.free) : std::sqrt(total.natural);
  return result;
}

}  // namespace

Certificate certify(const ContactProblem& problem, const Eigen::VectorXd& r) {
  return certify(problem, r, problem.relative_velocity(r));
}

Certificate certify(const ContactProblem& problem, const Eigen::VectorXd& r, const Eigen::VectorXd& u,
                    const Executor& executor) {
  return cone::with_dimension(problem.dimension(),
                              [&]<int D>() { return certify_in<D>(problem, r, u, executor); });
}

double error_unit(const ContactProblem& problem, const Executor& executor) {
  const Eigen::VectorXd rho = contact_masses(problem, executor);
  return cone::with_dimension(problem.dimension(),
                              [&]<int D>() { return error_unit_of<D>(problem, rho, executor); });
}

namespace {

/// Friction and traction of a contact that keeps its spring, in units of the canonical problem.
ContactLaw law_of(const ContactSpring& spring) {
  ContactLaw law;
  law.friction = spring.mu;
  law.traction = spring.E;
  return law;
}

const ContactSpring* spring_at(const CanonicalProblem& problem, int contact) {
  if (problem.springs().empty() || problem.spring_of()[contact] < 0) return nullptr;
  return &problem.springs()[problem.spring_of()[contact]];
}

}  // namespace

WorstContact worst_fischer_burmeister(const CanonicalProblem& problem, const Eigen::VectorXd& x,
                                      const Eigen::VectorXd& y, const Executor& executor) {
  const auto worst = cone::with_dimension(problem.dimension(), [&]<int D>() {
    return for_chunks(executor, problem.contacts(), [&](int first, int last) {
      WorstContact mine;
      for (int i = first; i < last; ++i) {
        Canonical<D> c{x.segment<D>(i * D), y.segment<D>(i * D), 0.0};
        if (const ContactSpring* spring = spring_at(problem, i))
          c = to_canonical<D>(law_of(*spring), c.x, c.y);
        keep_worst(problem.weight()[i] * contact_error<D>(c, 1.0), i, mine.value, mine.contact);
      }
      return mine;
    });
  });
  WorstContact result;
  for (const WorstContact& part : worst) keep_worst(part.value, part.contact, result.value, result.contact);
  return result;
}

double natural_map(const CanonicalProblem& problem, const Eigen::VectorXd& x, const Eigen::VectorXd& y,
                   const Executor& executor) {
  const auto sums = cone::with_dimension(problem.dimension(), [&]<int D>() {
    return for_chunks(executor, problem.contacts(), [&](int first, int last) {
      double sum = 0;
      for (int i = first; i < last; ++i) {
        const cone::Vector<D> scale = problem.scale().segment<D>(i * D);  // of S a, with a the first
        if (const ContactSpring* spring = spring_at(problem, i)) {
          const double a2 = scale[0] * scale[0];
          ContactLaw law = law_of(*spring);
          law.traction *= a2;
          sum += natural_map_squared<D>(law, scale[0] * x.segment<D>(i * D), y.segment<D>(i * D) / scale[0]);
          continue;
        }
        const bool circular = (scale.template tail<D - 1>().array() == scale[1]).all();
        cone::Vector<D> r = scale[0] * x.segment<D>(i * D), u = y.segment<D>(i * D) / scale[0];
        const double mu = circular ? scale[1] / scale[0] : -1.0;
        if (mu > 0) {
          r.template tail<D - 1>() *= mu;
          u.template tail<D - 1>() /= mu;
        }
        sum += natural_map_squared<D>(mu, r, u);
      }
      return sum;
    });
  });
  return std::sqrt(std::accumulate(sums.begin(), sums.end(), 0.0));
}

}  // namespace capstan
