"""Solving: one problem, or many small ones at a time."""

from __future__ import annotations

import difflib
import math
import time
from collections.abc import Iterable, Mapping
from typing import Any, Callable, NamedTuple, Optional, Union, overload

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._arrays import Floats, array_of, check_finite, check_shape, float_of, int_of, vector_of
from ._core import InputError
from ._laws import as_laws, core_laws
from ._problem import LawsLike, Problem, check_form, find_dimension, shape_if_given
from ._solution import BatchSolution, Certificate, Solution, certificate_from, solution_from

OnJudged = Callable[[int, float, float], Optional[bool]]


class SolverInfo(NamedTuple):
    """A solver that solve() knows by name."""

    name: str
    summary: str
    default_iterations: int
    """What max_iterations=0 stands for."""


def solvers() -> list[SolverInfo]:
    """Every solver, with a line of explanation.

    >>> import capstan
    >>> [s.name for s in capstan.solvers()][:4]
    ['auto', 'resting', 'clusters', 'working_set']
    """
    return [SolverInfo(*line) for line in _core.solvers()]


def _options(
    solver: str,
    measure: str,
    tolerance: float,
    max_iterations: int,
    time_limit: float,
    most_direct_rows: Optional[int],
) -> _core.Options:
    options = _core.Options()
    for name, value in (("solver", solver), ("measure", measure)):
        if not isinstance(value, str):
            raise TypeError(f"{name}: is {value!r}, expected a str")
    try:
        options.solver = solver
    except InputError:
        near = difflib.get_close_matches(solver, [line.name for line in solvers()], 1)
        hint = f"; did you mean '{near[0]}'?" if near else ""
        raise InputError(f"solver: there is no '{solver}'{hint} (capstan.solvers() lists them)") from None
    options.measure = measure
    options.tolerance = float_of("tolerance", tolerance)
    options.max_iterations = int_of("max_iterations", max_iterations)
    options.time_limit = float_of("time_limit", time_limit)
    if most_direct_rows is not None:
        options.most_direct_rows = int_of("most_direct_rows", most_direct_rows)
    return options


def _check_nothing_beside(what: str, parts: Mapping[str, Any]) -> None:
    for name, value in parts.items():
        if value is not None:
            raise InputError(f"{name}: has no place beside {what}")


def _problem(
    W: Any, b: Any, mu: Any, M: Any, f: Any, H: Any, w: Any, laws: LawsLike, dimension: Optional[int]
) -> Problem:
    """The problem given as a whole, or made from its parts."""
    if not isinstance(W, Problem):
        return Problem(W, b, mu, M=M, f=f, H=H, w=w, laws=laws, dimension=dimension)
    parts = {"b": b, "mu": mu, "M": M, "f": f, "H": H, "w": w, "laws": laws, "dimension": dimension}
    _check_nothing_beside("a whole problem", parts)
    return W


def _impulses(name: str, value: ArrayLike, problem: Problem) -> Floats:
    r = vector_of(name, value, problem.dimension * problem.contacts, "an impulse a contact and axis")
    check_finite(name, r)
    return r


