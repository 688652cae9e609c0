#!/usr/bin/env python3
"""What Python costs: capstan.solve beside the command line on one large problem, and the rate of batches.

    build/python/bin/python bench/python_overhead.py [--problem rods_20000] [--runs 5] [--threads 0]

Both solve the same problem in turn, with the same threads; of each the fastest run counts. The command line's
own clock stops when the solver does; Python's runs on until velocities, certificate and arrays are there. On
a busy machine look at the work instead: seconds of one thread on a processor, for making the problem and
solving it.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import time
from pathlib import Path

import numpy as np

import capstan

ROOT = Path(__file__).resolve().parents[1]


def command_line(program: str, name: str, threads: int) -> dict:
    arguments = [program, "solve", f"sample:{name}", "--json", "--threads", str(threads)]
    return json.loads(subprocess.run(arguments, capture_output=True, text=True, check=True).stdout)


def timed(work):
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def work_of_command_line(program: str, name: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command_line(program, name, threads=1)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def work_of_python(name: str) -> float:
    start = time.process_time()
    capstan.solve(capstan.sample(name), threads=1)
    return time.process_time() - start


def compare_work(program: str, name: str, runs: int) -> None:
    theirs = min(work_of_command_line(program, name) for _ in range(runs))
    ours = min(work_of_python(name) for _ in range(runs))
    print(f"  work: command line {theirs:.3f} s, Python {ours:.3f} s, {ours / theirs - 1:+.1%}")


def overhead(program: str, name: str, runs: int, threads: int) -> None:
    problem = capstan.sample(name)
    M, f, H, w, mu = problem.M, problem.f, problem.H, problem.w, problem.mu
    print(f"{problem}, {threads or os.cpu_count()} threads, fastest of {runs} runs")
    best = dict.fromkeys(
        ["command line", "solve(problem)", "solve(M=, f=, H=, w=, mu=)", "its arrays to a problem"], np.inf
    )
    for _ in range(runs):
        line = command_line(program, name, threads)
        python, solution = timed(lambda: capstan.solve(problem, threads=threads))
        arrays, _ = timed(lambda: capstan.solve(M=M, f=f, H=H, w=w, mu=mu, threads=threads))
        built, _ = timed(lambda: capstan.Problem(M=M, f=f, H=H, w=w, mu=mu))
        if (line["iterations"], line["error"]) != (solution.iterations, solution.error):
            raise SystemExit("the two do not give the same answer: are they of the same build?")
        for kind, seconds in zip(
            best, (line["seconds_setup"] + line["seconds_solve"], python, arrays, built)
        ):
            best[kind] = min(best[kind], seconds)
    for kind, seconds in best.items():
        print(f"  {kind:<28} {seconds:8.4f} s  {seconds / best['command line'] - 1:+8.1%}")
    compare_work(program, name, runs)


def boxes(count: int):
    """Boxes that hit the floor with four corners: 12 rows for 6 degrees of freedom."""
    rng = np.random.default_rng(1)
    H = np.zeros((12, 6))
    for c in range(4):
        x, y, z = -0.5, (-0.5, 0.5)[c % 2], (-0.5, 0.5)[c // 2]
        H[3 * c : 3 * c + 3, :3] = np.eye(3)
        H[3 * c : 3 * c + 3, 3:] = [[0, z, -y], [-z, 0, x], [y, -x, 0]]
    W = H @ np.diag([1, 1, 1, 6, 6, 6]) @ H.T
    v = 0.3 * rng.standard_normal((count, 6)) - [0.5, 0, 0, 0, 0, 0]
    return {"W": np.repeat(W[np.newaxis], count, axis=0), "b": v @ H.T}


def robots(count: int, with_mass: bool):
    """Four contacts on 18 degrees of freedom, as a walking robot has, all coupled."""
    rng = np.random.default_rng(2)
    H = rng.standard_normal((count, 12, 18))
    A = rng.standard_normal((count, 18, 18))
    M = A @ A.transpose(0, 2, 1) / 18 + np.eye(18)
    f = rng.standard_normal((count, 18))
    if with_mass:
        return {"M": M, "f": f, "H": H}
    inverse = np.linalg.inv(M)
    return {"W": H @ inverse @ H.transpose(0, 2, 1), "b": np.einsum("kij,kjl,kl->ki", H, inverse, f)}


def batches(count: int, runs: int, threads: int) -> None:
    print(f"\nbatches of {count} problems of 4 contacts, {threads or os.cpu_count()} threads, best of {runs}")
    kinds = {
        "boxes, W": boxes(count),
        "robots, W": robots(count, False),
        "robots, M and H": robots(count, True),
    }
    for name, arrays in kinds.items():
        seconds, cpu = np.inf, np.inf
        for _ in range(runs):
            before = time.process_time()
            wall, batch = timed(lambda: capstan.solve_batch(**arrays, mu=0.5, threads=threads))
            seconds, cpu = min(seconds, wall), min(cpu, time.process_time() - before)
        rates = f"{4 * count / seconds:10.0f} contacts/s  {4 * count / cpu:10.0f} a second of work"
        solved = f"{int(batch.converged.sum())} converged, {batch.iterations.mean():.1f} iterations"
        print(f"  {name:<16} {rates}  {solved}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=str(ROOT / "build/test/bin/capstan"), help="the command line")
    parser.add_argument("--problem", default="rods_20000", help="a built-in problem")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--threads", type=int, default=0, help="0: one a core")
    parser.add_argument("--batch", type=int, default=10000, help="problems in a batch")
    chosen = parser.parse_args()
    overhead(chosen.program, chosen.problem, chosen.runs, chosen.threads)
    batches(chosen.batch, chosen.runs, chosen.threads)


if __name__ == "__main__":
    main()
