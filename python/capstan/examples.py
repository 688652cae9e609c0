"""Two short examples: python -m capstan.examples [FOLDER].

Solves a built-in problem with several solvers and prints a table; then simulates a rope that is pulled at
both ends over a peg and slips when the friction is lowered. Pictures of both go to the folder: those of the
rope always, how the solvers converge if matplotlib is there.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import Any, Optional, Sequence

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


def rope_over_peg(mu: float, pulls: tuple[float, float]) -> dict[str, Any]:
    """Half a turn of rope around a peg, pulled down at both ends (N): it holds up to the ratio exp(mu pi)."""
    return {
        "title": "a rope over a peg",
        "simulation": {"duration": 1, "fps": 25, "dt": 2e-3, "tolerance": 1e-6, "gravity": [0, 0, 0]},
        "material": [
            {
                "name": "limp",
                "preset": "rope",
                "radius": 4e-3,
                "linear_density": 0.2,
                "bending": 1e-6,
                "twisting": 1e-6,
                "stretching": 500,
                "internal_damping": 0.01,
            }
        ],
        "obstacle": [
            {
                "name": "peg",
                "shape": "cylinder",
                "radius": 0.05,
                "length": 0.2,
                "rotation": [math.pi / 2, 0, 0],
            }
        ],
        "strand": [
            {
                "name": "line",
                "model": "discrete_elastic",
                "material": "limp",
                "elements": 50,
                "shape": "wrap",
                "normal": [0, 1, 0],
                "direction": [0, 0, 1],
                "radius": 0.0541,
                "angle": math.pi,
                "tails": [0.15, 0.15],
                "rest": "straight",
                "load": [{"at": at, "force": [0, 0, -pull]} for at, pull in zip((0, 1), pulls)],
            }
        ],
        "friction": [{"between": ["line", "peg"], "mu": mu}],
    }


def simulate(folder: Path) -> list[Path]:
    """A simulation that is changed while it runs; returns its pictures."""
    sim = capstan.Simulation(rope_over_peg(mu=0.3, pulls=(2, 4)))
    print(f"{sim}\nA rope half around a peg, pulled by 2 N and 4 N.\n")
    print(f"{'t, s':>5} {'mu':>5} {'holds up to':>12} {'end rises, mm/s':>16} {'sliding':>8} {'error':>9}")
    pictures = []
    for mu in (0.3, 0.2):
        sim.set_friction("line", "peg", mu=mu)
        for _ in range(3):
            sim.run(2)
            limit, rise = 2 * math.exp(mu * math.pi), 1e3 * sim.strands.velocities[0, 2]
            sliding = (sim.contacts.states == "slide").mean()
            error = sim.report.error if sim.report else 0
            print(f"{sim.t:>5.2f} {mu:>5} {limit:>10.2f} N {rise:>16.1f} {sliding:>8.0%} {error:>9.1e}")
        pictures.append(folder / f"rope_mu_{mu}.png")
        capstan.write_png(pictures[-1], sim.picture(width=480, height=480, azimuth=20, elevation=10))
    return pictures


def main(arguments: Optional[Sequence[str]] = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m capstan.examples", description=__doc__.split("\n")[0])
    parser.add_argument("folder", nargs="?", default="capstan_examples", type=Path, help="where pictures go")
    parser.add_argument("--problem", default="arch_21", help="a built-in problem (default: %(default)s)")
    chosen = parser.parse_args(arguments)
    chosen.folder.mkdir(parents=True, exist_ok=True)
    problem = capstan.sample(chosen.problem)
    print(f"{problem}, solved by several solvers:\n")
    solutions = solve_with(problem, SOLVERS)
    best = min(solutions, key=lambda s: s.error)
    print(f"\nThe best answer, by {best.solver}: {best.certificate}\n")
    plots = draw(problem, solutions, chosen.folder)
    for picture in plots + simulate(chosen.folder):
        print(f"drawn: {picture.resolve()}")
    if not plots:
        print("No plots: they need matplotlib, pip install 'capstan[plot]'")


if __name__ == "__main__":
    main()
