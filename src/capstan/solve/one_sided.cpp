#include "capstan/solve/one_sided.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "capstan/errors.hpp"

namespace capstan {
namespace {

constexpr double kNoForce = 1e-14;  // of the normal impulse: both halves of the cone contain it

void check_contacts(const ContactProblem& problem, const std::vector<OneSidedContact>& contacts) {
  for (const OneSidedContact& c : contacts)
    if (c.contact < 0 || c.contact >= problem.contacts())
      throw InputError("one-sided friction: contact " + std::to_string(c.contact) + ", expected 0 to " +
                       std::to_string(problem.contacts() - 1));
  if (problem.dimension() < 3)
    throw InputError("one-sided friction: a problem of dimension 2 has no second tangent, expected 3 or 4");
}

ContactProblem with_laws(const ContactProblem& problem, std::vector<ContactLaw> laws) {
  return problem.has_mass() ? ContactProblem::from_mass(problem.mass(), problem.f(), problem.H(), problem.w(),
                                                        std::move(laws))
                            : ContactProblem::from_delassus(problem.W(), problem.b(), std::move(laws));
}

void take_side(ContactLaw& law, const OrientedFriction& friction, double sliding) {
  law.friction = one_sided_law(friction, sliding).friction;
}

/// How far the impulse lies on the other half of the cone, N s; 0 if it does not. A traction -E (u + s)
/// points against the same velocity as friction does, so that r_t has the sign of the friction in it.
double on_the_wrong_side(const OneSidedContact& c, const ContactLaw& law, double r_n, double r_t) {
  const bool same_half = one_sided_law(c.friction, -r_t).friction[0] == law.friction[0];
  return same_half || std::abs(r_t) <= kNoForce * std::abs(r_n) ? 0 : std::abs(r_t);
}

struct Wrong {
  const OneSidedContact* contact;
  double sliding, amount;
};

std::vector<Wrong> wrong_sides(const std::vector<OneSidedContact>& contacts,
                               const std::vector<ContactLaw>& laws, const Solution& solution, int dimension) {
  std::vector<Wrong> wrong;
  for (const OneSidedContact& c : contacts) {
    const double r_n = solution.r[c.contact * dimension], r_t = solution.r[c.contact * dimension + 1];
    const double amount = on_the_wrong_side(c, laws[c.contact], r_n, r_t);
    if (amount > 0) wrong.push_back({&c, -r_t, amount});
  }
  return wrong;
}

void keep_worst(std::vector<Wrong>& wrong) {
  wrong = {*std::max_element(wrong.begin(), wrong.end(),
                             [](const Wrong& a, const Wrong& b) { return a.amount < b.amount; })};
}

}  // namespace

OneSidedSolution solve_one_sided(const ContactProblem& problem, const std::vector<OneSidedContact>& contacts,
                                 const SolveOptions& options, int max_rounds) {
  check_contacts(problem, contacts);
  const int d = problem.dimension();
  OneSidedSolution result;
  result.laws = problem.laws();
  for (const OneSidedContact& c : contacts)
    take_side(result.laws[c.contact], c.friction,
              problem.b()[c.contact * d + 1] + problem.law(c.contact).shift[1]);
  Eigen::VectorXd guess = Eigen::VectorXd::Zero(problem.b().size());
  for (;;) {
    result.solution = solve(with_laws(problem, result.laws), guess, options);
    ++result.rounds;
    std::vector<Wrong> wrong = wrong_sides(contacts, result.laws, result.solution, d);
    if (wrong.empty() || result.rounds >= max_rounds) {
      for (const Wrong& w : wrong) result.inconsistent.push_back(w.contact->contact);
      return result;
    }
    if (2 * result.rounds >= max_rounds) keep_worst(wrong);
    for (const Wrong& w : wrong) take_side(result.laws[w.contact->contact], w.contact->friction, w.sliding);
    guess = result.solution.r;
  }
}

}  // namespace capstan
