#include "capstan/solve/box_law.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "capstan/errors.hpp"
#include "capstan/solve/local/contact_rows.hpp"
#include "capstan/solve/local/local_solver.hpp"
#include "capstan/solve/momentum.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

constexpr int kBoxSweeps = 10000;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A box in its own axes.
struct BoxAxes {
  int contact;
  Eigen::Matrix3d Q;  ///< columns n, t, b in the contact frame
  Vector3d k;         ///< kg
  Vector3d slip;      ///< along the columns of Q
  Vector3d mu;        ///< the first is not used
  bool pressed;

  double limit(int axis, double r_N) const { return pressed ? mu[axis] * std::max(r_N, 0.0) : kInfinity; }
};

/// The impulse of an axis whose gap is W r + c; the normal is axis 0. [Gascon10, steps 2, 3 and 5 to 7]
double axis_impulse(int axis, double k, double W, double c, double limit) {
  const double spring = -k * c / (1 + k * W);  // (16), d = -c
  if (axis > 0) return std::clamp(spring, -limit, limit);
  return c < 0 && W > 0 ? -c / W : std::min(spring, 0.0);
}

[[noreturn]] void refuse(const BoxContact& box, const std::string& what) {
  throw InputError("box contact " + std::to_string(box.contact) + ": " + what);
}

void check_box(const ContactProblem& problem, const BoxContact& box) {
  if (box.contact < 0 || box.contact >= problem.contacts())
    refuse(box, "expected 0 to " + std::to_string(problem.contacts() - 1));
  const auto fits = [](double k) { return k >= 0 && std::isfinite(k); };
  if (!fits(box.k_N)) refuse(box, "k_N is " + std::to_string(box.k_N) + ", expected a finite number >= 0");
  if (!fits(box.k_T)) refuse(box, "k_T is " + std::to_string(box.k_T) + ", expected a finite number >= 0");
  if (!box.slip.allFinite()) refuse(box, "slip has an entry that is not finite");
  const ContactLaw& law = problem.law(box.contact);
  if (law.has_traction() || !law.shift.isZero(0))
    refuse(box, "its law has a traction or a shift, expected friction alone");
}

void check_boxes(const ContactProblem& problem, std::span<const BoxContact> boxes) {
  if (problem.dimension() < 3)
    throw InputError("box contacts: a problem of dimension 2 has no second tangent, expected 3 or 4");
  std::vector<char> named(problem.contacts(), 0);
  for (const BoxContact& box : boxes) {
    check_box(problem, box);
    if (named[box.contact]++) refuse(box, "is named twice");
  }
}

BoxAxes axes_of(const ContactProblem& problem, const BoxContact& box) {
  const ContactLaw& law = problem.law(box.contact);
  BoxAxes axes{box.contact, Eigen::Matrix3d::Identity(),           {box.k_N, box.k_T, box.k_T},
               box.slip,    {0, law.friction[0], law.friction[1]}, box.pressed};
  const Eigen::Index row = Eigen::Index(box.contact) * problem.dimension();
  const Eigen::Vector2d free = problem.b().segment<2>(row + 1) + box.slip.tail<2>();
  if (law.friction[0] == law.friction[1] && free.norm() > 0) {
    const Eigen::Vector2d t = free.normalized();
    axes.Q.bottomRightCorner<2, 2>() << t[0], -t[1], t[1], t[0];
  }
  axes.slip = axes.Q.transpose() * box.slip;
  return axes;
}

std::vector<BoxAxes> axes_of(const ContactProblem& problem, std::span<const BoxContact> boxes) {
  std::vector<BoxAxes> axes;
  for (const BoxContact& box : boxes) axes.push_back(axes_of(problem, box));
  return axes;
}

/// The problem with these laws at its boxes.
template <class LawOf>
ContactProblem with_box_laws(const ContactProblem& problem, const std::vector<BoxAxes>& boxes,
                             const LawOf& law_of) {
  std::vector<ContactLaw> laws = problem.laws();
  for (const BoxAxes& box : boxes) laws[box.contact] = law_of(box);
  return problem.with_laws(std::move(laws));
}