def solve(
    W: Any = None,
    b: Optional[ArrayLike] = None,
    mu: Optional[ArrayLike] = None,
    *,
    M: Any = None,
    f: Optional[ArrayLike] = None,
    H: Any = None,
    w: Optional[ArrayLike] = None,
    laws: LawsLike = None,
    dimension: Optional[int] = None,
    solver: str = "auto",
    measure: str = "error",
    tolerance: float = 1e-6,
    max_iterations: int = 0,
    time_limit: float = math.inf,
    threads: int = 0,
    guess: Optional[ArrayLike] = None,
    most_direct_rows: Optional[int] = None,
    on_judged: Optional[OnJudged] = None,
) -> Solution:
    """Finds the impulses of exact friction: solve(W, b, mu), solve(M=, f=, H=, w=, mu=) or solve(problem).

    The problem is described at Problem. Other Python threads run meanwhile. An answer that is not within the
    tolerance is no exception: its status says so. Ctrl-C stops a solve.

        solver            a name from solvers()
        measure           what the tolerance is held against: 'error' or 'natural_map'
        max_iterations    0: the solver's own
        time_limit        seconds
        threads           0: one a core; the answer does not depend on it, to the last bit
        guess             impulses to start from
        most_direct_rows  rows up to which auto may factorise all of a problem that resists; None: the default
        on_judged         called with (iteration, value, seconds) of every iterate that is judged, from any
                          thread; returns False to stop

    A block of 1 kg on a slope of 30 degrees, over a step of 0.1 s, friction 0.3: it slides, and gains
    g dt (sin 30 - 0.3 cos 30).

    >>> import capstan
    >>> import numpy as np
    >>> g, dt, a = 9.81, 0.1, np.radians(30)
    >>> b = g * dt * np.array([-np.cos(a), np.sin(a), 0])
    >>> solution = capstan.solve(np.eye(3), b, mu=0.3)
    >>> solution.converged, solution.states.tolist()
    (True, ['slide'])
    >>> bool(abs(solution.u[1] - g * dt * (np.sin(a) - 0.3 * np.cos(a))) < 1e-6)
    True

    The same with its mass matrix, momenta and contact Jacobian; v is the velocity of the block:

    >>> solution = capstan.solve(M=np.eye(3), f=b, H=np.eye(3), mu=0.3)
    >>> print(solution.v.round(4))
    [0.     0.2356 0.    ]
    """
    options = _options(solver, measure, tolerance, max_iterations, time_limit, most_direct_rows)
    if on_judged is not None and not callable(on_judged):
        raise TypeError(f"on_judged: is {on_judged!r}, expected a function")
    problem = _problem(W, b, mu, M, f, H, w, laws, dimension)
    first = None if guess is None else _impulses("guess", guess, problem)
    return solution_from(_core.solve(problem._core, options, int_of("threads", threads), first, on_judged))


def certify(
    W: Any = None,
    b: Optional[ArrayLike] = None,
    mu: Optional[ArrayLike] = None,
    *,
    r: ArrayLike,
    M: Any = None,
    f: Optional[ArrayLike] = None,
    H: Any = None,
    w: Optional[ArrayLike] = None,
    laws: LawsLike = None,
    dimension: Optional[int] = None,
) -> Certificate:
    """Judges impulses r, whoever computed them; the problem is given as for solve().

    >>> import capstan
    >>> import numpy as np
    >>> print(capstan.certify(np.eye(3), [-1, 0, 0], 0.5, r=[1, 0, 0]).error)
    0.0
    >>> print(capstan.certify(np.eye(3), [-1, 0, 0], 0.5, r=[0, 0, 0]).error)  # doing nothing
    1.0
    """
    problem = _problem(W, b, mu, M, f, H, w, laws, dimension)
    impulses = vector_of("r", r, problem.dimension * problem.contacts, "an impulse a contact and axis")
    return certificate_from(_core.certify(problem._core, impulses))


@overload
def solve_batch(
    W: Iterable[Problem],
    *,
    solver: str = "auto",
    measure: str = "error",
    tolerance: float = 1e-6,
    max_iterations: int = 0,
    time_limit: float = math.inf,
    threads: int = 0,
    most_direct_rows: Optional[int] = None,
) -> list[Solution]: ...


@overload
def solve_batch(
    W: Optional[ArrayLike] = None,
    b: Optional[ArrayLike] = None,
    mu: Optional[ArrayLike] = None,
    *,
    M: Optional[ArrayLike] = None,
    f: Optional[ArrayLike] = None,
    H: Optional[ArrayLike] = None,
    w: Optional[ArrayLike] = None,
    laws: LawsLike = None,
    dimension: Optional[int] = None,
    solver: str = "auto",
    measure: str = "error",
    tolerance: float = 1e-6,
    max_iterations: int = 0,
    time_limit: float = math.inf,
    threads: int = 0,
    guess: Optional[ArrayLike] = None,
    most_direct_rows: Optional[int] = None,
) -> BatchSolution: ...


