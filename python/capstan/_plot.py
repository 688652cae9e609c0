"""Pictures, if matplotlib is there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._core import InputError

if TYPE_CHECKING:
    from ._problem import Problem
    from ._solution import Solution


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError:
        raise ImportError("plots need matplotlib: pip install 'capstan[plot]'") from None
    return pyplot.gca()


def plot_sparsity(problem: Problem, ax: Any) -> Any:
    from scipy.sparse import csr_array

    ax = _axes(ax)
    W = problem.W
    n = problem.contacts
    blocks = csr_array((np.ones(len(W.indices)), W.indices, W.indptr), shape=(n, n))
    ax.spy(blocks, markersize=max(0.2, min(6.0, 250.0 / max(n, 1))), color="tab:blue")
    ax.set_xlabel("contact")
    ax.set_ylabel("contact")
    ax.set_title(f"{problem.info.title or 'W'}: {n} contacts, {blocks.nnz} blocks")
    return ax


def plot_convergence(solution: Solution, ax: Any, over: str, line: dict[str, Any]) -> Any:
    if over not in ("iterations", "seconds"):
        raise InputError(f"over: is {over!r}, expected 'iterations' or 'seconds'")
    ax = _axes(ax)
    history = solution.history
    x = history.iterations if over == "iterations" else history.seconds
    positive = history.values > 0  # an exact answer has no place on a logarithmic axis
    ax.semilogy(x[positive], history.values[positive], **{"label": solution.solver, **line})
    ax.set_xlabel(over)
    ax.set_ylabel("error")
    return ax
