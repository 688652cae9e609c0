"""A short example: python -m capstan.examples [FOLDER].

Solves a built-in problem with several solvers, prints a table, and draws how they converge and which contacts
feel each other, if matplotlib is there.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Optional, Sequence

import capstan

SOLVERS = ("auto", "sweep", "gs", "apgd", "anderson", "interior")


def solve_with(problem: capstan.Problem, names: Sequence[str]) -> list[capstan.Solution]:
    """One solution a solver, printed as a table."""
    print(f"{'solver':<10} {'status':<16} {'iterations':>10} {'error':>9} {'seconds':>9}")
    solutions = []
    for name in names:
        s = capstan.solve(problem, solver=name, time_limit=10)
        print(f"{name:<10} {s.status:<16} {s.iterations:>10} {s.error:>9.1e} {s.seconds:>9.4f}")
        solutions.append(s)
    return solutions


def draw(problem: capstan.Problem, solutions: Sequence[capstan.Solution], folder: Path) -> list[Path]:
    """The pictures that were written; none without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return []
    folder.mkdir(parents=True, exist_ok=True)
    convergence = Figure(figsize=(10, 4.5), layout="constrained")
    for ax, over in zip(convergence.subplots(1, 2, sharey=True), ("iterations", "seconds")):
        for solution in solutions:
            solution.plot_convergence(ax, over=over)
        ax.set_xscale("symlog", linthresh=1 if over == "iterations" else 1e-3)
    ax.legend()
    convergence.suptitle(f"{problem.info.title}: {problem.contacts} contacts")
    sparsity = Figure(figsize=(5, 5), layout="constrained")
    problem.plot_sparsity(sparsity.subplots())
    paths = [folder / "convergence.png", folder / "sparsity.png"]
    for figure, path in zip((convergence, sparsity), paths):
        figure.savefig(path, dpi=120)
    return paths


def main(arguments: Optional[Sequence[str]] = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m capstan.examples", description=__doc__.split("\n")[0])
    parser.add_argument("folder", nargs="?", default="capstan_examples", type=Path, help="where pictures go")
    parser.add_argument("--problem", default="arch_21", help="a built-in problem (default: %(default)s)")
    chosen = parser.parse_args(arguments)
    problem = capstan.sample(chosen.problem)
    print(f"{problem}, solved by several solvers:\n")
    solutions = solve_with(problem, SOLVERS)
    best = min(solutions, key=lambda s: s.error)
    print(f"\nThe best answer, by {best.solver}: {best.certificate}\n")
    pictures = draw(problem, solutions, chosen.folder)
    for picture in pictures:
        print(f"drawn: {picture.resolve()}")
    if not pictures:
        print("No pictures: they need matplotlib, pip install 'capstan[plot]'")


if __name__ == "__main__":
    main()
