#include "bench/siconos_peer.hpp"

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsVerbose.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "capstan/errors.hpp"
#include "capstan/executor.hpp"
#include "capstan/solve/certificate.hpp"

namespace capstan::bench {
namespace {

using Clock = std::chrono::steady_clock;

void check_expressible(const ContactProblem& problem) {
  if (problem.dimension() != 3) throw InputError("siconos takes dimension 3 only");
  for (const ContactLaw& law : problem.laws())
    if (law.has_traction() || !law.is_isotropic(3)) throw InputError("siconos takes Coulomb's law only");
}

/// A view of W as Siconos stores blocks; W must outlive it.
class BlockView {
 public:
  explicit BlockView(const BlockMatrix& W) : rows_(W.rows()) {
    for (int row = 0; row < W.rows(); ++row) {
      sizes_.push_back(3 * (unsigned(row) + 1));
      row_start_.push_back(std::size_t(W.row_begin(row)));
      diagonal_.push_back(unsigned(W.diagonal(row)));
    }
    row_start_.push_back(std::size_t(W.blocks()));
    for (int k = 0; k < W.blocks(); ++k) {
      columns_.push_back(std::size_t(W.column(k)));
      blocks_.push_back(const_cast<double*>(W.values(k)));
    }
    matrix_.nbblocks = unsigned(W.blocks());
    matrix_.block = blocks_.data();
    matrix_.blocknumber0 = matrix_.blocknumber1 = unsigned(rows_);
    matrix_.blocksize0 = matrix_.blocksize1 = sizes_.data();
    matrix_.filled1 = row_start_.size();
    matrix_.filled2 = columns_.size();
    matrix_.index1_data = row_start_.data();
    matrix_.index2_data = columns_.data();
    matrix_.diagonal_blocks = diagonal_.data();
    numerics_ = NM_new_SBM(3 * rows_, 3 * rows_, &matrix_);
  }
  ~BlockView() {
    numerics_->matrix1 = nullptr;  // ours
    NM_clear(numerics_);
    std::free(numerics_);
  }
  BlockView(const BlockView&) = delete;
  BlockView& operator=(const BlockView&) = delete;
  NumericsMatrix* get() { return numerics_; }

 private:
  int rows_;
  std::vector<unsigned> sizes_, diagonal_;
  std::vector<std::size_t> row_start_, columns_;
  std::vector<double*> blocks_;
  SparseBlockStructuredMatrix matrix_ = {};
  NumericsMatrix* numerics_;
};

struct Method {
  int id;
  /// Iterations of the first call; each later call has twice as many. Siconos has no limit of time: a method
  /// without memory, which Gauss-Seidel is, can be called again from where it stopped. 0: one call only,
  /// because a restart throws away what the method has learnt (the multipliers and the penalty of ADMM: 2.5
  /// times slower on spheres_50).
  int first_call;
  /// Gauss-Seidel: look at the natural map itself, as we do. Siconos' own default looks at the change of r
  /// and goes on far beyond the tolerance (3311 sweeps instead of 200 on Capsules-i100-889).
  bool full_error;
};

PeerAnswer run_siconos(const Method& method, const ContactProblem& problem, const PeerLimits& limits) {
  check_expressible(problem);
  const auto start = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  const BlockMatrix assembled =
      problem.has_mass() ? assemble_delassus(problem.mass(), problem.H(), serial_executor()) : BlockMatrix();
  BlockView W(problem.has_mass() ? assembled : problem.W());
  Eigen::VectorXd q = problem.b(), mu(problem.contacts()), u = Eigen::VectorXd::Zero(q.size());
  for (int i = 0; i < problem.contacts(); ++i) {
    q.segment<3>(3 * i) += problem.law(i).shift.head<3>();
    mu[i] = problem.law(i).friction[0];
  }
  FrictionContactProblem siconos = {3, problem.contacts(), W.get(), q.data(), mu.data()};
  numerics_set_verbose(0);
  const std::unique_ptr<SolverOptions, void (*)(SolverOptions*)> options(solver_options_create(method.id),
                                                                         [](SolverOptions* o) {
                                                                           solver_options_delete(o);
                                                                           std::free(o);
                                                                         });
  if (method.full_error)
    options->iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] =
        SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_FULL;
  PeerAnswer answer;
  answer.r = Eigen::VectorXd::Zero(q.size());
  int chunk = method.first_call > 0 ? method.first_call : limits.max_iterations;
  double tolerance = limits.tolerance;
  while (answer.iterations < limits.max_iterations) {
    options->iparam[SICONOS_IPARAM_MAX_ITER] = std::min(chunk, limits.max_iterations - answer.iterations);
    options->iparam[SICONOS_IPARAM_ITER_DONE] = 0;
    options->dparam[SICONOS_DPARAM_TOL] = tolerance;
    const int failed = fc3d_driver(&siconos, answer.r.data(), u.data(), options.get());
    const int done = options->iparam[SICONOS_IPARAM_ITER_DONE];
    answer.iterations += done;
    if (done == 0 || method.first_call == 0 || elapsed() > limits.time_limit || !answer.r.allFinite()) break;
    if (failed == 0) {
      // Siconos 4.4 divides the natural map by more than |q|, so it stops early: ask for what is still
      // missing.
      const double reached = certify(problem, answer.r).natural_map_error;
      if (reached <= limits.tolerance) break;
      tolerance *= 0.9 * limits.tolerance / reached;
    }
    chunk = std::min(2 * chunk, limits.max_iterations);
  }
  answer.seconds = elapsed();
  if (!answer.r.allFinite()) answer.r.setZero();
  return answer;
}

Peer peer(const std::string& name, const std::string& summary, int iterations, Method method) {
  return {name, "Siconos: " + summary, iterations,
          [method, iterations](const ContactProblem& problem, PeerLimits limits) {
            if (limits.max_iterations == 0) limits.max_iterations = iterations;
            return run_siconos(method, problem, limits);
          }};
}

}  // namespace

std::vector<Peer> siconos_peers() {
  return {peer("siconos_nsgs", "non-smooth Gauss-Seidel, stopped by the natural map", 1000000,
               {SICONOS_FRICTION_3D_NSGS, 1000, true}),
          peer("siconos_nsgs_default", "the same with Siconos' own stopping rule", 1000000,
               {SICONOS_FRICTION_3D_NSGS, 1000, false}),
          peer("siconos_nsn_ac", "non-smooth Newton on Alart-Curnier", 2000,
               {SICONOS_FRICTION_3D_NSN_AC, 0, false}),
          peer("siconos_nsn_fb", "non-smooth Newton on Fischer-Burmeister", 2000,
               {SICONOS_FRICTION_3D_NSN_FB, 0, false}),
          peer("siconos_prox", "proximal point", 1000, {SICONOS_FRICTION_3D_PROX, 0, false}),
          peer("siconos_admm", "alternating directions of multipliers", 100000,
               {SICONOS_FRICTION_3D_ADMM, 0, false})};
}

}  // namespace capstan::bench
