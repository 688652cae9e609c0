"""Capstan: exact dry friction.

solve() finds the impulses of a contact problem with Coulomb friction, from numpy and scipy.sparse;
solve_batch() those of many small ones; certify() judges anybody's. load() reads problems of FCLib and
Siconos, sample() makes some.

>>> import capstan
>>> problem = capstan.sample("wall_8")
>>> solution = capstan.solve(problem, tolerance=1e-8)
>>> solution.converged, solution.r.shape, solution.error < 1e-8
(True, (1632,), True)
"""

from ._core import InputError
from ._core import version as __version__
from ._laws import Laws
from ._problem import Problem, ProblemInfo, Sample, StoredSolution, load, sample, samples
from ._solution import BatchSolution, Certificate, History, Solution
from ._solve import SolverInfo, certify, solve, solve_batch, solvers

InputError.__module__ = "capstan"  # where users find it

__all__ = [
    "BatchSolution",
    "Certificate",
    "History",
    "InputError",
    "Laws",
    "Problem",
    "ProblemInfo",
    "Sample",
    "Solution",
    "SolverInfo",
    "StoredSolution",
    "__version__",
    "certify",
    "load",
    "sample",
    "samples",
    "solve",
    "solve_batch",
    "solvers",
]
