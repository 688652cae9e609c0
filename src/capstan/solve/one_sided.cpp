#include "capstan/solve/one_sided.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "capstan/errors.hpp"

namespace capstan {
namespace {

void check_contacts(const ContactProblem& problem, const std::vector<OneSidedContact>& contacts) {
  for (const OneSidedContact& c : contacts)
    if (c.contact < 0 || c.contact >= problem.contacts())
      throw InputError("one-sided friction: contact " + std::to_string(c.contact) + ", expected 0 to " +
                       std::to_string(problem.contacts() - 1));
  if (problem.dimension() < 3)
    throw InputError("one-sided friction: a problem of dimension 2 has no second tangent, expected 3 or 4");
}

void take_side(ContactLaw& law, const OrientedFriction& friction, double sliding) {
  law.friction = one_sided_law(friction, sliding).friction;
}

/// A contact whose impulse belongs to the other half.
struct Wrong {
  const OneSidedContact* contact;
  double sliding;  ///< N s, > 0 along t
};

/// u_t/W_tt - r_t, N s: under either half both terms have one sign, and the half is the one of that sign. The
/// velocity decides where a half has no friction, the impulse where the contact sticks. 0 for an open
/// contact, and where it is so small beside r_N that both halves are right to the tolerance.
double sense_of_sliding(const ContactProblem& problem, int contact, const Solution& solution,
                        double tolerance) {
  const int row = contact * problem.dimension();
  const ContactLaw& law = problem.law(contact);
  const auto velocity = [&](int k) { return solution.u[row + k] + law.shift[k]; };
  const auto impulse = [&](int k) { return solution.r[row + k] + law.traction[k] * velocity(k); };
  const double W_tt = problem.diagonal(contact)(1, 1);
  const double sliding = (W_tt > 0 ? velocity(1) / W_tt : 0) - impulse(1);
  return impulse(0) <= 0 || std::abs(sliding) <= tolerance * impulse(0) ? 0 : sliding;
}

std::vector<Wrong> wrong_sides(const ContactProblem& problem, const std::vector<OneSidedContact>& contacts,
                               const Solution& solution, double tolerance) {
  std::vector<Wrong> wrong;
  for (const OneSidedContact& c : contacts) {
    const double sliding = sense_of_sliding(problem, c.contact, solution, tolerance);
    const double mu = one_sided_law(c.friction, sliding).friction[0];
    if (sliding != 0 && mu != problem.law(c.contact).friction[0]) wrong.push_back({&c, sliding});
  }
  return wrong;
}

void keep_worst(std::vector<Wrong>& wrong) {
  wrong = {*std::max_element(wrong.begin(), wrong.end(), [](const Wrong& a, const Wrong& b) {
    return std::abs(a.sliding) < std::abs(b.sliding);
  })};
}

}  // namespace

OneSidedSolution solve_one_sided(const ContactProblem& problem, const std::vector<OneSidedContact>& contacts,
                                 const Eigen::VectorXd& first_guess, const SolveOptions& options,
                                 std::span<const BoxContact> boxes, int max_rounds) {
  check_contacts(problem, contacts);
  const int d = problem.dimension();
  std::vector<ContactLaw> laws = problem.laws();
  for (const OneSidedContact& c : contacts) {
    const double guessed = first_guess[c.contact * d + 1];
    const double free = problem.b()[c.contact * d + 1] + problem.law(c.contact).shift[1];
    take_side(laws[c.contact], c.friction, guessed != 0 ? -guessed : free);
  }
  OneSidedSolution result{problem, {}, 0, {}};
  double work = 0;  // of all rounds
  result.solution.r = first_guess;
  for (;;) {
    result.problem = problem.with_laws(laws);
    SolveOptions rest = options;
    rest.work_limit = std::max(options.work_limit - work, 0.01 * options.work_limit);
    result.solution = solve_box(result.problem, boxes, result.solution.r, rest);
    work = result.solution.report.work += work;
    ++result.rounds;
    std::vector<Wrong> wrong = wrong_sides(result.problem, contacts, result.solution, options.tolerance);
    if (wrong.empty()) return result;
    if (result.rounds >= max_rounds || work >= options.work_limit) {
      for (const Wrong& w : wrong) result.inconsistent.push_back(w.contact->contact);
      Status& status = result.solution.report.status;
      if (status == Status::converged) status = Status::stalled;
      return result;
    }
    if (2 * result.rounds >= max_rounds) keep_worst(wrong);
    for (const Wrong& w : wrong) take_side(laws[w.contact->contact], w.contact->friction, w.sliding);
  }
}

OneSidedSolution solve_one_sided(const ContactProblem& problem, const std::vector<OneSidedContact>& contacts,
                                 const SolveOptions& options, int max_rounds) {
  return solve_one_sided(problem, contacts, Eigen::VectorXd::Zero(problem.b().size()), options, {},
                         max_rounds);
}

}  // namespace capstan
