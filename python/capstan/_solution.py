"""Answers, and what can be said of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray

from ._arrays import Floats

_STATES = np.array(["open", "stick", "slide"])
_STATUSES = np.array(["converged", "iteration_limit", "stalled", "no_solution"])


@dataclass(frozen=True, repr=False, eq=False)
class Certificate:
    """How good impulses are, computed from the problem as given and from nothing else (docs/solver.md).

    A worst_... is the number of the contact where it is worst, -1 if there is none.
    """

    error: float
    """1 is no better than doing nothing, 0 is exact; the same in any units."""
    worst_contact: int
    penetration_velocity: float
    """Largest -(u + s)_N, m/s."""
    worst_penetration: int
    cone_violation: float
    """How far an impulse leaves its friction cone, N s."""
    worst_cone: int
    dissipation_defect: float
    """Friction that does not dissipate all it should, J."""
    worst_dissipation: int
    natural_map_error: float
    """As Siconos measures it; depends on units, as the next two."""
    fischer_burmeister: float
    alart_curnier: float
    open: int
    """Number of contacts that are open, that stick, that slide."""
    stick: int
    slide: int
    state_codes: NDArray[np.uint8]
    """A number a contact: 0 open, 1 stick, 2 slide."""

    @property
    def states(self) -> NDArray[np.str_]:
        """A word a contact: 'open', 'stick' or 'slide'."""
        return _STATES[self.state_codes]

    def __repr__(self) -> str:
        return (
            f"<capstan.Certificate: error {self.error:.2g} at contact {self.worst_contact}, "
            f"penetration {self.penetration_velocity:.2g} m/s, cone {self.cone_violation:.2g} N s, "
            f"dissipation {self.dissipation_defect:.2g} J, "
            f"{self.open} open, {self.stick} stick, {self.slide} slide>"
        )


class History(NamedTuple):
    """Every iterate that was judged, of the largest island."""

    iterations: NDArray[np.int32]
    values: Floats
    """Of the measure."""
    seconds: Floats


@dataclass(frozen=True, repr=False, eq=False)
class Solution:
    """Impulses, velocities, and what can be said of them.

    >>> import capstan
    >>> capstan.sample("slope_sliding").solve()
    <capstan.Solution: converged, error ... after ... iterations of auto; 0 open, 0 stick, 4 slide; ... ms>
    """

    r: Floats
    """Impulses, N s."""
    u: Floats
    """Relative velocities, m/s."""
    v: Optional[Floats]
    """Generalised velocities; None for a problem given as W and b."""
    status: str
    """'converged': the error is within the tolerance. Otherwise r is the best that was found:
    'iteration_limit' (or out of time, or told to stop), 'stalled', or 'no_solution': a contact was shown to
    have none."""
    solver: str
    iterations: int
    """Of the island that took most."""
    islands: int
    """Groups of contacts that do not feel each other."""
    certificate: Certificate
    history: History
    local_solves: int
    """Calls to the local solver of gs:...; then calls of its fail-safe, and what both could not solve."""
    local_fallbacks: int
    local_failures: int
    seconds_setup: float
    seconds_solve: float

    @property
    def converged(self) -> bool:
        return self.status == "converged"

    @property
    def error(self) -> float:
        """Of the certificate: 1 is no better than doing nothing, 0 is exact."""
        return self.certificate.error

    @property
    def states(self) -> NDArray[np.str_]:
        """A word a contact: 'open', 'stick' or 'slide'."""
        return self.certificate.states

    @property
    def seconds(self) -> float:
        """Of setup and solve together."""
        return self.seconds_setup + self.seconds_solve

    def plot_convergence(self, ax: Any = None, over: str = "iterations", **line: Any) -> Any:
        """Draws the error over the iterations or the seconds; `line` goes to matplotlib, which it needs.

        Returns the axes.
        """
        from ._plot import plot_convergence

        return plot_convergence(self, ax, over, line)

    def __repr__(self) -> str:
        c = self.certificate
        return (
            f"<capstan.Solution: {self.status}, error {self.error:.2g} after {self.iterations} iterations of "
            f"{self.solver}; {c.open} open, {c.stick} stick, {c.slide} slide; {1e3 * self.seconds:.3g} ms>"
        )


def certificate_from(parts: dict[str, Any]) -> Certificate:
    return Certificate(**parts)


def solution_from(parts: dict[str, Any]) -> Solution:
    parts["certificate"] = Certificate(**parts["certificate"])
    parts["history"] = History(**parts["history"])
    return Solution(**parts)


@dataclass(frozen=True, repr=False, eq=False)
class BatchSolution:
    """Answers to a batch of problems of the same size, one row a problem."""

    r: Floats
    """Impulses, N s: (problems, d n)."""
    u: Floats
    """Relative velocities, m/s: (problems, d n)."""
    v: Optional[Floats]
    """Generalised velocities: (problems, dofs); None for problems given as W and b."""
    error: Floats
    """Of the certificates: (problems,)."""
    iterations: NDArray[np.int32]
    status_codes: NDArray[np.uint8]
    """0 converged, 1 iteration_limit, 2 stalled, 3 no_solution."""
    state_codes: NDArray[np.uint8]
    """(problems, n): 0 open, 1 stick, 2 slide."""
    seconds: float
    """For all of them together."""

    @cached_property
    def converged(self) -> NDArray[np.bool_]:
        return np.equal(self.status_codes, 0)

    @property
    def status(self) -> NDArray[np.str_]:
        """As of Solution, one a problem."""
        return _STATUSES[self.status_codes]

    @property
    def states(self) -> NDArray[np.str_]:
        """A word a contact: 'open', 'stick' or 'slide'."""
        return _STATES[self.state_codes]

    def __len__(self) -> int:
        return len(self.error)

    def __repr__(self) -> str:
        contacts = self.state_codes.shape[1]
        rate = self.state_codes.size / self.seconds if self.seconds > 0 else 0.0
        worst = self.error.max() if len(self) else 0.0
        return (
            f"<capstan.BatchSolution: {int(self.converged.sum())} of {len(self)} problems of "
            f"{contacts} contacts converged, worst error {worst:.2g}; "
            f"{1e3 * self.seconds:.3g} ms, {rate:.3g} contacts/s>"
        )