def solve_batch(
    W: Any = None,
    b: Optional[ArrayLike] = None,
    mu: Optional[ArrayLike] = None,
    *,
    M: Optional[ArrayLike] = None,
    f: Optional[ArrayLike] = None,
    H: Optional[ArrayLike] = None,
    w: Optional[ArrayLike] = None,
    laws: LawsLike = None,
    dimension: Optional[int] = None,
    solver: str = "auto",
    measure: str = "error",
    tolerance: float = 1e-6,
    max_iterations: int = 0,
    time_limit: float = math.inf,
    threads: int = 0,
    guess: Optional[ArrayLike] = None,
    most_direct_rows: Optional[int] = None,
) -> Union[BatchSolution, list[Solution]]:
    """Solves many problems side by side; each answer is that of solve(), to the last bit.

    Problems of the same size as stacked arrays, the problem first: W (k, d n, d n) and b (k, d n), or M (k,
    dofs, dofs), f (k, dofs), H (k, d n, dofs), w (k, d n). mu and the laws are given once for all, for every
    contact of a problem, or for all problems: a number, (n,), (k, n) or (k, n, d - 1). guess: (k, d n). The
    other options are those of solve(); time_limit is for each problem. Returns a BatchSolution.

    >>> import capstan
    >>> import numpy as np
    >>> b = np.array([[-1.0, 0.2, 0], [-1.0, 2.0, 0], [1.0, 0, 0]])
    >>> solution = capstan.solve_batch(np.stack([np.eye(3)] * 3), b, mu=0.5)
    >>> print(solution.states.ravel())
    ['stick' 'slide' 'open']

    Or any problems, as a list of Problem. Returns a list of Solution.

    >>> [s.status for s in capstan.solve_batch([capstan.sample("slope"), capstan.sample("stack_3")])]
    ['converged', 'converged']
    """
    options = _options(solver, measure, tolerance, max_iterations, time_limit, most_direct_rows)
    threads = int_of("threads", threads)
    if isinstance(W, Iterable) and not hasattr(W, "__array__"):
        W = list(W)
        if all(isinstance(problem, Problem) for problem in W):
            parts = {"b": b, "mu": mu, "M": M, "f": f, "H": H, "w": w, "laws": laws, "dimension": dimension}
            _check_nothing_beside("whole problems", {**parts, "guess": guess})
            return [solution_from(s) for s in _core.solve_problems([p._core for p in W], options, threads)]
    check_form({"W": W, "b": b}, {"M": M, "f": f, "H": H, "w": w})
    start = time.perf_counter()
    if W is not None:
        answers = _solve_reduced(W, b, mu, laws, dimension, options, threads, guess)
    else:
        answers = _solve_with_mass(M, f, H, w, mu, laws, dimension, options, threads, guess)
    return BatchSolution(**answers, seconds=time.perf_counter() - start)


def _stacked(name: str, value: Any, shape: tuple[int, ...], why: str) -> Floats:
    array = array_of(name, value, len(shape))
    check_shape(name, array.shape, shape, why)
    return array


def _batch_dimension(
    rows: int, matrix: str, mu: Any, laws: LawsLike, given: Optional[int]
) -> tuple[int, int]:
    """As for one problem; mu may have the problem in front."""
    shape = shape_if_given("mu", mu)
    contacts = None if not shape else shape[0] if len(shape) == 1 else shape[1]
    return find_dimension(rows, matrix, contacts, as_laws(laws), given)


def _guesses(guess: Any, count: int, rows: int) -> Optional[Floats]:
    if guess is None:
        return None
    array = _stacked("guess", guess, (count, rows), "impulses, one row a problem")
    check_finite("guess", array)
    return array


def _solve_reduced(
    W: Any,
    b: Any,
    mu: Any,
    laws: LawsLike,
    dimension: Optional[int],
    options: _core.Options,
    threads: int,
    guess: Any,
) -> dict[str, Any]:
    W = array_of("W", W, 3)
    count, rows, columns = W.shape
    check_shape("W", W.shape, (count, rows, rows), "squares")
    d, contacts = _batch_dimension(rows, "W", mu, laws, dimension)
    b = _stacked("b", b, (count, rows), "one row a problem of W")
    each = core_laws(mu, as_laws(laws), (count, contacts), d)
    return _core.solve_delassus(d, W, b, each, options, threads, _guesses(guess, count, rows))


def _solve_with_mass(
    M: Any, f: Any, H: Any, w: Any, mu: Any, laws: LawsLike, dimension: Optional[int],
    options: _core.Options, threads: int, guess: Any,
) -> dict[str, Any]:  # fmt: skip
    M, H = array_of("M", M, 3), array_of("H", H, 3)
    count, dofs = M.shape[:2]
    check_shape("M", M.shape, (count, dofs, dofs), "squares")
    rows = H.shape[1]
    check_shape("H", H.shape, (count, rows, dofs), "as many problems and columns as M has")
    d, contacts = _batch_dimension(rows, "H", mu, laws, dimension)
    f = _stacked("f", f, (count, dofs), "one row a problem of M")
    w = np.zeros((count, rows)) if w is None else _stacked("w", w, (count, rows), "one row a problem of H")
    each = core_laws(mu, as_laws(laws), (count, contacts), d)
    return _core.solve_mass(d, M, f, H, w, each, options, threads, _guesses(guess, count, rows))