/// The normal of a box, as a law.
ContactLaw normal_law(const BoxAxes& box) {
  return ContactLaw::frictionless().with_traction({box.k[0], 0, 0, 0}, {box.slip[0], 0, 0, 0});
}

class BoxJudge {
 public:
  BoxJudge(const ContactProblem& problem, std::vector<BoxAxes> boxes, const Executor& executor)
      : boxes_(std::move(boxes)),
        normals_(with_box_laws(problem, boxes_, normal_law)),
        executor_(executor),
        normal_unit_(error_unit(normals_, executor)),
        unit_(normal_unit_) {
    const Eigen::VectorXd masses = contact_masses(normals_);
    for (const BoxAxes& box : boxes_) {
      const double trace = problem.diagonal(box.contact).block(1, 1, 2, 2).trace();
      rho_.push_back(trace > 0 ? 2 / trace : masses[box.contact]);
      const Vector3d free = gap(box, problem.b());
      unit_ = std::max({unit_, tangential_error(box, rho_.back(), Vector3d::Zero(), free),
                        1e-12 * rho_.back() * free.tail<2>().norm()});
    }
  }

  double unit() const { return unit_; }

  Certificate certify(const Eigen::VectorXd& r, const Eigen::VectorXd& u) const {
    const int d = normals_.dimension();
    Eigen::VectorXd normal_part = r;
    for (const BoxAxes& box : boxes_) normal_part.segment<2>(Eigen::Index(box.contact) * d + 1).setZero();
    Certificate c = capstan::certify(normals_, normal_part, u, executor_);
    if (normal_unit_ > 0) c.error *= normal_unit_;
    for (std::size_t k = 0; k < boxes_.size(); ++k) add(boxes_[k], rho_[k], r, u, c);
    if (unit_ > 0) c.error /= unit_;
    return c;
  }

 private:
  Vector3d gap(const BoxAxes& box, const Eigen::VectorXd& u) const {
    return box.Q.transpose() * u.segment<3>(Eigen::Index(box.contact) * normals_.dimension()) + box.slip;
  }

  /// Of r and g in the axes of the box, N s.
  static double tangential_error(const BoxAxes& box, double rho, const Vector3d& r, const Vector3d& g) {
    Eigen::Vector2d residual;
    for (int a = 1; a < 3; ++a)
      residual[a - 1] = r[a] - axis_impulse(a, box.k[a], 1 / rho, g[a] - r[a] / rho, box.limit(a, r[0]));
    const double error = residual.norm();
    return std::isfinite(error) ? error : kInfinity;
  }

  void add(const BoxAxes& box, double rho, const Eigen::VectorXd& r, const Eigen::VectorXd& u,
           Certificate& c) const {
    const Vector3d ri = box.Q.transpose() * r.segment<3>(Eigen::Index(box.contact) * normals_.dimension()),
                   g = gap(box, u);
    const double error = tangential_error(box, rho, ri, g);
    if (error > c.error) {
      c.error = error;
      c.worst_contact = box.contact;
    }
    ContactState& state = c.states[box.contact];  // open, or stick: the normal law knows no sliding
    const auto slides = [&](int a) { return box.k[a] * std::abs(g[a]) > box.limit(a, ri[0]); };
    if (state != ContactState::stick || !(slides(1) || slides(2))) return;
    state = ContactState::slide;
    --c.stick;
    ++c.slide;
  }

  std::vector<BoxAxes> boxes_;
  ContactProblem normals_;  // boxes have their normal law only
  const Executor& executor_;
  double normal_unit_, unit_;
  std::vector<double> rho_;
};

/// A box in canonical variables, in which it is a contact with friction 1: x = r/a, y = a u, a its weight.
struct CanonicalBox {
  const BoxAxes* axes;
  Eigen::Matrix3d W;  ///< of the contact alone, in the axes of the box
  Vector3d k, slip;
};

