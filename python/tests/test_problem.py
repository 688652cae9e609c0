"""Problems as objects: their arrays, files, samples and pictures."""

import sys

import numpy as np
import pytest

import capstan


def test_attributes_are_arrays():
    problem = capstan.sample("stack_3")
    assert (problem.dimension, problem.contacts, problem.dofs, problem.has_mass) == (3, 12, 18, True)
    assert problem.M.shape == (18, 18) and problem.H.shape == (36, 18) and problem.W.shape == (36, 36)
    assert problem.f.shape == (18,) and problem.w.shape == problem.b.shape == (36,)
    np.testing.assert_array_equal(problem.mu, np.full(12, 0.5))
    # W = H M^-1 H^T, b = w + H M^-1 f.
    H, M = problem.H.toarray(), problem.M.toarray()
    np.testing.assert_allclose(problem.W.toarray(), H @ np.linalg.solve(M, H.T), atol=1e-12)
    np.testing.assert_allclose(problem.b, problem.w + H @ np.linalg.solve(M, problem.f), atol=1e-12)


def test_a_reduced_problem_has_no_masses():
    problem = capstan.Problem(np.eye(6), np.arange(6.0), [[0.1, 0.2], [0.3, 0.4]], laws={"shift": [0, 1, 2]})
    assert not problem.has_mass and problem.dofs == 0
    np.testing.assert_array_equal(problem.W.toarray(), np.eye(6))
    np.testing.assert_array_equal(problem.b, np.arange(6.0))
    np.testing.assert_array_equal(problem.mu, [[0.1, 0.2], [0.3, 0.4]])
    np.testing.assert_array_equal(problem.laws.shift, [[0, 1, 2]] * 2)
    assert problem.laws.traction is None
    with pytest.raises(AttributeError, match="^M: the problem is reduced"):
        problem.M
    assert not hasattr(problem, "H")


def test_parts_of_a_problem_make_it_again():
    problem = capstan.sample("fibers_nu1")
    laws = capstan.Laws(shift=[0.01, 0, 0])
    first = capstan.Problem(M=problem.M, f=problem.f, H=problem.H, w=problem.w, mu=problem.mu, laws=laws)
    again = capstan.Problem(M=first.M, f=first.f, H=first.H, w=first.w, mu=first.mu, laws=first.laws)
    np.testing.assert_array_equal(again.solve().r, first.solve().r)


def test_repr_tells_what_it_is():
    assert repr(capstan.sample("slope")) == "<capstan.Problem 'slope': 4 contacts in dimension 3, 6 dofs>"
    assert repr(capstan.Problem(np.eye(2), [0, 0], [1])) == "<capstan.Problem: 1 contact in dimension 2>"
    solution = capstan.sample("slope").solve()
    assert repr(solution).startswith("<capstan.Solution: converged, error ")
    assert "4 stick" in repr(solution) and "4 stick" in repr(solution.certificate)


@pytest.mark.parametrize("name", ["wall.hdf5", "wall.dat", "wall.fclib"])
def test_files_lose_no_bit(tmp_path, name):
    wall = capstan.sample("wall_8")
    problem = capstan.Problem(
        M=wall.M, f=wall.f, H=wall.H, w=wall.w, mu=wall.mu
    )  # its bodies as files have them
    problem.save(tmp_path / name)
    again = capstan.load(tmp_path / name)
    np.testing.assert_array_equal(again.solve().r, problem.solve().r)
    for part in ("M", "H"):
        assert (getattr(again, part) != getattr(problem, part)).nnz == 0
    for part in ("f", "w", "mu"):
        np.testing.assert_array_equal(getattr(again, part), getattr(problem, part))
    assert again.stored_solution is None
    assert (tmp_path / name).read_bytes().startswith(b"3\n" if name.endswith(".dat") else b"\x89HDF")


def test_a_solution_travels_with_its_problem(tmp_path):
    problem = capstan.sample("stack_3")
    solution = problem.solve()
    problem.info = capstan.ProblemInfo("three cubes", "on top of each other")
    problem.save(str(tmp_path / "stack.hdf5"), solution)
    again = capstan.load(str(tmp_path / "stack.hdf5"))
    assert again.info.title == "three cubes" and again.info.description == "on top of each other"
    for part in ("r", "u", "v"):
        np.testing.assert_array_equal(getattr(again.stored_solution, part), getattr(solution, part))
    assert again.certify(again.stored_solution.r).error == solution.error
    reduced = capstan.Problem(np.eye(3), [-1, 0, 0], 0.5)
    reduced.save(tmp_path / "one.hdf5", reduced.solve())
    assert capstan.load(tmp_path / "one.hdf5").stored_solution.v is None


def test_laws_travel_too(tmp_path):
    laws = capstan.Laws(traction=[[1.0, 2, 3]], shift=[[0.1, 0, 0]])
    problem = capstan.Problem(np.eye(3), [-1, 0, 0], [[0.2, 0.3]], laws=laws)
    problem.save(tmp_path / "laws.hdf5")
    again = capstan.load(tmp_path / "laws.hdf5")
    np.testing.assert_array_equal(again.laws.traction, laws.traction)
    np.testing.assert_array_equal(again.laws.shift, laws.shift)
    np.testing.assert_array_equal(again.mu, [[0.2, 0.3]])
    with pytest.raises(capstan.InputError, match="laws.dat"):
        problem.save(tmp_path / "laws.dat")


def test_bad_files_are_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="nothing.hdf5"):
        capstan.load(tmp_path / "nothing.hdf5")
    (tmp_path / "text.dat").write_text("three")
    with pytest.raises(capstan.InputError, match="text.dat"):
        capstan.load(tmp_path / "text.dat")
    problem = capstan.sample("slope")
    with pytest.raises(capstan.InputError, match="format: is 'usd', expected 'fclib' or 'siconos'"):
        problem.save(tmp_path / "x", format="usd")
    with pytest.raises(capstan.InputError, match="solution: the Siconos format"):
        problem.save(tmp_path / "x.dat", problem.solve())
    with pytest.raises(capstan.InputError, match="nowhere"):
        problem.save(tmp_path / "nowhere" / "x.hdf5")


def test_samples_by_name():
    for known in capstan.samples():
        assert known.summary and known.pattern
    assert capstan.sample("spheres_20").dofs == 120
    with pytest.raises(capstan.InputError, match="^sample: there is no 'castle'; there are slope, "):
        capstan.sample("castle")
    with pytest.raises(TypeError, match="^name: is 3"):
        capstan.sample(3)


def test_pictures_are_drawn():
    Figure = pytest.importorskip("matplotlib.figure").Figure
    problem = capstan.sample("wall_8")
    ax = problem.plot_sparsity(Figure().subplots())
    (dots,) = ax.lines
    assert len(dots.get_xdata()) == len(problem.W.indices)
    solution = problem.solve()
    ax = solution.plot_convergence(Figure().subplots(), color="red")
    (line,) = ax.lines
    np.testing.assert_array_equal(line.get_ydata(), solution.history.values)
    assert line.get_color() == "red" and line.get_label() == "auto" and ax.get_xlabel() == "iterations"
    ax = solution.plot_convergence(Figure().subplots(), over="seconds")
    np.testing.assert_array_equal(ax.lines[0].get_xdata(), solution.history.seconds)
    with pytest.raises(capstan.InputError, match="^over: is 'time'"):
        solution.plot_convergence(over="time")


def test_without_matplotlib_it_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"pip install 'capstan\[plot\]'"):
        capstan.sample("slope").plot_sparsity()
