"""Capstan: exact dry friction.

solve() finds the impulses of a contact problem with Coulomb friction, from numpy and scipy.sparse;
solve_batch() those of many small ones; certify() judges anybody's. load() reads problems of FCLib and
Siconos, sample() makes some.

Simulation simulates a scene step by step, with all its bodies as numpy arrays; load_record() reads what a run
has left.

>>> import capstan
>>> problem = capstan.sample("wall_8")
>>> solution = capstan.solve(problem, tolerance=1e-8)
>>> solution.converged, solution.r.shape, solution.error < 1e-8
(True, (1632,), True)
"""

from ._bodies import Obstacles, RigidBodies, SoftBodies, SoftBody, Strands
from ._core import InputError
from ._core import version as __version__
from ._laws import Laws
from ._picture import write_png
from ._problem import Problem, ProblemInfo, Sample, StoredSolution, load, sample, samples
from ._record import Frame, Record, RecordedContacts, load_record
from ._scene import to_toml
from ._simulation import Contacts, Energy, Simulation, StepReport
from ._solution import BatchSolution, Certificate, History, Solution
from ._solve import SolverInfo, certify, solve, solve_batch, solvers

InputError.__module__ = "capstan"  # where users find it

__all__ = [
    "BatchSolution",
    "Certificate",
    "Contacts",
    "Energy",
    "Frame",
    "History",
    "InputError",
    "Laws",
    "Obstacles",
    "Problem",
    "ProblemInfo",
    "Record",
    "RecordedContacts",
    "RigidBodies",
    "Sample",
    "Simulation",
    "SoftBodies",
    "SoftBody",
    "Solution",
    "SolverInfo",
    "StepReport",
    "StoredSolution",
    "Strands",
    "__version__",
    "certify",
    "load",
    "load_record",
    "sample",
    "samples",
    "solve",
    "solve_batch",
    "solvers",
    "to_toml",
    "write_png",
]