/// One pass over all contacts: boxes axis by axis, the others exactly.
template <int D, class Rows>
class BoxSweep final : public Sweep {
 public:
  BoxSweep(const CanonicalProblem& problem, const std::vector<BoxAxes>& boxes, double local_tolerance,
           LocalStatistics& statistics, Rows rows)
      : problem_(problem),
        rows_(std::move(rows)),
        box_of_(problem.contacts(), -1),
        tolerance_(local_tolerance),
        statistics_(statistics) {
    for (const BoxAxes& box : boxes) {
      const double a = problem.weight()[box.contact];
      const Eigen::Matrix3d W = problem.diagonal(box.contact).template topLeftCorner<3, 3>();
      box_of_[box.contact] = static_cast<int>(boxes_.size());
      boxes_.push_back({&box, box.Q.transpose() * W * box.Q, box.k / (a * a), a * box.slip});
    }
  }

  void set(const Eigen::VectorXd& x) override { z_ = before_ = x; }
  Eigen::VectorXd get() override { return z_; }
  void recentre(const Eigen::VectorXd&) override {}  // every sweep starts afresh

  SweepSums run(double beta, ContactUpdate) override {
    Eigen::VectorXd x = z_ + beta * (z_ - before_);
    rows_.start(x);
    SweepSums sums;
    for (int i = 0; i < problem_.contacts(); ++i) {
      const cone::Vector<D> old = x.segment<D>(i * D), y = rows_.velocity(i, x);
      const cone::Vector<D> now =
          box_of_[i] >= 0 ? visit_box(boxes_[box_of_[i]], old, y) : visit_cone(i, old, y);
      const cone::Vector<D> change = now - old;
      x.segment<D>(i * D) = now;
      rows_.moved(i, change);
      sums.step += change.squaredNorm();
      sums.alignment += change.dot(now - z_.segment<D>(i * D));
    }
    before_.swap(z_);
    z_.swap(x);
    return sums;
  }

 private:
  static cone::Vector<D> visit_box(const CanonicalBox& box, const cone::Vector<D>& old,
                                   const cone::Vector<D>& y) {
    const BoxAxes& axes = *box.axes;
    Vector3d x = axes.Q.transpose() * old.template head<3>(),
             g = axes.Q.transpose() * y.template head<3>() + box.slip;
    for (int a = 0; a < 3; ++a) {
      const double W_aa = box.W(a, a), before = x[a];
      x[a] = axis_impulse(a, box.k[a], W_aa, g[a] - W_aa * before, axes.limit(a, x[0]));
      g += box.W.col(a) * (x[a] - before);
    }
    cone::Vector<D> result = cone::Vector<D>::Zero();
    result.template head<3>() = axes.Q * x;
    return result;
  }

  cone::Vector<D> visit_cone(int i, const cone::Vector<D>& old, const cone::Vector<D>& y) {
    const cone::Matrix<D> W = problem_.diagonal(i);
    cone::Vector<D> x = old;
    const local::LocalResult result =
        local::solve_local<D>({}, W, y - W * old, x, tolerance_ / problem_.weight()[i]);
    ++statistics_.solves;
    statistics_.fallbacks += result.fell_back;
    statistics_.failures += !result.converged;
    return x;
  }

  const CanonicalProblem& problem_;
  Rows rows_;
  std::vector<CanonicalBox> boxes_;
  std::vector<int> box_of_;  // -1: a cone
  double tolerance_;         // of a local residual, as an impulse
  LocalStatistics& statistics_;
  Eigen::VectorXd z_, before_;
};

