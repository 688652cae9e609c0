"""The same answers as the command line, to the last bit."""

import json
import subprocess

import numpy as np
import pytest

import capstan


def run(program, *arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=120)
    assert done.returncode in (0, 1), done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("name", ["slope_sliding", "stack_10", "wall_8", "arch_21", "rods_500", "fibers_nu1"])
def test_answers_are_those_of_the_command_line(program, tmp_path, name):
    (line,) = run(program, "solve", f"sample:{name}", "--json", "--write", str(tmp_path))
    solution = capstan.sample(name).solve()
    stored = capstan.load(tmp_path / f"{name}.hdf5").stored_solution
    for part in ("r", "u", "v"):
        np.testing.assert_array_equal(getattr(solution, part), getattr(stored, part))
    for field in ("status", "iterations", "islands"):
        assert getattr(solution, field) == line[field]
    for field in ("error", "natural_map_error", "worst_contact", "open", "stick", "slide", "alart_curnier"):
        assert getattr(solution.certificate, field) == line[field]


@pytest.mark.parametrize("solver", ["gs", "gs:dac+enum", "apgd", "interior", "newton_fb", "lemke16"])
def test_solvers_and_options_have_the_same_names_and_meaning(program, solver):
    options = ["--solver", solver, "--tol", "1e-4", "--measure", "natural_map", "--max-iterations", "40"]
    (line,) = run(program, "solve", "sample:stack_3", "--json", *options)
    solution = capstan.sample("stack_3").solve(
        solver=solver, tolerance=1e-4, measure="natural_map", max_iterations=40
    )
    assert (solution.status, solution.iterations, solution.error) == (
        line["status"],
        line["iterations"],
        line["error"],
    )


def test_the_list_of_solvers_is_the_same(program):
    lines = [line for line in run(program, "solvers", "--json") if not line["peer"]]
    assert [s._asdict() for s in capstan.solvers()] == [
        {key: line[key] for key in ("name", "summary", "default_iterations")} for line in lines
    ]


def test_it_reads_what_python_wrote(program, tmp_path):
    problem = capstan.Problem(np.eye(3), [-1, 2, 0], 0.5)
    solution = problem.solve()
    problem.save(tmp_path / "one.hdf5", solution)
    (line,) = run(program, "certify", str(tmp_path / "one.hdf5"), "--json")
    assert line["within_tolerance"] and line["error"] == solution.error
