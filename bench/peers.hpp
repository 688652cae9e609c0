#pragma once
#include <Eigen/Core>
#include <functional>
#include <string>
#include <vector>

#include "capstan/problem/contact_problem.hpp"

/// Other people's solvers, run in the same process on the same problem, so that times can stand side by side.
namespace capstan::bench {

struct PeerLimits {
  double tolerance;    ///< on the natural map over |b|, which is what Siconos stops at
  int max_iterations;  ///< 0: the peer's default
  double time_limit;   ///< s; only Gauss-Seidel peers can keep it, between calls
};

struct PeerAnswer {
  Eigen::VectorXd r;
  int iterations = 0;
  double seconds = 0;  ///< assembly of the peer's matrix included
};

struct Peer {
  std::string name, summary;
  int default_iterations;
  /// Throws InputError for a problem that the peer cannot express.
  std::function<PeerAnswer(const ContactProblem&, const PeerLimits&)> run;
};

/// Empty if built without Siconos.
std::vector<Peer> peers();

}  // namespace capstan::bench