/// r and u of x and y = W x + b, without another product with W. On axes without friction there is no
/// impulse, and the velocity does not count: it is set to 0.
void to_physical(const ContactProblem& problem, const CanonicalProblem& canonical, const Eigen::VectorXd& x,
                 const Eigen::VectorXd& y, Eigen::VectorXd& r, Eigen::VectorXd& u) {
  const Eigen::VectorXd& D = canonical.scale();
  r = D.cwiseProduct(x);
  u = (D.array() > 0).select(y.cwiseQuotient(D), 0.0);
  const int d = problem.dimension();
  for (int i = 0; i < problem.contacts(); ++i) {
    const ContactLaw& law = problem.law(i);
    r.segment(i * d, d) -= law.traction.head(d).cwiseProduct(u.segment(i * d, d));
    u.segment(i * d, d) -= law.shift.head(d);
  }
}

std::unique_ptr<Sweep> make_box_sweep(const CanonicalProblem& problem, const std::vector<BoxAxes>& boxes,
                                      Monitor& monitor) {
  const double tolerance = std::min(1e-10, 1e-3 * monitor.tolerance()) * problem.error_unit();
  const auto make = [&]<int D>() {
    return local::with_rows<D>(problem, local::Space::automatic,
                               [&]<class Rows>(Rows rows) -> std::unique_ptr<Sweep> {
                                 return std::make_unique<BoxSweep<D, Rows>>(problem, boxes, tolerance,
                                                                            monitor.local, std::move(rows));
                               });
  };
  return problem.dimension() == 3 ? make.operator()<3>() : make.operator()<4>();
}

}  // namespace

Certificate certify_box(const ContactProblem& problem, std::span<const BoxContact> boxes,
                        const Eigen::VectorXd& r, const Eigen::VectorXd& u, const Executor& executor) {
  check_boxes(problem, boxes);
  return BoxJudge(problem, axes_of(problem, boxes), executor).certify(r, u);
}

Solution solve_box(const ContactProblem& problem, std::span<const BoxContact> boxes,
                   const Eigen::VectorXd& first_guess, const SolveOptions& options) {
  if (boxes.empty()) return solve(problem, first_guess, options);
  check_solve(problem, first_guess, options);
  check_boxes(problem, boxes);
  if (options.measure != Measure::error)
    throw InputError("measure: is natural_map, expected error: box contacts have no other");
  const auto start = std::chrono::steady_clock::now();
  const Executor& executor = options.executor ? *options.executor : serial_executor();
  const std::vector<BoxAxes> axes = axes_of(problem, boxes);
  const BoxJudge judge(problem, axes, executor);
  const auto friction_one = [](const BoxAxes&) { return ContactLaw::coulomb(1); };
  const ContactProblem with_friction_one = with_box_laws(problem, axes, friction_one);
  CanonicalProblem canonical(with_friction_one, executor);
  canonical.set_error_unit(judge.unit() > 0 ? judge.unit() : 1.0);
  Monitor monitor(canonical, {options.measure, options.tolerance, 1.0, options.time_limit, options.work_limit,
                              options.on_judged, [&](const Eigen::VectorXd& x, const Eigen::VectorXd& y) {
                                Eigen::VectorXd r, u;
                                to_physical(with_friction_one, canonical, x, y, r, u);
                                return judge.certify(r, u).error;
                              }});
  Solution solution;
  SolveReport& report = solution.report;
  report.solver = "box_gs";
  report.islands = 1;
  report.seconds_setup = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  Eigen::VectorXd x = canonical.canonical_from_impulse(first_guess);
  const int limit = options.max_iterations > 0 ? options.max_iterations : kBoxSweeps;
  report.status = solve_momentum({canonical, x, monitor, limit, serial_executor()}, {},
                                 [&] { return make_box_sweep(canonical, axes, monitor); });
  report.iterations = monitor.iterations();
  report.work = monitor.work();
  report.local = monitor.local;
  report.history = monitor.history();
  report.seconds_solve = monitor.seconds();
  solution.r = canonical.impulse_from_canonical(monitor.best());
  find_velocities(problem, executor, solution);
  report.certificate = judge.certify(solution.r, solution.u);
  // As in solve(): the certificate has the last word.
  if (report.certificate.error <= options.tolerance)
    report.status = Status::converged;
  else if (report.status == Status::converged)
    report.status = Status::stalled;
  return solution;
}

}  // namespace capstan
