// The innermost operations: what one contact costs.
#include <benchmark/benchmark.h>

#include <Eigen/Geometry>
#include <string>
#include <vector>

#include "capstan/cone/second_order_cone.hpp"
#include "capstan/random.hpp"
#include "capstan/solve/local/local_solver.hpp"

namespace {

using capstan::Random;
using capstan::cone::Matrix;
using capstan::cone::Vector;

struct Contact {
  Matrix<3> W;
  Vector<3> b, x;
};

/// Contacts as a sweep meets them: W of trace 3, some open, some sticking, some sliding.
const std::vector<Contact>& contacts() {
  static const std::vector<Contact> all = [] {
    Random random(1);
    std::vector<Contact> list(1024);
    for (Contact& contact : list) {
      Matrix<3> A;
      for (double& entry : A.reshaped()) entry = random.uniform(-1, 1);
      contact.W = A * A.transpose() + 0.05 * Matrix<3>::Identity();
      contact.W *= 3 / contact.W.trace();
      for (double& entry : contact.b) entry = random.uniform(-1, 0.5);
      for (double& entry : contact.x) entry = random.uniform(0, 0.5);
    }
    return list;
  }();
  return all;
}

template <class F>
void over_contacts(benchmark::State& state, F&& f) {
  std::size_t k = 0;
  for (auto _ : state) {
    f(contacts()[k]);
    k = (k + 1) % contacts().size();
  }
}

void projection(benchmark::State& state) {
  over_contacts(state, [](const Contact& c) { benchmark::DoNotOptimize(capstan::cone::project<3>(c.b)); });
}
BENCHMARK(projection);

void fischer_burmeister(benchmark::State& state) {
  over_contacts(state, [](const Contact& c) {
    benchmark::DoNotOptimize(capstan::cone::fischer_burmeister<3>(c.x, capstan::cone::de_saxce<3>(c.b)));
  });
}
BENCHMARK(fischer_burmeister);

void fischer_burmeister_jacobian(benchmark::State& state) {
  over_contacts(state, [](const Contact& c) {
    benchmark::DoNotOptimize(
        capstan::cone::fischer_burmeister_jacobian<3>(c.x, capstan::cone::de_saxce<3>(c.b)));
  });
}
BENCHMARK(fischer_burmeister_jacobian);

void local_solve(benchmark::State& state, capstan::local::LocalMethod method) {
  over_contacts(state, [method](const Contact& c) {
    Vector<3> x = c.x;
    benchmark::DoNotOptimize(capstan::local::solve_local<3>(method, c.W, c.b, x, 1e-10));
  });
}

}  // namespace

int main(int argc, char** argv) {
  for (const auto& entry : capstan::local::local_methods())
    benchmark::RegisterBenchmark(("local_solve/" + entry.name).c_str(), local_solve, entry.method);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
